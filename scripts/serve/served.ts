import { randomBytes } from 'node:crypto'
import { join, resolve } from 'node:path'
import { convertV4MiniflareOptions, Miniflare, type WorkerdStructuredLog } from 'miniflare'
import { freePort } from '../free-port.ts'
import type { WorkerModules } from '../built-worker.ts'
import { callKeeper, type Keeper, KEEPER_SCRIPT } from './keeper.ts'
import type { WorkerOptions } from './worker-options.ts'

/**
 * What a service on one's own machine runs with. `state`: the folder of its data, which `--persist-to` names
 * for each command. `shards` and `buckets`: what a drill needs and wrangler.toml does not have.
 */
type ServedOptions = {
  modules: WorkerModules
  options: WorkerOptions
  state: string
  variables: Readonly<Record<string, string>>
  onLog: (log: WorkerdStructuredLog) => void
  shards?: number
  buckets?: readonly string[]
}

/** A service that runs. `port` is the Worker's on 127.0.0.1, with nothing beside the Worker. */
export type Served = {
  port: number
  keeper: Keeper
  /** Fires a cron trigger, and waits for its end. */
  fire: (cron: string, time: Date) => Promise<void>
  dispose: () => Promise<void>
}

/**
 * Serves the built Worker with the bindings, the files and the queues of wrangler.toml. The stores are those
 * that wrangler simulates, in its folders, so that all commands find them.
 */
export async function startServed(given: ServedOptions): Promise<Served> {
  const { modules, options, state, variables, onLog, shards = 0, buckets = [] } = given
  const port = await freePort()
  const named = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, { id: name }]))
  const books = Array.from({ length: shards }, (_, index) => `BOOKS_${index + 1}`)
  const stores = {
    d1Databases: { ...options.d1Databases, ...named(books) },
    r2Buckets: { ...options.r2Buckets, ...named(buckets) },
    kvNamespaces: options.kvNamespaces,
  }
  const bindings = { ...options.bindings, ...variables }
  const worker = {
    ...options,
    ...stores,
    name: 'worker',
    modules: modules.map(({ name, contents }) => ({ type: 'ESModule' as const, path: name, contents })),
    bindings,
    // The simulation would write mails to files, and nobody would get them.
    email: { send_email: [] },
    outboundService: 'outside',
    unsafeDirectSockets: [{ host: '127.0.0.1', port }],
  }
  const keeper: Keeper = { port: await freePort(), token: randomBytes(32).toString('base64url') }
  const commands = {
    ...stores,
    name: 'keeper',
    modules: true,
    script: KEEPER_SCRIPT,
    compatibilityDate: options.compatibilityDate,
    compatibilityFlags: ['nodejs_compat', 'service_binding_extra_handlers'],
    bindings: { TOKEN: keeper.token },
    serviceBindings: { SERVICE: 'worker' },
    unsafeDirectSockets: [{ host: '127.0.0.1', port: keeper.port }],
  }
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      workers: [worker, outside(bindings), commands],
      resourcePersistencePath: join(resolve(state), 'v3'),
      handleStructuredLogs: onLog,
      // It starts workerd again if that has crashed.
      unsafeHandleRuntimeRestart: () =>
        onLog({ timestamp: Date.now(), level: 'error', message: 'workerd has ended, and runs again' }),
    }),
  )
  await miniflare.ready
  const fire = async (cron: string, time: Date) => void (await callKeeper(keeper, { cron, time }))
  return { port, keeper, fire, dispose: () => miniflare.dispose() }
}

/**
 * All requests of the Worker go through this one. In production it reaches public addresses alone, whatever a
 * name resolves to, because a webhook must not reach the network of the machine.
 */
function outside({ ALLOW_LOCAL_WEBHOOKS, ENVIRONMENT }: Readonly<Record<string, unknown>>) {
  const local = ALLOW_LOCAL_WEBHOOKS === 'true' && ENVIRONMENT === 'test'
  const allow = local ? ['public', 'private'] : ['public']
  return {
    name: 'outside',
    modules: true,
    script: 'export default { fetch: (request, { NETWORK }) => NETWORK.fetch(request) }',
    serviceBindings: { NETWORK: { network: { allow, deny: [], tlsOptions: { trustBrowserCas: true } } } },
  }
}
