import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { sealAuditEvents } from '../../../src/platform/audit/seal.ts'
import { readHome } from '../../../src/platform/database/home-store.ts'
import { shardOf, shardsOf } from '../../../src/platform/database/shards.ts'
import { deleteOldCopies } from '../../../src/service/shards/delete-old-copies.ts'
import { endDeadMoves } from '../../../src/service/shards/end-dead-moves.ts'
import { installationOf } from '../../../src/service/shards/installation.ts'
import { undoMove } from '../../../scripts/move-account/begin-move.ts'
import { moveAccount } from '../../../scripts/move-account/move-account.ts'
import { loadTestData } from '../../support/service-data.ts'
import { dieAt, moveWith, outcomeOf } from './interrupted.ts'
import { fill, move, type Owner, ownerIn, rowsIn, sell, tools, transactionsOf } from './moving.ts'
import { forgetAll } from '../../../src/platform/kit/memory.ts'

beforeAll(loadTestData)

const LATER = () => new Date(Date.now() + 3_600_000)
const tick = () => endDeadMoves(installationOf(env), LATER())

describe('a mover that slept', () => {
  it('stops, wherever it slept while another ended the move, and no sale is lost', async () => {
    for (let at = 1; ; at += 1) {
      const owner = await ownerIn(1)
      await sell(owner, 'one')
      const { outcome, reached } = await moveWith(owner, at, async () => {
        // The lease of the sleeping mover has ended by the clock of the other one.
        expect(await outcomeOf(moveAccount(tools({ clock: LATER }), owner.account_id, 2))).toBe('moved')
        forgetAll()
        expect((await sell(owner, 'two')).status).toBe(201)
      })
      forgetAll()
      if (!reached) break
      expect(outcome, `trip ${at}`).toMatch(/taken over|moved|already|Another process|disagree/)
      expect((await sell(owner, 'three')).status, `trip ${at}: ${outcome}`).toBe(201)
      expect(await transactionsOf(owner), `trip ${at}`).toEqual(['one', 'three', 'two'])
      expect((await rowsIn(shardOf(env, 2), owner.account_id))['transactions'], `trip ${at}`).toBe(3)
    }
  })
})

/**
 * A mover that died at every statement in turn, each with an account of its own. Every second one was made,
 * and only its answer is lost. `end` ends the move. Returns the number of statements.
 */
async function walk(end: (owner: Owner) => Promise<void>): Promise<number> {
  for (let last = 1; ; last += 1) {
    const owner = await ownerIn(1)
    await sell(owner, 'one')
    if (!(await dieAt(owner, last, last % 2 === 0))) return last
    await end(owner)
    forgetAll()
    const again = await sell(owner, 'two')
    expect(again.status, `statement ${last}: ${again.text}`).toBe(201)
    expect(await transactionsOf(owner), `statement ${last}`).toEqual(['one', 'two'])
    const homes = await Promise.all(
      [1, 2].map((number) => readHome(shardOf(env, number).books, owner.account_id)),
    )
    expect(
      homes.filter((home) => home === 'open'),
      `statement ${last}`,
    ).toHaveLength(1)
  }
}

describe('a mover that died at any statement', () => {
  it('is followed by the same command', async () => {
    const statements = await walk(async (owner) => {
      await moveAccount(tools({ clock: LATER }), owner.account_id, 2).catch((thrown: unknown) =>
        expect(String(thrown)).toContain('already'),
      )
    })
    expect(statements).toBeGreaterThan(40)
  })

  it('is undone by --abort until it has switched', async () => {
    await walk(async (owner) => {
      await undoMove(tools({ clock: LATER }), owner.account_id).catch(async (thrown: unknown) => {
        expect(String(thrown)).toMatch(/There is no move|cannot be undone/)
        if (String(thrown).includes('undone')) await move(owner, 2, LATER)
      })
    })
  })

  it('is ended by the next tick of the service, with nothing left in two places', async () => {
    await walk(async (owner) => {
      await tick()
      const [from, to] = await Promise.all(
        [1, 2].map((number) => readHome(shardOf(env, number).books, owner.account_id)),
      )
      expect([`${from} ${to}`]).toEqual([expect.stringMatching(/^(open null|away open)$/)])
      if (from === 'open') expect(await rowsIn(shardOf(env, 2), owner.account_id)).toEqual({})
    })
  })
})

describe('jobs in the middle of a move', () => {
  it('seal nothing that is being copied, wherever they run', async () => {
    for (let at = 1; ; at += 7) {
      const owner = await ownerIn(1)
      await fill(owner)
      const late = new Date(Date.now() + 120_000)
      const { outcome, reached } = await moveWith(owner, at, async () => {
        for (const shard of shardsOf(env)) await sealAuditEvents(shard, late)
      })
      if (!reached) break
      expect(outcome, `trip ${at}`).toBe('moved')
    }
  })

  it('delete no old copy before the books are open elsewhere', async () => {
    for (let at = 1; ; at += 7) {
      const owner = await ownerIn(1)
      await sell(owner, 'one')
      const { outcome, reached } = await moveWith(owner, at, async () => {
        for (const shard of shardsOf(env))
          await deleteOldCopies(installationOf(env), shard, new Date(Date.now() + 7_200_000))
      })
      if (!reached) break
      expect(outcome, `trip ${at}`).toBe('moved')
      forgetAll()
      expect(await transactionsOf(owner)).toEqual(['one'])
    }
  })
})
