import { buildWorker } from '../../scripts/run-worker.ts'
import { startService } from '../service.ts'
import { ask } from './ask.ts'
import { median, type Target } from './measure.ts'

const NEAR_MS = 200
const FAR_MS = 1_000

/** `trips`: how many trips a first answer waits for one after another. Times in ms, at 200 ms a trip. */
export type Cold = { name: string; trips: number; first_ms: number; second_ms: number }

/**
 * Measures first answers of an isolate with an empty memory at two distances from D1 and KV. The slope is the
 * number of trips one after another.
 */
export async function measureCold(targets: readonly Target[], samples: number): Promise<Cold[]> {
  const worker = await startService(await buildWorker('lab/bench/far-worker.ts'))
  const timed = async (target: Target, far_ms: number): Promise<number> => {
    const began = performance.now()
    await ask(worker, target, { 'far-ms': String(far_ms) })
    return performance.now() - began
  }
  const sample = async (target: Target, far_ms: number) => {
    await fetch(`${worker.origin}/forget`)
    const first = await timed(target, far_ms)
    return { first, second: await timed(target, far_ms) }
  }
  try {
    const measured: Cold[] = []
    for (const target of targets) {
      const near = []
      const far = []
      for (let index = 0; index < samples; index += 1) {
        near.push(await sample(target, NEAR_MS))
        far.push(await sample(target, FAR_MS))
      }
      const first_ms = median(near.map(({ first }) => first))
      const slope = (median(far.map(({ first }) => first)) - first_ms) / (FAR_MS - NEAR_MS)
      measured.push({
        name: target.name,
        trips: slope,
        first_ms,
        second_ms: median(near.map(({ second }) => second)),
      })
    }
    return measured
  } finally {
    await worker.dispose()
  }
}
