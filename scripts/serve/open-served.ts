import { resolve } from 'node:path'
import type { Bindings } from '../../src/platform/bindings.ts'
import { type WholeDb, wholeDb } from '../../src/platform/database/databases.ts'
import type { Shard } from '../../src/platform/database/shards.ts'
import { callKeeper, type Keeper, readKeeper } from './keeper.ts'

type Statement = { sql: string; values: unknown[] }
/** The stores that a service has, as `openLocal` opens them. */
type ServedStores = {
  db: WholeDb
  shards: readonly Shard[]
  kv: KVNamespace
  buckets: Pick<Bindings, 'BACKUPS' | 'CERTIFICATES' | 'CHESTS'>
  dispose: () => Promise<void>
}

const BUCKETS = ['BACKUPS', 'CERTIFICATES', 'CHESTS'] as const

type Call = (call: object) => Promise<unknown>

/**
 * The stores of a state that a service of this machine serves, called through its process. Null: no service
 * runs there.
 */
export async function openServed(state: string): Promise<ServedStores | null> {
  const keeper = readKeeper(resolve(state))
  const names = keeper === null ? null : await namesOf(keeper)
  if (keeper === null || names === null) return null
  const call: Call = (each) => callKeeper(keeper, each)
  const database = (name: string) => wholeDb(databaseOf((more) => call({ binding: name, ...more })))
  const numbers = names.flatMap((name) => /^BOOKS_(\d+)$/.exec(name)?.[1] ?? []).map(Number)
  const others = numbers
    .toSorted((one, other) => one - other)
    .map((number): Shard => ({ number, books: database(`BOOKS_${number}`) }))
  const db = database('DB')
  const store = (name: string) => storeOf((more) => call({ binding: name, ...more }))
  return {
    db,
    shards: [{ number: 0, books: db }, ...others],
    kv: store('KV') as unknown as KVNamespace,
    buckets: Object.fromEntries(
      BUCKETS.filter((name) => names.includes(name)).map((name) => [
        name,
        store(name) as unknown as R2Bucket,
      ]),
    ),
    dispose: async () => undefined,
  }
}

/** The bindings of the service. Null: it was killed, and nothing answers any more. */
async function namesOf(keeper: Keeper): Promise<string[] | null> {
  try {
    return (await callKeeper(keeper, null)) as string[]
  } catch (thrown) {
    if (thrown instanceof TypeError && /ECONNREFUSED/.test(String(thrown.cause))) return null
    throw thrown
  }
}

/** A database of which each call is one of the service. */
function databaseOf(call: Call): D1Database {
  const batch = (statements: readonly Statement[]) => call({ statements }) as Promise<D1Result[]>
  const prepare = (sql: string, values: unknown[] = []): object => {
    const all = async () => (await batch([{ sql, values }]))[0]
    return {
      sql,
      values,
      bind: (...given: unknown[]) => prepare(sql, given),
      all,
      run: all,
      raw: () => call({ statements: [{ sql, values }], raw: true }),
      first: async (column?: string) => {
        const row = (await all())?.results[0] as Record<string, unknown> | undefined
        return (column === undefined ? row : row?.[column]) ?? null
      },
    }
  }
  return {
    prepare,
    batch: (statements: Statement[]) => batch(statements.map(({ sql, values }) => ({ sql, values }))),
  } as unknown as D1Database
}

/** A namespace or a bucket of which each call is one of the service. */
function storeOf(call: Call): object {
  const method =
    (name: string) =>
    async (...args: unknown[]) =>
      withBody(await call({ method: name, args: args.map(argument) }))
  return Object.fromEntries(['get', 'put', 'head', 'list', 'delete'].map((name) => [name, method(name)]))
}

function argument(value: unknown): unknown {
  if (!(value instanceof ArrayBuffer || value instanceof Uint8Array)) return value
  return {
    base64: Buffer.from(value instanceof ArrayBuffer ? new Uint8Array(value) : value).toString('base64'),
  }
}

/** A file of a bucket has its content, which Workers read by methods. */
function withBody(found: unknown): unknown {
  const { base64 }: { base64?: unknown } = Object(found)
  if (typeof base64 !== 'string') return found
  const bytes = new Uint8Array(Buffer.from(base64, 'base64'))
  return {
    ...Object(found),
    arrayBuffer: async () => bytes.buffer,
    json: async () => JSON.parse(new TextDecoder().decode(bytes)),
  }
}
