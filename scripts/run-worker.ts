import { convertV4MiniflareOptions, Miniflare, type RemoteProxyConnectionString, Response } from 'miniflare'
import { freePort } from './free-port.ts'
import type { WorkerModules } from './built-worker.ts'
import { buildModules } from './worker-modules.ts'
import { readConfig } from './wrangler.ts'

/** More requests than a run can send: a benchmark measures the cost of the limiter, not its refusals. */
const UNREACHED = 1_000_000_000

/** The modules of a worker, built as for a deploy. `names`: its functions keep theirs, for a profile. */
export async function buildWorker(entry: string, { names = false } = {}): Promise<WorkerModules> {
  return (await buildModules(entry, { names })).modules
}

/**
 * The simulation around a worker. `offline`: every request to the network gets a 503. `limits`: the rate
 * limits of wrangler.toml apply; otherwise they are too high to reach. `state`: a folder that keeps the data.
 * `shards`: further databases of the books. `databases`: where another process
 * serves the database, without shards. `consumes`: the queues deliver their messages. `buckets`: the Worker
 * has these. `inspector`: the port of a profiler.
 */
type Surroundings = {
  variables: Record<string, string>
  offline: boolean
  limits: boolean
  state?: string
  shards?: number
  consumes?: boolean
  buckets?: readonly ('BACKUPS' | 'CHESTS')[]
  inspector?: number
  databases?: URL
}

/**
 * Serves a worker from workerd through miniflare's direct socket, with empty simulated bindings. It writes no
 * log lines. A call of a database blocks this process until workerd answers, and workerd blocks when nobody
 * reads some hundred lines. The first such call takes a second, so a busy service could stand for ever.
 */
export async function runWorker(
  [entry, ...rest]: WorkerModules,
  surroundings: Surroundings,
): Promise<{ miniflare: Miniflare; origin: string }> {
  const {
    variables,
    offline,
    limits,
    state,
    shards = 0,
    consumes = false,
    buckets = [],
    inspector,
    databases,
  } = surroundings
  const { compatibility_date, compatibility_flags, queues, ratelimits } = readConfig()
  const port = await freePort()
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      name: 'worker',
      handleStructuredLogs: () => undefined,
      modules: [silent(entry), ...rest].map(({ name, contents }) => ({
        type: 'ESModule',
        path: name,
        contents,
      })),
      compatibilityDate: compatibility_date,
      compatibilityFlags: compatibility_flags,
      ...(state !== undefined && { resourcePersistencePath: state }),
      d1Databases:
        databases === undefined
          ? ['DB', ...Array.from({ length: shards }, (_, index) => `BOOKS_${index + 1}`)]
          : { DB: { id: 'DB', remoteProxyConnectionString: databases as RemoteProxyConnectionString } },
      kvNamespaces: ['KV'],
      r2Buckets: [...buckets],
      queueProducers: Object.fromEntries(queues.producers.map(({ binding, queue }) => [binding, queue])),
      ...(consumes && {
        queueConsumers: Object.fromEntries(
          queues.consumers.map(({ queue, max_batch_size, max_batch_timeout }) => [
            queue,
            { maxBatchSize: max_batch_size, maxBatchTimeout: max_batch_timeout },
          ]),
        ),
      }),
      ratelimits: Object.fromEntries(
        ratelimits.map(({ name, namespace_id, simple }) => [
          name,
          { namespace_id, simple: limits ? simple : { limit: UNREACHED, period: 60 } },
        ]),
      ),
      bindings: variables,
      ...(inspector !== undefined && { inspectorPort: inspector }),
      ...(offline && { outboundService: () => new Response(null, { status: 503 }) }),
      unsafeDirectSockets: [{ host: '127.0.0.1', port }],
    }),
  )
  await miniflare.ready
  return { miniflare, origin: `http://127.0.0.1:${port}` }
}

/** The worker looks up console.log at each call, so its entry can replace it for all modules. */
function silent({ name, contents }: WorkerModules[0]): WorkerModules[0] {
  return { name, contents: `console.log = () => {};\n${contents}` }
}
