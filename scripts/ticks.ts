const MINUTE_MS = 60_000

/** The first and the last value of each field: minute, hour, day of the month, month, day of the week. */
const FIELDS = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 6],
] as const

/** A cron expression with the values of each of its fields. */
type Cron = { cron: string; fields: readonly ReadonlySet<number>[] }

/**
 * Reads a cron expression of wrangler.toml: numbers, `*`, ranges, steps and lists. Throws an Error if it has
 * anything else, or both a day of the month and a day of the week, of which cron takes either.
 */
function readCron(cron: string): Cron {
  const parts = cron.trim().split(/\s+/)
  const fields = FIELDS.map(([first, last], index) => {
    const values = (parts[index] ?? '').split(',').flatMap((part) => valuesOf(part, first, last))
    if (parts.length !== FIELDS.length || values.length === 0)
      throw new Error(`The cron expression ${cron} cannot be read`)
    return new Set(values)
  })
  if (parts[2] !== '*' && parts[4] !== '*')
    throw new Error(`The cron expression ${cron} names days of the month and of the week`)
  return { cron, fields }
}

/** The values that a part of a field stands for; none: it cannot be read. */
function valuesOf(part: string, first: number, last: number): number[] {
  const [, from, to, step = '1'] = /^(?:\*|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part) ?? []
  if (!/^[\d*]/.test(part) || Number(step) === 0) return []
  const start = from === undefined ? first : Number(from)
  const end = from === undefined || (to === undefined && part.includes('/')) ? last : Number(to ?? from)
  if (start < first || end > last) return []
  const count = Math.floor((end - start) / Number(step)) + 1
  return Array.from({ length: Math.max(0, count) }, (_, index) => start + index * Number(step))
}

/** Those of the cron expressions that are due in the minute of `now`, in UTC as at Cloudflare. */
export function dueCrons(crons: readonly string[], now: Date): string[] {
  const at = [
    now.getUTCMinutes(),
    now.getUTCHours(),
    now.getUTCDate(),
    now.getUTCMonth() + 1,
    now.getUTCDay(),
  ]
  return crons
    .map(readCron)
    .filter(({ fields }) => fields.every((values, index) => values.has(at[index] ?? -1)))
    .map(({ cron }) => cron)
}

/**
 * Fires the cron expressions of wrangler.toml at their minutes, with the time of the minute. A tick that
 * still runs is not fired again: the next one finds its work in the database. A tick that fails is
 * reported, and the later ones go on. Throws at once if an expression cannot be read. Returns how to end
 * it, which waits for the ticks that run.
 */
export function startTicks(
  crons: readonly string[],
  fire: (cron: string, time: Date) => Promise<unknown>,
  report: (fault: unknown, cron: string) => void,
): () => Promise<void> {
  dueCrons(crons, new Date())
  const running = new Map<string, Promise<void>>()
  let timer: NodeJS.Timeout
  let last = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS
  const wait = () => {
    timer = setTimeout(onMinute, MINUTE_MS - (Date.now() % MINUTE_MS)).unref()
  }
  const onMinute = () => {
    const time = new Date(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS)
    // A timer may end a moment before the clock says so.
    const due = time.getTime() === last ? [] : dueCrons(crons, time)
    last = time.getTime()
    for (const cron of due) {
      if (running.has(cron)) continue
      const run = fire(cron, time)
        .then(() => undefined)
        .catch((fault: unknown) => report(fault, cron))
        .finally(() => running.delete(cron))
      running.set(cron, run)
    }
    wait()
  }
  wait()
  return async () => {
    clearTimeout(timer)
    await Promise.all(running.values())
  }
}
