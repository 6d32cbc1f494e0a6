import { env } from 'cloudflare:workers'
import { forgetAll } from '../../src/platform/kit/memory.ts'
import { evaluateLate } from '../../src/platform/kit/late.ts'
import { cleanStores } from './clean-stores.ts'
import { enforceLimits } from './platform-limits.ts'
import { spreadAccounts } from './shards.ts'
import './worker.ts'

// No request imports a module.
await evaluateLate()

// Files of tests share a Worker, and each starts as if it were the first.
await cleanStores()
forgetAll()
spreadAccounts()
enforceLimits(env)
