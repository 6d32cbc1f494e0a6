import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningWorker, throughScript } from '../service.ts'

/** A stop of a worker in which V8 collects garbage. `full`: of all objects, not only of young ones. */
export type Stop = { full: boolean; ms: number }

export type TracedWorker = { worker: RunningWorker; stops: () => Promise<Stop[]> }

/** Starts a worker in a workerd that writes down each collection of garbage. */
export async function startTraced(start: () => Promise<RunningWorker>): Promise<TracedWorker> {
  const folder = await mkdtemp(join(tmpdir(), 'stops-'))
  const trace = join(folder, 'trace.txt')
  const started = await throughScript('workerd-with-trace.sh', start, {
    MINIFLARE_WORKERD_V8_FLAGS: '--trace-gc --trace-gc-nvp',
    WORKERD_TRACE: trace,
  })
  const dispose = async () => {
    await started.dispose()
    await rm(folder, { recursive: true })
  }
  return {
    worker: { ...started, dispose },
    stops: async () => stopsIn(await readFile(trace, 'utf8')),
  }
}

/**
 * The stops of the busiest isolate in a trace of V8: workerd has isolates of its own beside the worker's. A
 * line is `[process:isolate:thread] time ms: GC: {"pause":1.2,…,"gc":"s",…}`; `mc` is a full collection.
 */
export function stopsIn(trace: string): Stop[] {
  const isolates = new Map<string, Stop[]>()
  for (const [, isolate = '', ms, kind] of trace.matchAll(
    /^\[\d+:(\w+):\d+\] .*GC: \{"pause":([\d.]+),.*?"gc":"(\w+)"/gm,
  )) {
    const stops = isolates.get(isolate) ?? []
    isolates.set(isolate, stops)
    stops.push({ full: kind === 'mc', ms: Number(ms) })
  }
  return [...isolates.values()].toSorted((one, other) => other.length - one.length)[0] ?? []
}
