import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { wholeDb } from '../../../src/platform/database/databases.ts'
import { sealStragglers } from '../../../src/platform/audit/seal.ts'
import { verifyAudit } from '../../../scripts/verify/audit.ts'
import { readHome } from '../../../src/platform/database/home-store.ts'
import { shardOf, shardsOf } from '../../../src/platform/database/shards.ts'
import { deleteOldCopies } from '../../../src/service/shards/delete-old-copies.ts'
import { installationOf } from '../../../src/service/shards/installation.ts'
import { moveAccount } from '../../../scripts/move-account/move-account.ts'
import { interceptedDatabase } from '../../support/intercepted-database.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { fill, move, type Owner, ownerIn, rowsIn, sell, tools, transactionsOf } from './moving.ts'
import { forgetAll } from '../../../src/platform/kit/memory.ts'

beforeAll(loadTestData)

const LATER = () => new Date(Date.now() + 7_200_000)

async function fileReturn({ key }: Owner): Promise<string> {
  const body = { type: 'uk_vat100', period: '2026-Q1', submission: { state: 'open', note: 'to be moved' } }
  const filed = await call('POST', '/v1/returns', { key, body })
  expect(filed.status, filed.text).toBe(201)
  return String(filed.body['id'])
}

describe('a move to another shard', () => {
  it.each([
    [0, 1],
    [1, 2],
    [2, 1],
  ])('takes all books from shard %i to %i, and answers as before', async (from, to) => {
    const owner = await ownerIn(from)
    await fill(owner)
    const filed = await fileReturn(owner)
    await sell(owner, 'calculated', {}, { line_items: [{ amount: 500, product_type: 'saas' }] })
    const before = await rowsIn(shardOf(env, from), owner.account_id)
    const sale = '/v1/transactions/external/calculated?explain=true&einvoice=en'
    const paths = ['/v1/customers', '/v1/transactions', '/v1/webhooks', `/v1/returns/${filed}`, sale]
    const read = () =>
      Promise.all(
        [...paths, '/v1/audit-events?limit=100', '/v1/account/usage'].map(async (path) => {
          const { queried_at: _, ...body } = (await call('GET', path, { key: owner.key })).body
          return body
        }),
      )
    const answers = await read()
    await move(owner, to)
    forgetAll()
    expect(await rowsIn(shardOf(env, to), owner.account_id)).toEqual(before)
    expect(await read()).toEqual(answers)
    expect((await sell(owner, 'third')).status).toBe(201)
    expect((await rowsIn(shardOf(env, to), owner.account_id))['transactions']).toBe(5)
    expect((await rowsIn(shardOf(env, from), owner.account_id))['transactions']).toBe(4)
  })

  it('takes the chains of audit events along, which hold in each database on the way', async () => {
    const owner = await ownerIn(0)
    for (const [step, to] of [1, 2, 1].entries()) {
      await sell(owner, `sale ${step}`)
      const later = new Date(Date.now() + 60_000)
      for (const shard of shardsOf(env)) await sealStragglers(shard, later)
      await move(owner, to)
      forgetAll()
      const { heads, faults } = await verifyAudit(shardOf(env, to).books, owner.account_id, later)
      expect(faults).toEqual([])
      expect(heads.length).toBeGreaterThan(0)
      const afterwards = new Date(Date.now() + 3 * 3_600_000)
      for (const shard of shardsOf(env)) await deleteOldCopies(installationOf(env), shard, afterwards)
    }
  })

  it('sends a write of an isolate with the old shard to the new one, once', async () => {
    const owner = await ownerIn(1)
    await sell(owner, 'before')
    // The isolate has the key in memory now, with shard 1.
    await move(owner, 2)
    const answers = await Promise.all(
      [1, 2, 3].map(() => sell(owner, 'after', { 'Idempotency-Key': 'after' })),
    )
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(new Set(answers.map(({ body }) => body['id'])).size).toBe(1)
    expect(await transactionsOf(owner)).toEqual(['after', 'before'])
    expect((await rowsIn(shardOf(env, 1), owner.account_id))['transactions']).toBe(1)
  })

  it('keeps the answer of an Idempotency-Key, also for an isolate with the old shard', async () => {
    const owner = await ownerIn(2)
    const first = await sell(owner, 'kept', { 'Idempotency-Key': 'kept' })
    await move(owner, 1)
    const again = await sell(owner, 'kept', { 'Idempotency-Key': 'kept' })
    expect(again).toMatchObject({ status: 201, text: first.text })
  })

  it('refuses writes for some seconds while it copies, and answers reads', async () => {
    const owner = await ownerIn(1)
    await sell(owner, 'before')
    const refused: Awaited<ReturnType<typeof sell>>[] = []
    const shard = (number: number) => {
      const { books } = shardOf(env, number)
      if (number !== 2) return { number, books }
      return {
        number,
        books: interceptedDatabase(books, async (trip) => {
          if (refused.length === 0 && (await readHome(env.BOOKS_1 ?? env.DB, owner.account_id)) === 'away')
            refused.push(await sell(owner, 'during'))
          expect(await transactionsOf(owner)).toEqual(['before'])
          return trip()
        }),
      }
    }
    await moveAccount(tools({ shardOf: shard }), owner.account_id, 2)
    expect(refused).toMatchObject([{ status: 429, body: { reason: 'account_moving' } }])
    expect(refused[0]?.headers.get('Retry-After')).toBe('5')
    expect((await sell(owner, 'during')).status).toBe(201)
    expect(await transactionsOf(owner)).toEqual(['before', 'during'])
  })

  it('opens the books again if a row of the copy differs', async () => {
    const owner = await ownerIn(1)
    await sell(owner, 'one')
    const broken = (number: number) => {
      const { books } = shardOf(env, number)
      if (number === 1) return { number, books }
      let trips = 0
      const spoil = 'UPDATE transactions SET total = total + 1 WHERE account_id = ?'
      const spoiled = interceptedDatabase(books, async (trip) => {
        trips += 1
        const answer = await trip()
        if (trips > 2) await books.prepare(spoil).bind(owner.account_id).run()
        return answer
      })
      return { number, books: spoiled }
    }
    await expect(moveAccount(tools({ shardOf: broken }), owner.account_id, 2)).rejects.toThrow('differs')
    expect(await rowsIn(shardOf(env, 2), owner.account_id)).toEqual({})
    expect((await sell(owner, 'two')).status).toBe(201)
    await move(owner, 2)
    expect(await transactionsOf(owner)).toEqual(['one', 'two'])
  })

  it('is ended by the same command after a crash at any trip', { timeout: 600_000 }, async () => {
    let crashes = 0
    for (let last = 1; ; last += 1) {
      const owner = await ownerIn(1)
      await sell(owner, 'one')
      await call('POST', '/v1/customers', { key: owner.key, body: { name: 'Ann' } })
      let trips = 0
      const dying = (db: D1Database) =>
        interceptedDatabase(wholeDb(db), async (trip) => {
          trips += 1
          if (trips > last) throw new Error('killed')
          const answer = await trip()
          if (trips === last && last % 2 === 0) throw new Error('killed')
          return answer
        })
      const shard = (number: number) => ({ number, books: dying(shardOf(env, number).books) })
      const killed = await moveAccount(
        tools({ control: dying(env.DB), shardOf: shard }),
        owner.account_id,
        2,
      ).catch((thrown: unknown) => String(thrown))
      // The lease of the dead mover ends.
      const later = () => new Date(Date.now() + 120_000)
      await move(owner, 2, later).catch((thrown: unknown) => expect(String(thrown)).toContain('already'))
      forgetAll()
      expect((await sell(owner, 'two')).status).toBe(201)
      expect(await transactionsOf(owner)).toEqual(['one', 'two'])
      expect((await rowsIn(shardOf(env, 2), owner.account_id))['customers']).toBe(1)
      if (typeof killed !== 'string') break
      crashes += 1
    }
    expect(crashes).toBeGreaterThan(40)
  })

  it('leaves nothing in the old shard after an hour, not even filed returns', async () => {
    const owner = await ownerIn(1)
    await fill(owner)
    await fileReturn(owner)
    await move(owner, 2)
    await deleteOldCopies(installationOf(env), shardOf(env, 1), new Date(Date.now() + 3_600_000))
    expect((await rowsIn(shardOf(env, 1), owner.account_id))['transactions']).toBe(3)
    // A tick deletes the copies of two accounts, and other tests have moved many.
    for (let tick = 0; tick < 100; tick += 1)
      await deleteOldCopies(installationOf(env), shardOf(env, 1), LATER())
    expect(await rowsIn(shardOf(env, 1), owner.account_id)).toEqual({})
    expect(await env.BOOKS_1?.prepare('SELECT count(*) AS n FROM open_doors').first('n')).toBe(0)
    expect((await rowsIn(shardOf(env, 2), owner.account_id))['transactions']).toBe(3)
    await move(owner, 1)
    forgetAll()
    expect(await transactionsOf(owner)).toEqual(['first', 'o-1', 'second'])
  })

  it('leaves the audit events of keys and profile in the control database', async () => {
    const owner = await ownerIn(0)
    await fill(owner)
    await move(owner, 1)
    await deleteOldCopies(installationOf(env), shardOf(env, 0), LATER())
    forgetAll()
    await call('PUT', '/v1/account', { key: owner.key, body: { country: 'FR' } })
    const audit = await call('GET', '/v1/audit-events?limit=100', { key: owner.key })
    const rows = audit.body['audit_events'] as { id: string; action: string }[]
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
    expect(rows.filter(({ action }) => action === 'account.updated')).toHaveLength(2)
    expect(rows[0]?.action).toBe('account.updated')
    expect((await rowsIn(shardOf(env, 0), owner.account_id))['transactions']).toBeUndefined()
  })

  it('is refused to an unknown shard, to shard 0, to the same one, and twice in an hour', async () => {
    const owner = await ownerIn(1)
    await expect(move(owner, 7)).rejects.toThrow('BOOKS_7')
    await expect(move(owner, 0)).rejects.toThrow('shard 0')
    await expect(move(owner, 1)).rejects.toThrow('already')
    await move(owner, 2)
    await expect(move(owner, 1)).rejects.toThrow('Try again in two hours')
    await expect(move({ ...owner, account_id: 'acct_none' }, 1)).rejects.toThrow('no account')
  })
})
