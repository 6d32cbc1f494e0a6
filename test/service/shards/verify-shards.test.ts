import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { readHome } from '../../../src/platform/database/home-store.ts'
import { shardOf, shardsOf } from '../../../src/platform/database/shards.ts'
import { dropCopy } from '../../../scripts/verify/drop-copy.ts'
import { keepBooks } from '../../../scripts/verify/keep-books.ts'
import { faultOf, type ShardFault, verifyShards } from '../../../scripts/verify/shards.ts'
import { wholeDb } from '../../../src/platform/database/databases.ts'
import { interceptedDatabase } from '../../support/intercepted-database.ts'
import { loadTestData } from '../../support/service-data.ts'
import { fill, move, type Owner, ownerIn, rowsIn, sell, transactionsOf } from './moving.ts'
import { forgetAll } from '../../../src/platform/kit/memory.ts'

beforeAll(loadTestData)

async function faultIn({ account_id }: Owner): Promise<ShardFault | null> {
  for await (const { whereabouts, fault } of verifyShards(env.DB, shardsOf(env)))
    if (whereabouts.account_id === account_id) return fault
  throw new Error('The account was not looked at')
}

const home = (number: number, { account_id }: Owner) => readHome(shardOf(env, number).books, account_id)

describe('what the databases say of an account', () => {
  const move_row = {
    account_id: 'a',
    from_shard: 1,
    to_shard: 2,
    started_at: '',
    closed_at: null,
    switched_at: null,
    owner: null,
    leased_until: null,
    aborted_at: null,
    finished_at: null,
  }
  it.each([
    ['agrees', 1, [[1, 'open']], null],
    [
      'agrees while an old copy is kept',
      2,
      [
        [0, 'away'],
        [1, 'away'],
        [2, 'open'],
      ],
      null,
    ],
    [
      'contradicts: open elsewhere',
      1,
      [
        [1, 'away'],
        [2, 'open'],
      ],
      2,
    ],
    [
      'contradicts: elsewhere alone',
      1,
      [
        [0, 'away'],
        [2, 'open'],
      ],
      2,
    ],
    [
      'contradicts: open twice',
      2,
      [
        [1, 'open'],
        [2, 'open'],
      ],
      'a person',
    ],
    ['contradicts: open nowhere', 2, [[1, 'away']], 'a person'],
    ['contradicts: no account', null, [[1, 'open']], 'a person'],
    [
      'contradicts: closing without a move',
      1,
      [
        [0, 'closing'],
        [1, 'open'],
      ],
      'a person',
    ],
  ] as const)('%s', (_, shard, homes, expected) => {
    const fault = faultOf({ account_id: 'a', shard, homes: new Map(homes), move: null })
    expect(fault === null ? null : (fault.keep ?? 'a person')).toBe(expected)
  })

  it('is not settled while a move has not ended', () => {
    const homes = new Map([[1, 'open'] as const])
    expect(faultOf({ account_id: 'a', shard: 1, homes, move: move_row })?.what).toContain('has not ended')
    const ended = { ...move_row, switched_at: '1', finished_at: '1' }
    expect(faultOf({ account_id: 'a', shard: 1, homes, move: ended })).toBeNull()
  })
})

describe('a restore', () => {
  it('of the control database alone is repaired without a question, and no sale is lost', async () => {
    const owner = await ownerIn(1)
    await sell(owner, 'one')
    await move(owner, 2)
    forgetAll()
    await sell(owner, 'two')
    expect(await faultIn(owner)).toBeNull()
    await env.DB.batch([
      env.DB.prepare('UPDATE accounts SET shard = 1 WHERE id = ?').bind(owner.account_id),
      env.DB.prepare('DELETE FROM account_moves WHERE account_id = ?').bind(owner.account_id),
    ])
    expect(await faultIn(owner)).toMatchObject({ keep: 2 })
    await keepBooks(env.DB, shardsOf(env), owner.account_id, 2)
    expect(await faultIn(owner)).toBeNull()
    forgetAll()
    expect((await sell(owner, 'three')).status).toBe(201)
    expect(await transactionsOf(owner)).toEqual(['one', 'three', 'two'])
  })

  it('of one shard that an account has left is decided by a person, and can be decided anew', async () => {
    const owner = await ownerIn(1)
    await sell(owner, 'one')
    await move(owner, 2)
    await env.BOOKS_1?.exec(`UPDATE accounts SET home = 'open' WHERE id = '${owner.account_id}'`)
    expect(await faultIn(owner)).toMatchObject({ keep: null, what: expect.stringContaining('1 and 2') })
    for (const number of [1, 2]) {
      await keepBooks(env.DB, shardsOf(env), owner.account_id, number)
      expect(await faultIn(owner)).toBeNull()
      expect(await Promise.all([1, 2].map((each) => home(each, owner)))).toEqual(
        number === 1 ? ['open', 'away'] : ['away', 'open'],
      )
    }
    await expect(keepBooks(env.DB, shardsOf(env), 'acct_none', 1)).rejects.toThrow('has no books')
  })
})

describe('a copy that a decision has left', () => {
  /** Books with a copy in shard `left`, which the decision for shard 2 has closed. */
  async function decided(left: number): Promise<Owner> {
    const owner = await ownerIn(left)
    await fill(owner)
    await move(owner, 2)
    await keepBooks(env.DB, shardsOf(env), owner.account_id, 2)
    forgetAll()
    return owner
  }
  const drop = ({ account_id }: Owner, number: number, shards = shardsOf(env)) =>
    dropCopy(env.DB, shards, account_id, number)
  const rows = ({ account_id }: Owner, number: number) => rowsIn(shardOf(env, number), account_id)

  it('is deleted by a command that can be repeated, and the books stay whole', async () => {
    const owner = await decided(1)
    const whole = await rows(owner, 2)
    expect(Object.keys(await rows(owner, 1)).length).toBeGreaterThan(5)
    expect(await drop(owner, 1)).toBe(true)
    expect(await rows(owner, 1)).toEqual({})
    expect(await drop(owner, 1)).toBe(false)
    expect(await rows(owner, 2)).toEqual(whole)
    expect(await faultIn(owner)).toBeNull()
    expect((await sell(owner, 'after')).status).toBe(201)
    await expect(keepBooks(env.DB, shardsOf(env), owner.account_id, 1)).rejects.toThrow('has no books')
  })

  it('in shard 0 is deleted without what belongs to the account itself, and is never kept again', async () => {
    const owner = await decided(0)
    expect(await drop(owner, 0)).toBe(true)
    expect(await drop(owner, 0)).toBe(true)
    expect(Object.keys(await rows(owner, 0)).toSorted()).not.toContain('transactions')
    expect((await sell(owner, 'after')).status).toBe(201)
    await expect(keepBooks(env.DB, shardsOf(env), owner.account_id, 0)).rejects.toThrow('was dropped')
    expect(await faultIn(owner)).toBeNull()
  })

  it('is not deleted if the books are there, or any database says so', async () => {
    const owner = await decided(1)
    const { account_id } = owner
    await expect(drop(owner, 2)).rejects.toThrow('not a left copy')
    await env.DB.prepare('UPDATE accounts SET shard = 1 WHERE id = ?').bind(account_id).run()
    await expect(drop(owner, 1)).rejects.toThrow('not a left copy')
    await env.DB.prepare('UPDATE accounts SET shard = 2 WHERE id = ?').bind(account_id).run()
    await env.BOOKS_2?.exec(`UPDATE accounts SET home = 'away' WHERE id = '${account_id}'`)
    await expect(drop(owner, 1)).rejects.toThrow('should have the books')
    expect(await rows(owner, 1)).toHaveProperty('transactions')
  })

  it('is not deleted while a move could need it', async () => {
    const owner = await ownerIn(1)
    await sell(owner, 'one')
    await move(owner, 2)
    await expect(drop(owner, 1)).rejects.toThrow('was moved')
  })

  it('stops at any batch, and then neither counts as books nor costs any', async () => {
    const owner = await decided(1)
    const whole = await rows(owner, 2)
    const { books } = shardOf(env, 1)
    for (let most = 1; (await home(1, owner)) !== null; most += 4) {
      let batches = 0
      const dying = interceptedDatabase(wholeDb(books), (trip) => {
        batches += 1
        return batches > 2 * most ? Promise.reject(new Error('killed')) : trip()
      })
      const shards = shardsOf(env).map((shard) => (shard.number === 1 ? { number: 1, books: dying } : shard))
      await drop(owner, 1, shards).catch(() => undefined)
      const kept = keepBooks(env.DB, shardsOf(env), owner.account_id, 1)
      if (batches > 3) await expect(kept).rejects.toThrow(/was dropped|has no books/)
      else await kept.catch(() => undefined)
      if (batches <= 3) await keepBooks(env.DB, shardsOf(env), owner.account_id, 2)
      expect(await rows(owner, 2)).toEqual(whole)
    }
    expect(await rows(owner, 1)).toEqual({})
  })
})
