import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Miniflare, Response } from 'miniflare'
import { freePort } from './free-port.ts'
import { readConfig, runWrangler } from './wrangler.ts'

/** More requests than a run can send: a benchmark measures the cost of the limiter, not its refusals. */
const UNREACHED = 1_000_000_000

/** Bundles a worker as a deploy does, in a temporary folder. Returns the bundle. */
export async function buildWorker(entry: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'worker-'))
  try {
    await runWrangler(['deploy', entry, '--config', 'wrangler.toml', '--dry-run', '--outdir', folder])
    const bundle = readdirSync(folder).find((name) => name.endsWith('.js'))
    return readFileSync(join(folder, bundle ?? 'worker.js'), 'utf8')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * The simulation around a worker. `offline`: every request to the network gets a 503. `limits`: the rate
 * limits of wrangler.toml apply; otherwise they are too high to reach. `state`: a folder that keeps the data.
 * `shards`: further databases of the books. `consumes`: the queues deliver their messages.
 */
export type Surroundings = {
  variables: Record<string, string>
  offline: boolean
  limits: boolean
  state?: string
  shards?: number
  consumes?: boolean
}

/** Serves a bundle from workerd through miniflare's direct socket, with empty simulated bindings. */
export async function runWorker(
  bundle: string,
  { variables, offline, limits, state, shards = 0, consumes = false }: Surroundings,
): Promise<{ miniflare: Miniflare; origin: string }> {
  const { compatibility_date, compatibility_flags, queues, ratelimits } = readConfig()
  const port = await freePort()
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      name: 'worker',
      // Benchmarks do not measure the log lines of a million requests.
      handleStructuredLogs: () => undefined,
      modules: [{ type: 'ESModule', path: 'worker.js', contents: bundle }],
      compatibilityDate: compatibility_date,
      compatibilityFlags: compatibility_flags,
      ...(state !== undefined && { resourcePersistencePath: state }),
      d1Databases: ['DB', ...Array.from({ length: shards }, (_, index) => `BOOKS_${index + 1}`)],
      kvNamespaces: ['KV'],
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
      ...(offline && { outboundService: () => new Response(null, { status: 503 }) }),
      unsafeDirectSockets: [{ host: '127.0.0.1', port }],
    }),
  )
  await miniflare.ready
  return { miniflare, origin: `http://127.0.0.1:${port}` }
}
