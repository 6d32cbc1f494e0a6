import type { Bindings } from '../../platform/bindings.ts'
import { type Shard, shardsOf } from '../../platform/database/shards.ts'
import { pointerKey, RATE_BOOK } from '../records/book-names.ts'
import { unreadableLocalBooks } from '../records/current-local-book.ts'
import { unreadableRateBooks } from '../records/current-rate-book.ts'
import { readFill } from '../records/store.ts'
import { DATABASE_BYTES_MAX } from './database-fill.ts'
import type { Check, Health } from './schemas.ts'
import { readStatus } from './status.ts'
import { readAlarms } from './watch.ts'
import { RELEASE } from '../../platform/release.ts'
import { onForget } from '../../platform/kit/memory.ts'

const CACHED_MS = 5_000
const WARNING_RATIO = 0.8

let answers = new WeakMap<Bindings, { health: Health; at: number }>()
onForget(() => {
  answers = new WeakMap()
})

/**
 * The health of the service, checked at most every five seconds per isolate. The route needs no key, so its
 * cost must not grow with its callers.
 */
export async function readHealth(env: Bindings, now: Date): Promise<Health> {
  const known = answers.get(env)
  const age = known === undefined ? Number.POSITIVE_INFINITY : now.getTime() - known.at
  if (known !== undefined && age >= 0 && age < CACHED_MS)
    return { ...known.health, cached: true, queried_at: now.toISOString() }
  const health = await checkHealth(env, now)
  answers.set(env, { health, at: now.getTime() })
  return health
}

/**
 * The health of the service from four checks: the database, the cache, whether the collectors keep the data
 * fresh, and the alarms for operators. The last two, and a database that is more than 80 % full, only warn.
 */
async function checkHealth(env: Bindings, now: Date): Promise<Health> {
  const started = Date.now()
  const [database, kv, sync_freshness, operations] = await Promise.all([
    checkDatabases(env),
    checkKv(env.KV),
    checkFreshness(env, now),
    checkOperations(env, now),
  ])
  const [version = '', commit = null] = RELEASE.split('+')
  const usable = database.status !== 'fail' && kv.status !== 'fail'
  const healthy = [database, kv, sync_freshness, operations].every(({ status }) => status === 'pass')
  return {
    status: usable ? (healthy ? 'healthy' : 'degraded') : 'unhealthy',
    timestamp: now.toISOString(),
    environment: env.ENVIRONMENT ?? 'production',
    version,
    commit,
    cached: false,
    duration_ms: Date.now() - started,
    checks: { database, kv, sync_freshness, operations },
    queried_at: now.toISOString(),
  }
}

/**
 * The check of the control database and of the shards. It fails if the control database does not answer or
 * contains no tax data. It warns if another shard does not answer, because the accounts of others can work.
 * If there are several, it lists all with their fill.
 */
async function checkDatabases(env: Bindings): Promise<Check> {
  const shards = await Promise.all(shardsOf(env).map(checkShard))
  const [control] = shards
  const troubled = shards.some(({ status }) => status !== 'pass')
  const messages = shards.flatMap(({ message }) => message ?? [])
  return {
    name: 'database',
    status: control?.status === 'fail' ? 'fail' : troubled ? 'warn' : 'pass',
    ...(messages.length > 0 && { message: messages.join('. ') }),
    ...(shards.length > 1 && {
      shards: shards.map(({ shard, status, fill }) => ({ shard, status, fill })),
    }),
  }
}

type CheckedShard = NonNullable<Check['shards']>[number] & { message?: string }

async function checkShard({ number, books }: Shard): Promise<CheckedShard> {
  const name = number === 0 ? 'The database' : `Shard ${number}`
  try {
    const { loaded, bytes } = await readFill(books)
    const fill = Math.round((bytes / DATABASE_BYTES_MAX) * 1_000) / 1_000
    const checked = { shard: number, fill }
    if (number === 0 && !loaded)
      return { ...checked, status: 'fail', message: 'The database contains no tax data' }
    if (fill < WARNING_RATIO) return { ...checked, status: 'pass' }
    const message = `${name} is ${Math.floor(fill * 100)} % full: see docs/storage.md`
    return { ...checked, status: 'warn', message }
  } catch {
    return { shard: number, fill: null, status: 'fail', message: `${name} does not answer` }
  }
}

/** The check of the cache. It warns if this isolate met a book there that it cannot read. */
async function checkKv(kv: KVNamespace): Promise<Check> {
  try {
    await kv.get(pointerKey(RATE_BOOK))
  } catch {
    return { name: 'kv', status: 'fail', message: 'KV does not answer' }
  }
  const unreadable = [...unreadableRateBooks(), ...unreadableLocalBooks()]
  if (unreadable.length === 0) return { name: 'kv', status: 'pass' }
  const message = `${unreadable.join(', ')} cannot be read, so this data comes from the database`
  return { name: 'kv', status: 'warn', message }
}

/** Old data can still be used, so this check warns and never fails. */
async function checkFreshness(env: Bindings, now: Date): Promise<Check> {
  const { status, message, regions } = await readStatus(env, now)
  if (status === 'healthy') return { name: 'sync_freshness', status: 'pass' }
  const behind = regions
    .filter(({ status: state }) => state !== 'healthy')
    .map(({ region, status: state }) => `${region} ${state}`)
  return {
    name: 'sync_freshness',
    status: 'warn',
    message: message ?? `Not up to date: ${behind.join(', ')}`,
  }
}

/** An alarm needs a person and stops nothing, so this check warns and never fails. */
async function checkOperations(env: Bindings, now: Date): Promise<Check> {
  const alarms = await readAlarms(env, now)
  const raised = alarms.filter(({ status }) => status === 'warn')
  return {
    name: 'operations',
    status: raised.length === 0 ? 'pass' : 'warn',
    ...(raised.length > 0 && { message: `See alarms: ${raised.map(({ name }) => name).join(', ')}` }),
    alarms,
  }
}
