import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { readHome } from '../../../src/platform/database/home-store.ts'
import { shardOf } from '../../../src/platform/database/shards.ts'
import { endDeadMoves } from '../../../src/service/shards/end-dead-moves.ts'
import { installationOf } from '../../../src/service/shards/installation.ts'
import { undoMove } from '../../../scripts/move-account/begin-move.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { dieAt } from './interrupted.ts'
import { move, ownerIn, rowsIn, sell, tools } from './moving.ts'
import { forgetAll } from '../../../src/platform/kit/memory.ts'

beforeAll(loadTestData)

const LATER = () => new Date(Date.now() + 3_600_000)
const tick = () => endDeadMoves(installationOf(env), LATER())

describe('an unfinished move', () => {
  it('is left alone by ticks while its mover may live, and named in the log and by the account', async () => {
    const owner = await ownerIn(1)
    await sell(owner, 'one')
    // In the middle of the copy.
    expect(await dieAt(owner, 30, false)).toBe(true)
    const log = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    await endDeadMoves(installationOf(env), new Date())
    expect(log.mock.calls.flat().join('\n')).toContain(owner.account_id)
    log.mockRestore()
    expect((await sell(owner, 'two')).body['reason']).toBe('account_moving')
    const account = await call('GET', '/v1/account', { key: owner.key })
    expect(account.body['attention']).toMatchObject([
      { reason: 'account_moving', resource_id: owner.account_id, since: expect.any(String) },
    ])
    await tick()
    expect((await sell(owner, 'two')).status).toBe(201)
    expect((await call('GET', '/v1/account', { key: owner.key })).body['attention']).toEqual([])
  })

  it('cannot be undone while its mover lives', async () => {
    const owner = await ownerIn(1)
    await dieAt(owner, 30, false)
    await expect(undoMove(tools(), owner.account_id)).rejects.toThrow('Another process moves')
    await undoMove(tools({ clock: LATER }), owner.account_id)
    await expect(undoMove(tools(), owner.account_id)).rejects.toThrow('There is no move')
  })
})

describe('databases that contradict each other', () => {
  it('are not touched by a move: the control database is older than the shards', async () => {
    const owner = await ownerIn(1)
    await sell(owner, 'one')
    const rows = await env.DB.prepare('SELECT shard FROM accounts WHERE id = ?')
      .bind(owner.account_id)
      .first()
    await move(owner, 2)
    forgetAll()
    await sell(owner, 'two')
    // What a restore of the control database to a moment before the move leaves.
    await env.DB.batch([
      env.DB.prepare('UPDATE accounts SET shard = ? WHERE id = ?').bind(rows?.['shard'], owner.account_id),
      env.DB.prepare('DELETE FROM account_moves WHERE account_id = ?').bind(owner.account_id),
    ])
    await expect(move(owner, 2)).rejects.toThrow('disagree')
    expect((await rowsIn(shardOf(env, 2), owner.account_id))['transactions']).toBe(2)
  })

  it('are not touched by a move or a tick: the control database is from the middle of the move', async () => {
    const owner = await ownerIn(1)
    await sell(owner, 'one')
    await move(owner, 2)
    forgetAll()
    await sell(owner, 'two')
    await env.DB.batch([
      env.DB.prepare('UPDATE accounts SET shard = 1 WHERE id = ?').bind(owner.account_id),
      env.DB.prepare(
        'UPDATE account_moves SET switched_at = NULL, finished_at = NULL WHERE account_id = ?',
      ).bind(owner.account_id),
    ])
    await expect(move(owner, 2, LATER)).rejects.toThrow('disagree')
    await expect(undoMove(tools({ clock: LATER }), owner.account_id)).rejects.toThrow('disagree')
    await endDeadMoves(installationOf(env), new Date(Date.now() + 7_200_000))
    expect((await rowsIn(shardOf(env, 2), owner.account_id))['transactions']).toBe(2)
    expect(await readHome(shardOf(env, 2).books, owner.account_id)).toBe('open')
  })
})
