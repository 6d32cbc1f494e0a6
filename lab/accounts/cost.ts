import type { Bindings } from '../../src/platform/bindings.ts'
import type { QueueMessage } from '../../src/platform/queue/messages.ts'

/** What a piece of work costs in D1. `calls` are those of other stores: KV, buckets, queues. */
export type Cost = {
  statements: number
  trips: number
  rows_read: number
  rows_written: number
  calls: number
}

export function noCost(): Cost {
  return { statements: 0, trips: 0, rows_read: 0, rows_written: 0, calls: 0 }
}

/** The bindings, which count what passes them, and queues that only keep their messages. */
export function countedBindings(env: Bindings, cost: Cost, messages: QueueMessage[]): Bindings {
  const queue = queueThatKeeps(cost, messages)
  const entries = Object.entries(env).map(([name, binding]: [string, unknown]) => {
    if (typeof binding !== 'object' || binding === null) return [name, binding]
    if ('prepare' in binding) return [name, countedDatabase(binding as D1Database, cost)]
    if ('sendBatch' in binding) return [name, queue]
    return [name, countedStore(binding, cost)]
  })
  // The same names with the same types.
  return Object.fromEntries(entries)
}

function queueThatKeeps(cost: Cost, messages: QueueMessage[]): Queue<QueueMessage> {
  const sendBatch = async (batch: Iterable<MessageSendRequest<QueueMessage>>) => {
    cost.calls += 1
    for (const { body } of batch) messages.push(body)
  }
  const send = (body: QueueMessage) => sendBatch([{ body }])
  return { send, sendBatch } as unknown as Queue<QueueMessage>
}

function countedStore<Store extends object>(store: Store, cost: Cost): Store {
  return new Proxy(store, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...values: unknown[]): unknown => {
        cost.calls += 1
        return Reflect.apply(member, target, values)
      }
    },
  })
}

const originals = new WeakMap<object, D1PreparedStatement>()

function countedDatabase(db: D1Database, cost: Cost): D1Database {
  const counted = {
    prepare: (sql: string) => countedStatement(db.prepare(sql), cost),
    withSession: () => counted,
    batch: async (statements: D1PreparedStatement[]) =>
      countTrip(cost, await db.batch(statements.map((each) => originals.get(each) ?? each))),
  }
  return counted as unknown as D1Database
}

/** `first` reads by `all`, as that of D1 does, because only `all` says how many rows were read. */
function countedStatement(own: D1PreparedStatement, cost: Cost): D1PreparedStatement {
  const all = async () => {
    const result = await own.all<Record<string, unknown>>()
    countTrip(cost, [result])
    return result
  }
  const counted = {
    bind: (...values: unknown[]) => countedStatement(own.bind(...values), cost),
    all,
    run: all,
    first: async (column?: string) => {
      const [row = null] = (await all()).results
      return column === undefined ? row : (row?.[column] ?? null)
    },
    raw: async () => {
      cost.trips += 1
      cost.statements += 1
      return own.raw()
    },
  } as unknown as D1PreparedStatement
  originals.set(counted, own)
  return counted
}

function countTrip<Result extends D1Result>(cost: Cost, results: Result[]): Result[] {
  cost.trips += 1
  cost.statements += results.length
  for (const { meta } of results) {
    cost.rows_read += meta.rows_read
    cost.rows_written += meta.rows_written
  }
  return results
}
