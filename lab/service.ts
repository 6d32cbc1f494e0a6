import { type WholeDb, wholeDb } from '../src/database/databases.ts'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { loadShippedData } from '../scripts/load-data.ts'
import { applyMigrations } from '../scripts/migrations.ts'
import { runWorker } from '../scripts/run-worker.ts'
import type { WorkerModules } from '../scripts/worker-modules.ts'
import { createAccountAndKey } from '../src/accounts/create-account-and-key.ts'
import type { Tier } from '../src/accounts/tiers.ts'

export type RunningWorker = { origin: string; key: string; dispose: () => Promise<void> }

/** A running service with its database. */
export type RunningService = RunningWorker & {
  db: WholeDb
  newAccount: (account: string, tier?: Tier) => Promise<{ key: string; account_id: string }>
}

/** Serves a worker with empty simulated bindings and no network. `inspector`: the port of the inspector. */
export async function startBare(modules: WorkerModules, inspector?: number): Promise<RunningWorker> {
  const { miniflare, origin } = await runWorker(modules, {
    variables: {},
    offline: true,
    limits: false,
    ...(inspector !== undefined && { inspector }),
  })
  return { origin, key: '', dispose: () => miniflare.dispose() }
}

/**
 * The simulation around the worker. `limiter`: use the simulator's rate limiter. `limits`: use the limits of
 * the tiers. `offline`: every request to the network gets a 503. `log`: write no log lines, discard them, or
 * pipe them to another process, as the simulator does. `inspector`: the port of the inspector.
 */
export type Simulated = {
  limiter: boolean
  log: 'none' | 'discarded' | 'piped'
  offline?: boolean
  limits?: boolean
  inspector?: number
}

/** Serves the service from workerd with its bindings, its data and a key. */
export async function startService(modules: WorkerModules, simulated: Simulated): Promise<RunningService> {
  const served = simulated.log === 'none' ? withoutLog(modules) : modules
  const begin = () =>
    runWorker(served, {
      variables: {
        ENVIRONMENT: 'benchmark',
        ENCRYPTION_KEY: 'a key for benchmarks',
        ...(!simulated.limiter && { RATE_LIMITS: 'off' }),
      },
      offline: simulated.offline ?? false,
      limits: simulated.limits ?? false,
      ...(simulated.inspector !== undefined && { inspector: simulated.inspector }),
    })
  const { miniflare, origin } =
    simulated.log === 'discarded' ? await throughScript('workerd-without-output.sh', begin) : await begin()
  const db = wholeDb(await miniflare.getD1Database('DB'))
  const kv = await miniflare.getKVNamespace('KV')
  await applyMigrations(db)
  await loadShippedData(db, asWorkersKv(kv), new Date())
  const newAccount = (account: string, tier: Tier = 'enterprise') =>
    createAccountAndKey(db, { account, tier, scopes: ['*'], sandbox: true }, new Date())
  const { key } = await newAccount('Benchmark')
  return { origin, key, db, newAccount, dispose: () => miniflare.dispose() }
}

/** The worker looks up console.log at each call, so its entry can replace it for all modules. */
function withoutLog([entry, ...rest]: WorkerModules): WorkerModules {
  return [{ ...entry, contents: `console.log = () => {};\n${entry.contents}` }, ...rest]
}

/**
 * Starts a worker whose workerd is run by a script of this folder. Miniflare reads the path of workerd and
 * the flags of V8 from the environment when it starts one.
 */
export async function throughScript<T>(
  script: string,
  begin: () => Promise<T>,
  variables: Readonly<Record<string, string>> = {},
): Promise<T> {
  const fromHere = createRequire(import.meta.url)
  const { default: workerd }: { default?: unknown } = Object(
    createRequire(fromHere.resolve('miniflare'))('workerd'),
  )
  process.env['WORKERD'] = String(workerd)
  const added = { ...variables, MINIFLARE_WORKERD_PATH: join(import.meta.dirname, script) }
  Object.assign(process.env, added)
  try {
    return await begin()
  } finally {
    for (const name of Object.keys(added)) delete process.env[name]
  }
}

/** The same namespace: the types of miniflare and workers-types differ only in their streams. */
function asWorkersKv(kv: unknown): KVNamespace {
  return kv as KVNamespace
}
