import type { Bindings } from '../../platform/bindings.ts'
import { sendMessages } from '../../platform/queue/send.ts'
import { COLLECTED_IDS, type CollectedId } from '../../platform/regions.ts'
import { sendSharedEvents } from '../../notices/delivery/sweep.ts'
import { isDue, underLease } from './lease-store.ts'
import { forgetStatus } from './status.ts'
import { readDueTimes, type Run } from './store.ts'

/**
 * Runs the collector of a region, records the run and returns it. `addresses` replace the addresses of
 * sources, by the names of their variables. background.ts passes it in, because the rest of src/ does not
 * import collectors/.
 */
export type Collect = (
  env: Bindings,
  region: CollectedId,
  options: { now: Date; addresses: Readonly<Record<string, string>> },
) => Promise<{ run: Run }>

/** Reads the official files of local taxes of a state, e.g. `GA`. */
export type CollectLocal = (
  env: Bindings,
  state: string,
  options: { now: Date; addresses: Readonly<Record<string, string>> },
) => Promise<void>

/**
 * Queues a message for each region that is due, so that each runs in its own invocation. If a tick is missed,
 * the next one queues its regions.
 */
export async function queueDueSyncs(env: Bindings, now: Date): Promise<void> {
  const next = new Map((await readDueTimes(env.DB)).map((row) => [row.region, row.next_run_at]))
  const due = COLLECTED_IDS.filter((region) => (next.get(region) ?? '') <= now.toISOString())
  await queueSyncs(env, due, now)
}

/** Sends a message for each region. If the queue fails, the next tick finds what is due. */
export async function queueSyncs(env: Bindings, regions: readonly CollectedId[], now: Date): Promise<void> {
  const messages = regions.map((id) => ({ message: { kind: 'sync', id } as const, at: null }))
  await sendMessages(env.WORK, messages, now)
}

/**
 * Runs the collector of a region if it is due and no other run of it is under way. So a second message of the
 * same tick does nothing.
 */
export async function runSync(
  env: Bindings,
  region: CollectedId,
  now: Date,
  collect: Collect,
): Promise<void> {
  if (await isDue(env.DB, region, now))
    await underLease(env.DB, region, now, () => collectRegion(env, region, now, collect))
}

async function collectRegion(env: Bindings, region: CollectedId, now: Date, collect: Collect): Promise<void> {
  const { run } = await thenSend(env, now, () =>
    collect(env, region, { now, addresses: sourceAddresses(env) }),
  )
  const { id, outcome, duration_ms, records_seen, records_changed, error } = run
  console.log(
    JSON.stringify({
      level: 'info',
      run_id: id,
      region,
      outcome,
      duration_ms,
      records_seen,
      records_changed,
      error,
    }),
  )
}

/** Reads the files of a state. If another run of the region is under way, the message is tried again. */
export async function runLocal(
  env: Bindings,
  state: string,
  now: Date,
  collect: CollectLocal,
): Promise<void> {
  const done = await underLease(env.DB, 'US-LOCAL', now, async () => {
    await thenSend(env, now, () => collect(env, state, { now, addresses: sourceAddresses(env) }))
    return true
  })
  if (done === null) throw new Error(`another run of US-LOCAL is under way, so ${state} waits`)
}

/** Sends the events of a run, even if it failed after it wrote them. */
async function thenSend<Result>(env: Bindings, now: Date, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } finally {
    forgetStatus()
    await sendSharedEvents(env, now)
  }
}

/** The variables that replace addresses of sources, such as `SOURCE_AU_GST`. */
function sourceAddresses(env: Bindings): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      name.startsWith('SOURCE_') && typeof value === 'string' ? [[name, value]] : [],
    ),
  )
}
