import { env } from 'cloudflare:workers'
import { applyD1Migrations } from 'cloudflare:test'
import { enforceD1Limits, enforceKvLimits, enforceQueueLimits } from './platform-limits.ts'

await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)
enforceD1Limits(env.DB)
enforceKvLimits(env.KV)
enforceQueueLimits(env.WORK)
