import { env } from 'cloudflare:workers'
import { applyD1Migrations } from 'cloudflare:test'
import { shardsOf } from '../../src/platform/database/shards.ts'
import { countStatements, enforceD1Limits, enforceKvLimits, enforceQueueLimits } from './platform-limits.ts'

for (const { books } of shardsOf(env)) await applyD1Migrations(books, env.TEST_MIGRATIONS)
enforceD1Limits(env.DB)
countStatements(env.DB)
enforceKvLimits(env.KV)
enforceQueueLimits(env.WORK)
