import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  authenticate,
  cachedPrincipal,
  forgetPrincipals,
} from '../../../src/parties/accounts/authenticate.ts'
import type { Bindings } from '../../../src/platform/bindings.ts'
import type { Reader } from '../../../src/platform/context.ts'
import { newAccount } from '../../support/account.ts'
import { readerAt } from '../../support/books.ts'
import { keepAccountsIn } from '../../support/shards.ts'
import { forgetAll } from '../../../src/platform/kit/memory.ts'

// The replica is one of the other shards.
keepAccountsIn(0)

const START = Date.parse('2026-11-22T12:00:00Z')
const after = (seconds: number) => new Date(START + seconds * 1_000)
const LOOK_UP = { only_calculates: true, beforeLookUp: () => undefined, afterFound: () => undefined }

const header = (key: string) => `Bearer ${key}`
const failing = () => {
  throw new Error('down')
}
const isKnown = (reader: Reader, key: string) => cachedPrincipal(reader, header(key), true) !== null
const works = (reader: Reader, key: string) =>
  authenticate(reader, header(key), LOOK_UP).then(
    () => true,
    () => false,
  )

async function revoke(key_id: string): Promise<void> {
  await env.DB.prepare('UPDATE api_keys SET revoked_at = ? WHERE id = ?')
    .bind('2026-11-22T11:00:00.000Z', key_id)
    .run()
}

beforeEach(() => forgetAll())

describe('a key in memory', () => {
  it('is read again behind one answer after 20 s, and stops there if it was revoked', async () => {
    const { key, key_id } = await newAccount()
    expect(await works(readerAt(env, after(0)), key)).toBe(true)
    await revoke(key_id)
    const prepare = vi.spyOn(env.DB, 'prepare')
    expect(isKnown(readerAt(env, after(19)), key)).toBe(true)
    expect(prepare).not.toHaveBeenCalled()
    const [reader, beside] = [readerAt(env, after(20)), readerAt(env, after(20))]
    expect([isKnown(reader, key), isKnown(beside, key)]).toEqual([true, true])
    await Promise.all([reader.settled(), beside.settled()])
    expect(prepare).toHaveBeenCalledTimes(1)
    prepare.mockRestore()
    expect(isKnown(readerAt(env, after(21)), key)).toBe(false)
    expect(await works(readerAt(env, after(21)), key)).toBe(false)
  })

  it('stops within 60 s if no request comes in between', async () => {
    const { key, key_id } = await newAccount()
    expect(await works(readerAt(env, after(0)), key)).toBe(true)
    await revoke(key_id)
    expect(isKnown(readerAt(env, after(55)), key)).toBe(false)
    expect(await works(readerAt(env, after(55)), key)).toBe(false)
  })

  it('stays in use if it cannot be read again, until it is too old', async () => {
    const { key } = await newAccount()
    expect(await works(readerAt(env, after(0)), key)).toBe(true)
    const down = { ...env, DB: new Proxy(env.DB, { get: () => failing }) }
    const reader = readerAt(down, after(30))
    expect(isKnown(reader, key)).toBe(true)
    await reader.settled()
    expect(isKnown(readerAt(down, after(54)), key)).toBe(true)
    expect(isKnown(readerAt(down, after(55)), key)).toBe(false)
  })

  it('is not put back by a reading that began before a write of its account', async () => {
    const { key, account_id } = await newAccount()
    expect(await works(readerAt(env, after(0)), key)).toBe(true)
    const reader = readerAt(env, after(30))
    expect(isKnown(reader, key)).toBe(true)
    forgetPrincipals(account_id)
    await reader.settled()
    expect(isKnown(readerAt(env, after(30)), key)).toBe(false)
  })

  it('has the registrations of its account', async () => {
    const { key, account_id } = await newAccount()
    await env.DB.prepare(
      `INSERT INTO registrations (id, account_id, scheme, valid_from, created_at, updated_at)
       VALUES ('reg_x', ?, 'oss_union', '2026-01-01', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`,
    )
      .bind(account_id)
      .run()
    const { registrations } = await authenticate(readerAt(env, after(0)), header(key), LOOK_UP)
    expect(registrations).toEqual([
      { id: 'oss_union', number: null, valid_from: '2026-01-01', valid_to: null },
    ])
  })
})

describe('with a replica that lags', () => {
  /** The nearest replica is another database, which got the rows of a moment ago. */
  const lagging: Bindings = {
    ...env,
    DB: new Proxy(env.DB, {
      get(db, name) {
        const member: unknown = Reflect.get(db, name)
        if (name !== 'withSession') return typeof member === 'function' ? member.bind(db) : member
        return () => replicaOf(shard('BOOKS_2'))
      },
    }),
  }

  function shard(name: 'BOOKS_2'): D1Database {
    const db = env[name]
    if (db === undefined) throw new Error(`the tests run without ${name}`)
    return db
  }

  /** A session whose answers say that a replica gave them. */
  function replicaOf(db: D1Database): D1DatabaseSession {
    const session = db.withSession('first-unconstrained')
    return new Proxy(session, {
      get(target, name) {
        if (name !== 'prepare') return Reflect.get(target, name)
        return (sql: string) => ({
          bind: (...values: unknown[]) => ({
            all: async () => {
              const answer = await target
                .prepare(sql)
                .bind(...values)
                .all()
              return { ...answer, meta: { ...answer.meta, served_by_primary: false } }
            },
          }),
        })
      },
    })
  }

  /** Lets the replica catch up with the account. */
  async function replicate(account_id: string): Promise<void> {
    for (const [table, column] of [
      ['accounts', 'id'],
      ['api_keys', 'account_id'],
    ] as const) {
      const { results } = await env.DB.prepare(`SELECT * FROM ${table} WHERE ${column} = ?`)
        .bind(account_id)
        .all()
      for (const row of results)
        await shard('BOOKS_2')
          .prepare(
            `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.keys(row)
              .map(() => '?')
              .join(', ')})`,
          )
          .bind(...Object.values(row))
          .run()
    }
  }

  it('a new key works at once', async () => {
    const { key } = await newAccount()
    expect(await works(readerAt(lagging, after(0)), key)).toBe(true)
  })

  it('a revoked key stops as soon as the primary was asked, behind the first answer', async () => {
    const { key, key_id, account_id } = await newAccount()
    await replicate(account_id)
    await revoke(key_id)
    const reader = readerAt(lagging, after(0))
    expect(await works(reader, key)).toBe(true)
    await reader.settled()
    expect(isKnown(readerAt(lagging, after(1)), key)).toBe(false)
    // The replica still has the key: it is not asked again.
    for (const seconds of [1, 5, 60]) expect(await works(readerAt(lagging, after(seconds)), key)).toBe(false)
  })

  it('a change of the account counts for the next request, though the replica has not heard of it', async () => {
    const { key, account_id } = await newAccount()
    await replicate(account_id)
    const reader = readerAt(lagging, after(0))
    expect(await works(reader, key)).toBe(true)
    await reader.settled()
    await env.DB.prepare('UPDATE accounts SET small_business = 1 WHERE id = ?').bind(account_id).run()
    forgetPrincipals(account_id)
    const { small_business } = await authenticate(readerAt(lagging, after(1)), header(key), LOOK_UP)
    expect(small_business).toBe(true)
  })

  it('an old key is read from the primary', async () => {
    const { key, key_id, account_id } = await newAccount()
    await replicate(account_id)
    const reader = readerAt(lagging, after(0))
    expect(await works(reader, key)).toBe(true)
    await reader.settled()
    await revoke(key_id)
    expect(await works(readerAt(lagging, after(55)), key)).toBe(false)
  })
})
