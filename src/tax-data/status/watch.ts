import type { Bindings } from '../../platform/bindings.ts'
import { probeSession } from '../../platform/database/sessions.ts'
import { type Shard, shardsOf } from '../../platform/database/shards.ts'
import { unsetAddresses } from '../../platform/own-addresses.ts'
import { readFill } from '../records/store.ts'
import { alarmsOf, type Measured, STUCK_DAYS } from './alarms.ts'
import { DATABASE_BYTES_MAX } from './database-fill.ts'
import type { Alarm } from './schemas.ts'
import { countDeadMoves, countOverdueCollectors, countInBooks, readOldestWaiting } from './watch-store.ts'

const KEY = 'operations:now'
const MINUTE_MS = 60_000
const DAY_MS = 1_440 * MINUTE_MS
const OVERDUE_MS = 6 * 60 * MINUTE_MS

/** What a tick measured, as it is kept. */
type Watched = { at: string; measured: Measured }

/**
 * Measures what an operator must know, keeps it for `/health` and the status page, and writes a log line for
 * each alarm. A tick does this and not a request, so that no caller decides what it costs.
 */
export async function watchOperations(env: Bindings, now: Date): Promise<void> {
  const measured = await measure(env, now)
  for (const { name, status, value, threshold, message } of alarmsOf(measured))
    if (status === 'warn')
      console.warn(JSON.stringify({ level: 'warn', alarm: name, value, threshold, message }))
  await env.KV.put(KEY, JSON.stringify({ at: now.toISOString(), measured } satisfies Watched))
}

async function measure(env: Bindings, now: Date): Promise<Measured> {
  const at = now.toISOString()
  const shards = await Promise.all(shardsOf(env).map((shard) => measureShard(shard, now)))
  const answering = shards.flatMap((shard) => shard ?? [])
  const largest = (values: readonly number[]) => Math.max(0, ...values)
  return {
    unreachable_databases: shards.length - answering.length,
    fullest_database_percent: largest(answering.map(({ percent }) => percent)),
    dead_moves: await orNull(countDeadMoves(env.DB, at)),
    oldest_event_minutes: largest(answering.map(({ event }) => event)),
    oldest_delivery_minutes: largest(answering.map(({ delivery }) => delivery)),
    unreconciled_accounts: answering.reduce((sum, { unreconciled }) => sum + unreconciled, 0),
    unbound_chests: env.CHESTS ? 0 : answering.reduce((sum, { with_chests }) => sum + with_chests, 0),
    stuck_chests: answering.reduce((sum, { stuck_chests }) => sum + stuck_chests, 0),
    overdue_collectors: await orNull(
      countOverdueCollectors(env.DB, new Date(now.getTime() - OVERDUE_MS).toISOString()),
    ),
    unset_addresses: unsetAddresses(env).length,
    // A tick with a budget has none to spare; each reader of the alarms asks too.
    ...(env.OPERATIONS_OF_TICK === undefined && { broken_sessions: await brokenSessions(env) }),
  }
}

async function measureShard({ books }: Shard, now: Date) {
  try {
    const { bytes } = await readFill(books)
    const { event, delivery } = await readOldestWaiting(books, now.toISOString())
    const counts = await countInBooks(books, new Date(now.getTime() - STUCK_DAYS * DAY_MS).toISOString())
    const percent = Math.floor((100 * bytes) / DATABASE_BYTES_MAX)
    return { percent, ...counts, event: minutesSince(event, now), delivery: minutesSince(delivery, now) }
  } catch {
    return null
  }
}

function minutesSince(moment: string | null, now: Date): number {
  return moment === null ? 0 : Math.max(0, Math.floor((now.getTime() - Date.parse(moment)) / MINUTE_MS))
}

async function orNull(count: Promise<number>): Promise<number | null> {
  return count.catch(() => null)
}

/** Replicas may be ready, and hang, hours after they were switched on: so each tick asks, and each reader. */
async function brokenSessions({ DB }: Bindings): Promise<number | null> {
  return orNull(probeSession(DB).then((answers) => (answers ? 0 : 1)))
}

/**
 * The alarms of the last tick, how long ago it was, and whether sessions of the database answer now, as they
 * did in that tick.
 */
export async function readAlarms(env: Bindings, now: Date): Promise<Alarm[]> {
  const [watched, broken] = await Promise.all([
    env.KV.get<Watched>(KEY, 'json').catch(() => null),
    brokenSessions(env),
  ])
  return alarmsOf({
    minutes_since_tick: watched === null ? null : minutesSince(watched.at, now),
    ...watched?.measured,
    unset_addresses: unsetAddresses(env).length,
    broken_sessions: broken === 0 ? (watched?.measured.broken_sessions ?? 0) : broken,
  })
}
