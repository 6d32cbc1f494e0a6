/** Slices in one run of a job. What remains waits for the next tick. */
const SLICES_MAX = 20
/** A run stops after this time, so that no job outlives its tick. */
const RUN_MS = 60_000

/**
 * Repeats a bounded piece of work until it reports that nothing is left, at most 20 times and for about a
 * minute. `slice` returns whether more may be left.
 */
export async function inSlices(slice: () => Promise<boolean>): Promise<void> {
  const started = Date.now()
  for (let done = 0; done < SLICES_MAX && Date.now() - started < RUN_MS; done += 1)
    if (!(await slice())) return
}
