import type { Bindings } from '../bindings.ts'
import { countVersions } from '../tax-data/store.ts'
import type { Check, Health } from './schemas.ts'
import { readStatus } from './status.ts'

/**
 * The health of the service from three checks: the database, the cache, and whether the collectors keep the
 * data fresh.
 */
export async function readHealth(env: Bindings, now: Date): Promise<Health> {
  const started = Date.now()
  const [database, kv, sync_freshness] = await Promise.all([
    checkDatabase(env.DB),
    checkKv(env.KV),
    checkFreshness(env, now),
  ])
  const healthy = database.status === 'pass' && kv.status === 'pass'
  return {
    status: healthy ? (sync_freshness.status === 'pass' ? 'healthy' : 'degraded') : 'unhealthy',
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
    if ((await countVersions(db)) > 0) return { name: 'database', status: 'pass' }
    return { name: 'database', status: 'fail', message: 'The database contains no tax data' }
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
