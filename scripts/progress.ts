/** Runs one step of a longer command, and returns or throws what the step does. */
export type Progress = <Result>(what: string, work: () => Promise<Result>) => Promise<Result>

const LINE_EVERY_MS = 10_000

/** Prints nothing. For commands with output for another program. */
export const silently: Progress = (_what, work) => work()

/**
 * Prints a line at the begin of the step, one every ten seconds, and one at its end. There is no limit of
 * time, because a step may take minutes on a busy machine.
 */
export const aloud: Progress = async (what, work) => {
  const began = Date.now()
  console.log(`${what} …`)
  const watch = setInterval(
    () => console.log(`${what}: ${seconds(began, 0)} s so far. This is normal on a busy machine.`),
    LINE_EVERY_MS,
  )
  try {
    const result = await work()
    console.log(`${what}: done in ${seconds(began, 1)} s`)
    return result
  } finally {
    clearInterval(watch)
  }
}

function seconds(began: number, decimals: number): string {
  return ((Date.now() - began) / 1_000).toFixed(decimals)
}
