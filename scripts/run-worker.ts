import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Miniflare, Response } from 'miniflare'
import { z } from 'zod'
import { freePort } from './free-port.ts'
import { readConfig, runWrangler } from './wrangler.ts'

/** More requests than a run can send: a benchmark measures the cost of the limiter, not its refusals. */
const UNREACHED = 1_000_000_000

/** Bundles a worker as a deploy does, in a temporary folder. Returns the bundle. */
export async function buildWorker(entry: string): Promise<string> {
  return (await buildMeasured(entry)).bundle
}

const Metafile = z.object({
  inputs: z.record(
    z.string(),
    z.object({ imports: z.array(z.object({ path: z.string(), kind: z.string() })) }),
  ),
  outputs: z.record(
    z.string(),
    z.object({ inputs: z.record(z.string(), z.object({ bytesInOutput: z.int() })) }),
  ),
})

/**
 * A bundle, and the bytes in it of each file that is evaluated before the first request. Files behind an
 * `import()` are evaluated at their first use.
 */
export type MeasuredBundle = { bundle: string; evaluated: ReadonlyMap<string, number> }

/** Bundles a worker as a deploy does, and finds what a start evaluates. */
export async function buildMeasured(entry: string): Promise<MeasuredBundle> {
  const folder = mkdtempSync(join(tmpdir(), 'worker-'))
  try {
    const meta = join(folder, 'meta.json')
    const flags = ['--config', 'wrangler.toml', '--dry-run', '--outdir', folder, '--metafile', meta]
    await runWrangler(['deploy', entry, ...flags])
    const name = readdirSync(folder).find((file) => file.endsWith('.js')) ?? 'worker.js'
    const { inputs, outputs } = Metafile.parse(JSON.parse(readFileSync(meta, 'utf8')))
    const bytes = Object.assign({}, ...Object.values(outputs).map((output) => output.inputs))
    const evaluated = new Map<string, number>()
    const visit = (path: string): void => {
      if (evaluated.has(path)) return
      evaluated.set(path, Number(bytes[path]?.bytesInOutput ?? 0))
      for (const { path: next, kind } of inputs[path]?.imports ?? [])
        if (kind !== 'dynamic-import') visit(next)
    }
    visit(entry)
    return { bundle: readFileSync(join(folder, name), 'utf8'), evaluated }
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
