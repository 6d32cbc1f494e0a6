import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { CALCULATES, makeNeighbour } from './neighbour.ts'

/**
 * A neighbour who calculates, in a thread of its own, so that what the drill itself receives delays none of
 * its answers. Each message begins or ends a measurement; the end answers with its times and faults.
 */
const Given = z.object({
  origin: z.string(),
  key: z.string(),
  habit: z.object({ path: z.string(), status: z.number(), pause_ms: z.number() }).optional(),
})
const { origin, key, habit: other } = Given.parse(workerData)
const habit = { ...CALCULATES, ...other }
let neighbour = makeNeighbour(key, habit)

parentPort?.on('message', (word: 'begin' | 'end') => {
  if (word === 'end') return void end()
  neighbour = makeNeighbour(key, habit)
  neighbour.start(origin)
})

async function end(): Promise<void> {
  const { times, faults, stop } = neighbour
  await stop()
  parentPort?.postMessage({ times, faults })
}
