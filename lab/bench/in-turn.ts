import type { RunningWorker } from '../service.ts'
import { workerds } from './workerd.ts'

export type Start = () => Promise<RunningWorker>

/** A worker with its process; undefined if the system has no /proc. */
export type MeasuredWorker = RunningWorker & { pid: string | undefined }

/** Starts a worker, which begins one process. */
export async function started(start: Start): Promise<MeasuredWorker> {
  const before = new Set(workerds())
  const worker = await start()
  return { ...worker, pid: workerds().find((pid) => !before.has(pid)) }
}

/**
 * Starts workers, prepares each one, uses them, and stops them. Prepare them with load, because V8 still
 * optimises the service after 20,000 requests.
 */
export async function withWorkers(
  starts: readonly Start[],
  prepare: (worker: MeasuredWorker, index: number) => Promise<unknown>,
  use: (workers: readonly MeasuredWorker[]) => Promise<void>,
): Promise<void> {
  const workers: MeasuredWorker[] = []
  try {
    for (const start of starts) workers.push(await started(start))
    for (const [index, worker] of workers.entries()) await prepare(worker, index)
    await use(workers)
  } finally {
    for (const worker of workers) await worker.dispose()
  }
}

/**
 * The items of a list with their indexes. Each round begins with another one, because the worker after the
 * fastest one is slowed down the most.
 */
export function inTurn<T>(list: readonly T[], round: number): [number, T][] {
  const all = [...list.entries()]
  const first = round % list.length
  return [...all.slice(first), ...all.slice(0, first)]
}
