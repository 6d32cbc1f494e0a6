import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type WholeDb, wholeDb } from '../src/platform/database/databases.ts'
import { freePort } from '../scripts/free-port.ts'
import { loadShippedData } from '../scripts/load-data.ts'
import { applyMigrations } from '../scripts/migrations.ts'
import { runWorker } from '../scripts/run-worker.ts'
import { startDatabaseApart } from './database-apart.ts'
import type { WorkerModules } from '../scripts/built-worker.ts'
import { writeModules } from '../scripts/worker-modules.ts'
import { openServed } from '../scripts/serve/open-served.ts'
import { startDrilled } from './drilled.ts'
import { createAccountAndKey } from '../scripts/create-account-and-key.ts'
import type { Tier } from '../src/platform/tiers.ts'

export type RunningWorker = { origin: string; key: string; dispose: () => Promise<void> }

/** A running service with its database. */
export type RunningService = RunningWorker & {
  db: WholeDb
  newAccount: (account: string, tier?: Tier) => Promise<{ key: string; account_id: string }>
  /** The port where a profiler attaches; null: the service does not run `inspected`. */
  inspector: number | null
  /** The process that has started workerd. */
  pid: number
}

type Mode = 'limits' | 'offline' | 'development' | 'apart' | 'inspected' | 'served' | 'backups'

/** Serves a worker with empty simulated bindings and no network. */
export async function startBare(modules: WorkerModules): Promise<RunningWorker> {
  const { miniflare, origin } = await runWorker(modules, { variables: {}, offline: true, limits: false })
  return { origin, key: '', dispose: () => miniflare.dispose() }
}

/**
 * Serves the service from workerd with its bindings, its data and a key. `limits`: the rate limits of the
 * tiers apply. `offline`: each request to the network gets a 503. `development`: bodies are read to their end
 * as in `npm run dev`, so the refusal of a large one reaches a client who is still sending it. `apart`:
 * another process has the database, as on the platform. Not with `offline`. `inspected`: a profiler can
 * attach. `served`: as `npm run serve` does, in a process of its own. `backups`: it has a bucket for them.
 */
export async function startService(
  modules: WorkerModules,
  {
    limits = false,
    offline = false,
    development = false,
    apart = false,
    inspected = false,
    served = false,
    backups = false,
  }: Partial<Record<Mode, boolean>> = {},
): Promise<RunningService> {
  if (served) return startServedService(modules, limits)
  const inspector = inspected ? await freePort() : null
  const database = apart ? await startDatabaseApart() : null
  const { miniflare, origin } = await runWorker(modules, {
    ...(database !== null && { databases: database.url }),
    variables: {
      ENVIRONMENT: development ? 'development' : 'benchmark',
      ENCRYPTION_KEY: 'a key for benchmarks',
      ...(!limits && { RATE_LIMITS: 'off' }),
    },
    offline,
    limits,
    backups,
    ...(inspector !== null && { inspector }),
  })
  const db = wholeDb(await (database ?? { miniflare }).miniflare.getD1Database('DB'))
  await applyMigrations(db)
  // The types of miniflare and of the Workers describe the same namespace.
  await loadShippedData(db, (await miniflare.getKVNamespace('KV')) as unknown as KVNamespace, new Date())
  const newAccount = (account: string, tier: Tier = 'enterprise') =>
    createAccountAndKey(db, { account, tier, scopes: ['*'], sandbox: true }, new Date())
  const { key } = await newAccount('Benchmark')
  const dispose = async () => {
    await miniflare.dispose()
    await database?.miniflare.dispose()
  }
  return { origin, key, db, newAccount, inspector, dispose, pid: process.pid }
}

async function startServedService(modules: WorkerModules, limits: boolean): Promise<RunningService> {
  const folder = mkdtempSync(join(tmpdir(), 'served-'))
  const worker = join(folder, 'worker')
  const state = join(folder, 'data')
  writeModules(worker, modules)
  const variables = {
    ENVIRONMENT: 'test',
    ENCRYPTION_KEY: 'a key for benchmarks',
    ...(!limits && { RATE_LIMITS: 'off' }),
  }
  const service = await startDrilled({ worker, state, shards: 0, variables, served: true })
  const stores = await openServed(state)
  if (stores === null) throw new Error('The service does not run')
  const { db } = stores
  const newAccount = (account: string, tier: Tier = 'enterprise') =>
    createAccountAndKey(db, { account, tier, scopes: ['*'], sandbox: true }, new Date())
  const { key } = await newAccount('Benchmark')
  const dispose = async () => {
    await service.kill()
    rmSync(folder, { recursive: true, force: true })
  }
  return { origin: service.origin, key, db, newAccount, inspector: null, dispose, pid: service.pid }
}
