import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Miniflare, Response } from 'miniflare'
import { unstable_splitSqlQuery } from 'wrangler'
import { createAccountAndKey } from '../../src/accounts/create-account-and-key.ts'
import type { Tier } from '../../src/accounts/tiers.ts'
import { loadShippedData } from '../load-data.ts'
import { PROJECT, readConfig, runWrangler } from '../wrangler.ts'

/** More than any run can send: what is measured is the cost of asking the limiter, not its refusals. */
const UNREACHED = 1_000_000_000

export type RunningWorker = { origin: string; key: string; dispose: () => Promise<void> }

/** A running service, with its database at hand. */
export type RunningService = RunningWorker & {
  db: D1Database
  newAccount: (account: string, tier?: Tier) => Promise<{ key: string; account_id: string }>
}

/** Bundles a worker as a deploy would, into a folder of its own. Returns the bundle. */
export async function buildWorker(entry: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  try {
    await runWrangler(['deploy', entry, '--config', 'wrangler.toml', '--dry-run', '--outdir', folder])
    const bundle = readdirSync(folder).find((name) => name.endsWith('.js'))
    return readFileSync(join(folder, bundle ?? 'worker.js'), 'utf8')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Serves a bundle from workerd through miniflare's direct socket, with empty simulated bindings. */
export async function startBare(bundle: string): Promise<RunningWorker> {
  const { miniflare, origin } = await start(bundle, {}, true, false)
  return { origin, key: '', dispose: () => miniflare.dispose() }
}

/**
 * What stands around the worker: the simulator's limiter, the tiers' own limits, a network that answers
 * nothing, and where its log lines go: nowhere since none is written, nowhere, or through a pipe to another
 * process of the same machine, as the simulator has it.
 */
export type Simulated = {
  limiter: boolean
  log: 'none' | 'discarded' | 'piped'
  offline?: boolean
  limits?: boolean
}

/** Serves the service from workerd with its bindings, its data and a key. */
export async function startService(bundle: string, simulated: Simulated): Promise<RunningService> {
  const served = simulated.log === 'none' ? `console.log = () => {};\n${bundle}` : bundle
  const begin = () =>
    start(
      served,
      {
        ENVIRONMENT: 'benchmark',
        ENCRYPTION_KEY: 'a key for benchmarks',
        ...(!simulated.limiter && { RATE_LIMITS: 'off' }),
      },
      simulated.offline ?? false,
      simulated.limits ?? false,
    )
  const { miniflare, origin } = simulated.log === 'discarded' ? await withoutOutput(begin) : await begin()
  const db = await miniflare.getD1Database('DB')
  const kv = await miniflare.getKVNamespace('KV')
  await applyMigrations(db)
  await loadShippedData(db, asWorkersKv(kv), new Date())
  const newAccount = (account: string, tier: Tier = 'enterprise') =>
    createAccountAndKey(db, { account, tier, scopes: ['*'], sandbox: true }, new Date())
  const { key } = await newAccount('Benchmark')
  return { origin, key, db, newAccount, dispose: () => miniflare.dispose() }
}

/** Miniflare takes another workerd from the environment, at the moment it starts one. */
async function withoutOutput<T>(begin: () => Promise<T>): Promise<T> {
  const fromHere = createRequire(import.meta.url)
  const { default: workerd }: { default?: unknown } = Object(
    createRequire(fromHere.resolve('miniflare'))('workerd'),
  )
  process.env['WORKERD'] = String(workerd)
  process.env['MINIFLARE_WORKERD_PATH'] = join(import.meta.dirname, 'workerd-without-output.sh')
  try {
    return await begin()
  } finally {
    delete process.env['MINIFLARE_WORKERD_PATH']
  }
}

async function start(
  bundle: string,
  bindings: Record<string, string>,
  offline: boolean,
  limits: boolean,
): Promise<{ miniflare: Miniflare; origin: string }> {
  const { compatibility_date, compatibility_flags, queues, ratelimits } = readConfig()
  const port = await freePort()
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      name: 'bench',
      // The log lines of a million requests are no part of the measure.
      handleStructuredLogs: () => undefined,
      modules: [{ type: 'ESModule', path: 'worker.js', contents: bundle }],
      compatibilityDate: compatibility_date,
      compatibilityFlags: compatibility_flags,
      d1Databases: ['DB'],
      kvNamespaces: ['KV'],
      queueProducers: Object.fromEntries(queues.producers.map(({ binding, queue }) => [binding, queue])),
      ratelimits: Object.fromEntries(
        ratelimits.map(({ name, namespace_id, simple }) => [
          name,
          { namespace_id, simple: limits ? simple : { limit: UNREACHED, period: 60 } },
        ]),
      ),
      bindings,
      ...(offline && { outboundService: () => new Response(null, { status: 503 }) }),
      unsafeDirectSockets: [{ host: '127.0.0.1', port }],
    }),
  )
  await miniflare.ready
  return { miniflare, origin: `http://127.0.0.1:${port}` }
}

async function applyMigrations(db: D1Database): Promise<void> {
  const folder = join(PROJECT, 'migrations')
  for (const name of readdirSync(folder).toSorted()) {
    if (!name.endsWith('.sql')) continue
    const statements = unstable_splitSqlQuery(readFileSync(join(folder, name), 'utf8'))
    await db.batch(statements.map((statement) => db.prepare(statement)))
  }
}

/** Miniflare and workers-types describe the same namespace in types that do not agree on their streams. */
function asWorkersKv(kv: unknown): KVNamespace {
  return kv as KVNamespace
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address !== null
          ? resolve(address.port)
          : reject(new Error('no free port')),
      )
    })
  })
}
