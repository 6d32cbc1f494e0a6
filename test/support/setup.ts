import { env } from 'cloudflare:workers'
import { forgetAll } from '../../src/platform/kit/memory.ts'
import { cleanStores } from './clean-stores.ts'
import { enforceLimits } from './platform-limits.ts'
import { spreadAccounts } from './shards.ts'

// Files of tests share a Worker, and each starts as if it were the first.
await cleanStores()
forgetAll()
spreadAccounts()
enforceLimits(env)
