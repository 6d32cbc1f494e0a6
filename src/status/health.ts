import type { Bindings } from '../bindings.ts'
import { readFill } from '../tax-data/store.ts'
import type { Check, Health } from './schemas.ts'
import { readStatus } from './status.ts'

const CACHED_MS = 5_000
const DATABASE_BYTES_MAX = 10_000_000_000
const WARNING_RATIO = 0.8

const answers = new WeakMap<Bindings, { health: Health; at: number }>()

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
 * The health of the service from three checks: the database, the cache, and whether the collectors keep the
 * data fresh. A database that is more than 80 % full only warns.
 */
async function checkHealth(env: Bindings, now: Date): Promise<Health> {
  const started = Date.now()
  const [database, kv, sync_freshness] = await Promise.all([
    checkDatabase(env.DB),
    checkKv(env.KV),
    checkFreshness(env, now),
  ])
  const usable = database.status !== 'fail' && kv.status !== 'fail'
  const healthy = [database, kv, sync_freshness].every(({ status }) => status === 'pass')
  return {
    status: usable ? (healthy ? 'healthy' : 'degraded') : 'unhealthy',
    timestamp: now.toISOString(),
    environment: env.ENVIRONMENT ?? 'production',
    cached: false,
    duration_ms: Date.now() - started,
    checks: { database, kv, sync_freshness },
    queried_at: now.toISOString(),
  }
}

async function checkDatabase(db: D1Database): Promise<Check> {
  try {
    const { loaded, bytes } = await readFill(db)
    if (!loaded) return { name: 'database', status: 'fail', message: 'The database contains no tax data' }
    const ratio = bytes / DATABASE_BYTES_MAX
    if (ratio < WARNING_RATIO) return { name: 'database', status: 'pass' }
    const message = `The database is ${Math.floor(ratio * 100)} % full: see docs/storage.md`
    return { name: 'database', status: 'warn', message }
  } catch {
    return { name: 'database', status: 'fail', message: 'The database does not answer' }
  }
}

async function checkKv(kv: KVNamespace): Promise<Check> {
  try {
    await kv.get('ratebook:current')
    return { name: 'kv', status: 'pass' }
  } catch {
    return { name: 'kv', status: 'fail', message: 'KV does not answer' }
  }
}

/** Old data can still be used, so this check warns and never fails. */
async function checkFreshness(env: Bindings, now: Date): Promise<Check> {
  const { status, message, regions } = await readStatus(env, now)
  if (status === 'healthy') return { name: 'sync_freshness', status: 'pass' }
  const behind = regions
    .filter((region) => region.status !== 'healthy')
    .map(({ region, status: state }) => `${region} ${state}`)
  return {
    name: 'sync_freshness',
    status: 'warn',
    message: message ?? `Not up to date: ${behind.join(', ')}`,
  }
}
