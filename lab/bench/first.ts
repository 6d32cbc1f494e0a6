import { ask } from './ask.ts'
import { type Start, started } from './in-turn.ts'
import { median, type Target } from './measure.ts'
import { processorUs } from './workerd.ts'

const REQUESTS = 100

/** Milliseconds of processor time of the first requests after a start, all together. */
export type First = { name: string; floor_ms: number; service_ms: number }

/**
 * Measures what the first 100 requests of a fresh process take, one after the other: the evaluation of the
 * modules, the reading of the book, and code that V8 has not optimised. In production most isolates live only
 * so long. The floor is the bare Hono worker.
 */
export async function measureFirst(
  targets: readonly Target[],
  floor: Start,
  service: Start,
  samples: number,
): Promise<First[]> {
  const found = targets.map(({ name }) => ({ name, floor: [] as number[], service: [] as number[] }))
  for (let sample = 0; sample < samples; sample += 1)
    for (const [index, target] of targets.entries()) {
      found[index]?.floor.push(await firstMs(floor, target))
      found[index]?.service.push(await firstMs(service, target))
    }
  return found.map((each) => ({
    name: each.name,
    floor_ms: median(each.floor),
    service_ms: median(each.service),
  }))
}

async function firstMs(start: Start, target: Target): Promise<number> {
  const worker = await started(start)
  try {
    const before = processorUs(worker.pid)
    for (let request = 0; request < REQUESTS; request += 1) await ask(worker, target)
    return (processorUs(worker.pid) - before) / 1_000
  } finally {
    await worker.dispose()
  }
}
