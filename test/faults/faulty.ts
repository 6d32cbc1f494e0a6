import type { WholeDb } from '../../src/platform/database/databases.ts'
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { app } from '../../src/service/app.ts'
import type { Bindings } from '../../src/platform/bindings.ts'
import { type Around, interceptedDatabase } from '../support/intercepted-database.ts'
import type { GoodRequest } from '../support/requests.ts'

type FaultyAnswer = { status: number; text: string; body: Record<string, unknown> }

/** Sends a request to the service with other bindings around it. */
export async function callWith(
  bindings: Bindings,
  key: string,
  request: GoodRequest,
  headers: Record<string, string> = {},
): Promise<FaultyAnswer> {
  const json_body = request.body === undefined ? undefined : JSON.stringify(request.body)
  const sentBody = request.raw ?? json_body
  const sent = new Request(`https://service.test${request.path}`, {
    method: request.method,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(sentBody !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(sentBody !== undefined && { body: sentBody }),
  })
  const response = await app.fetch(sent, bindings, createExecutionContext())
  const text = await response.text()
  const json = response.headers.get('Content-Type') === 'application/json'
  return { status: response.status, text, body: json ? JSON.parse(text) : {} }
}

export const DOWN = new Error('D1_ERROR: internal error; reference = none')

/** The bindings of the service with a database through which every trip goes by way of `around`. */
export function withDatabase(around: Around): Bindings & { DB: WholeDb } {
  return { ...env, DB: interceptedDatabase(env.DB, around) }
}

/** A database that does not answer. */
export function withoutDatabase(): Bindings & { DB: WholeDb } {
  return withDatabase(() => Promise.reject(DOWN))
}

/** A database that fails every statement that names a table. */
export function withoutTable(table: string, failure = DOWN): WholeDb {
  return new Proxy(env.DB, {
    get(db, name) {
      if (name === 'prepare')
        return (sql: string) => {
          if (sql.includes(table)) throw failure
          return db.prepare(sql)
        }
      const member: unknown = Reflect.get(db, name)
      return typeof member === 'function' ? member.bind(db) : member
    },
  })
}

/** A binding of which every method fails. */
export function failing<T extends object>(binding: T): T {
  return new Proxy(binding, { get: () => () => Promise.reject(new Error('the binding does not answer')) })
}

type Rows = Record<string, unknown[]>

/** The rows as they were last read, and how many rows the database had changed until then. */
let known: { changes: number | null; rows: Rows } | null = null

/**
 * All rows, without the request to move the days of sales. It is written before the account, into another
 * database, and moves nothing if the account keeps its time zone. Reads them only if something was written
 * since the last time, which makes the tests of all trips five times as fast.
 */
export async function everything(): Promise<Rows> {
  const changes = await env.DB.prepare('SELECT total_changes() AS n').first<number>('n')
  if (known === null || known.changes !== changes) known = { changes, rows: await readEverything() }
  return known.rows
}

async function readEverything(): Promise<Rows> {
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE 'sqlite%'",
  ).all<{ name: string }>()
  const names = results
    .map(({ name }) => name)
    .filter((name) => name !== 'facts' && name !== 'later_facts' && name !== 'day_changes')
  const read = await env.DB.batch(
    names.map((name) => env.DB.prepare(`SELECT * FROM "${name}" ORDER BY 1, 2`)),
  )
  return Object.fromEntries(names.map((name, index) => [name, read[index]?.results ?? []]))
}
