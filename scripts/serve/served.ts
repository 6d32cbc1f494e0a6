import { join, resolve } from 'node:path'
import { convertV4MiniflareOptions, Miniflare, type WorkerdStructuredLog } from 'miniflare'
import { type WholeDb, wholeDb } from '../../src/platform/database/databases.ts'
import { type Shard } from '../../src/platform/database/shards.ts'
import { freePort } from '../free-port.ts'
import { loadShippedData } from '../load-data.ts'
import { applyMigrations } from '../migrations.ts'
import type { WorkerModules } from '../worker-modules.ts'
import { CONFIG_PATH, QUIET, wranglerPackage } from '../wrangler.ts'

/**
 * What a service on one's own machine runs with. `state`: the folder of its data, which `--persist-to` names
 * for each command. `more`: bindings that a drill needs and wrangler.toml does not have.
 */
type ServedOptions = {
  modules: WorkerModules
  state: string
  environment: string
  variables: Readonly<Record<string, unknown>>
  onLog: (log: WorkerdStructuredLog) => void
  more?: { shards: number; buckets: readonly string[] }
}

/** A service that runs. `port` is the Worker's on 127.0.0.1, with nothing beside the Worker. */
export type Served = {
  miniflare: Miniflare
  port: number
  crons: readonly string[]
  shards: readonly Shard[]
  kv: KVNamespace
}

/**
 * Serves the built Worker with the bindings, the files and the queues of wrangler.toml. The stores are those
 * that wrangler simulates, in its folders, so that all commands find them. Before that, it applies missing
 * migrations and loads the tax data: a call of a database from here would block a busy service.
 */
export async function startServed(options: ServedOptions): Promise<Served> {
  const { modules, state, environment, variables, onLog, more = { shards: 0, buckets: [] } } = options
  Object.assign(process.env, QUIET)
  const { workerOptions } = wranglerPackage().unstable_getMiniflareWorkerOptions(CONFIG_PATH, environment)
  const { cronTriggers, modulesRules: _, ...bindings } = workerOptions
  const port = await freePort()
  const named = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, { id: name }]))
  const books = Array.from({ length: more.shards }, (_, index) => `BOOKS_${index + 1}`)
  const databases: Record<string, { id: string }> = { ...Object(bindings.d1Databases), ...named(books) }
  const worker = {
    ...bindings,
    name: 'worker',
    modules: modules.map(({ name, contents }) => ({ type: 'ESModule' as const, path: name, contents })),
    bindings: { ...bindings.bindings, ...variables },
    d1Databases: databases,
    r2Buckets: { ...Object(bindings.r2Buckets), ...named(more.buckets) },
    // The simulation would write mails to files, and nobody would get them.
    email: { send_email: [] },
    outboundService: 'outside',
    unsafeDirectSockets: [{ host: '127.0.0.1', port }],
  }
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      workers: [worker, outside(variables)],
      resourcePersistencePath: join(resolve(state), 'v3'),
      handleStructuredLogs: onLog,
    }),
  )
  await miniflare.ready
  const opened = await prepare(miniflare, Object.keys(databases))
  return { miniflare, port, crons: cronTriggers ?? [], ...opened }
}

/**
 * All requests of the Worker go through this one. In production it reaches public addresses alone, whatever a
 * name resolves to, because a webhook must not reach the network of the machine.
 */
function outside({ ALLOW_LOCAL_WEBHOOKS, ENVIRONMENT }: ServedOptions['variables']) {
  const local = ALLOW_LOCAL_WEBHOOKS === 'true' && ENVIRONMENT === 'test'
  const allow = local ? ['public', 'private'] : ['public']
  return {
    name: 'outside',
    modules: true,
    script: 'export default { fetch: (request, { NETWORK }) => NETWORK.fetch(request) }',
    serviceBindings: { NETWORK: { network: { allow, deny: [], tlsOptions: { trustBrowserCas: true } } } },
  }
}

/** Makes the tables and loads the data, which is quick if all of it is there. */
async function prepare(miniflare: Miniflare, names: readonly string[]) {
  const shards: Shard[] = []
  for (const name of names) {
    const number = name === 'DB' ? 0 : Number(name.slice('BOOKS_'.length))
    const books: WholeDb = wholeDb(await miniflare.getD1Database(name))
    await applyMigrations(books)
    shards.push({ number, books })
  }
  // The types of miniflare and of the Workers describe the same namespace.
  const kv = (await miniflare.getKVNamespace('KV')) as unknown as KVNamespace
  const control = wholeDb(await miniflare.getD1Database('DB'))
  await loadShippedData(control, kv, new Date())
  return { shards: shards.toSorted((one, other) => one.number - other.number), kv }
}

/** Fires a cron trigger, and waits for its end. */
export async function fireCron({ miniflare }: Served, cron: string, time: Date): Promise<void> {
  const worker = await miniflare.getWorker()
  await worker.scheduled({ cron, scheduledTime: time })
}
