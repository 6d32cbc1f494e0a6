import { ApiError } from '../errors.ts'
import { HOW_TO_BATCH } from '../tiers.ts'
import type { Later } from '../kit/held-copy.ts'
import { heldMap } from '../kit/memory.ts'

/**
 * What takes long: the service gets a file, sends one, or adds up all sales of an account. And what waits for
 * the one writer of a database: a sale, refund or customer, or a batch of sales.
 */
export type LongWork = 'takes_file' | 'sends_file' | 'adds_up' | 'writes' | 'writes_batch'

type WorkKind = 'files' | Exclude<LongWork, 'takes_file' | 'sends_file'>

/**
 * How many works of each kind an account has under way at a time in this isolate, which has one thread.
 * So the others wait for this many at most. A writer has no use for more: it does one after the other.
 */
const OF_ACCOUNT: Readonly<Record<WorkKind, number>> = { files: 2, adds_up: 1, writes: 16, writes_batch: 4 }

/** A file that is taken is in memory as a whole, with its copies up to 15 MB of the 128 MB of an isolate. */
const TAKEN_OF_ISOLATE = 6

/** After that the place is free of a request that the platform ended before it could give it back. */
const FORGOTTEN_MS = 300_000

/** `since`: epoch ms. */
type WorkPlace = { account_id: string; work: LongWork; since: number }

/** The works under way in this isolate. */
const places = heldMap<symbol, WorkPlace>()

/** The works that wait for a place, in their order. */
const waiting = heldMap<symbol, WorkPlace>()

/** So long a work waits for a place before it is refused, and so often it looks. */
const WAITS_MS = 5_000
const LOOKS_MS: Readonly<Record<WorkKind, number>> = { files: 100, adds_up: 10, writes: 10, writes_batch: 10 }

/**
 * Takes a place for a long work of an account, as soon as there is one, in the order of the requests. Returns
 * how to give it back. Throws too_many_files, or too_many_at_once for what is no file, if the account has too
 * many under way for long. So too for a file that is taken if all accounts of this isolate have too many.
 */
export async function takePlace(
  account_id: string,
  work: LongWork,
  now: Date,
  later: Later,
  waits_ms = WAITS_MS,
): Promise<() => void> {
  const key = Symbol(account_id)
  const place = { account_id, work, since: now.getTime() }
  const given = Promise.withResolvers<void>()
  // The platform ends a request whose client has gone, but for what was given to `later`.
  later(given.promise)
  waiting.set(key, place)
  try {
    await untilPlace(key, place, waits_ms)
    places.set(key, place)
  } catch (refusal) {
    given.resolve()
    throw refusal
  } finally {
    waiting.delete(key)
  }
  return () => {
    places.delete(key)
    given.resolve()
  }
}

/** Waits until there is a place for what waits under this key. Throws the refusal if that takes too long. */
async function untilPlace(key: symbol, place: WorkPlace, waits_ms: number): Promise<void> {
  for (let waited = 0; ;) {
    forgetOld(place.since)
    const ahead = numberAhead(key, place)
    const refusal = refusalOf(place, ahead)
    if (refusal === null) return
    if (waited >= waits_ms) throw refusal
    // Who is far behind looks less often, so that a long queue costs little.
    const pause_ms = LOOKS_MS[kindOf(place.work)] + ahead
    await scheduler.wait(pause_ms)
    waited += pause_ms
  }
}

/** Forgets requests that the platform has ended: they neither gave their place back nor left the queue. */
function forgetOld(now_ms: number): void {
  for (const [key, { since }] of places) if (now_ms - since >= FORGOTTEN_MS) places.delete(key)
  for (const [key, { since }] of waiting) if (now_ms - since >= 2 * WAITS_MS) waiting.delete(key)
}

function kindOf(work: LongWork): WorkKind {
  return work === 'takes_file' || work === 'sends_file' ? 'files' : work
}

function isLike(place: WorkPlace): (other: WorkPlace) => boolean {
  return ({ account_id, work }) => account_id === place.account_id && kindOf(work) === kindOf(place.work)
}

/** How many works of this account and kind wait since before this one. */
function numberAhead(own: symbol, place: WorkPlace): number {
  const isOfKind = isLike(place)
  let ahead = 0
  for (const [key, other] of waiting) {
    if (key === own) break
    if (isOfKind(other)) ahead += 1
  }
  return ahead
}

function refusalOf(place: WorkPlace, ahead: number): ApiError | null {
  const begun = [...places.values()]
  const kind = kindOf(place.work)
  if (begun.filter(isLike(place)).length + ahead >= OF_ACCOUNT[kind]) return tooMany(kind)
  const taken = begun.filter(({ work }) => work === 'takes_file').length
  if (place.work === 'takes_file' && taken >= TAKEN_OF_ISOLATE)
    return new ApiError('too_many_files', {
      message: `All accounts together send ${TAKEN_OF_ISOLATE} files already: try again after some seconds`,
    })
  return null
}

function tooMany(kind: WorkKind): ApiError {
  if (kind === 'files') return new ApiError('too_many_files')
  if (kind === 'adds_up') return new ApiError('too_many_at_once')
  const most = `The account has ${OF_ACCOUNT[kind]} such requests under way already`
  return new ApiError('too_many_at_once', { message: `${most}: wait for their answers. ${HOW_TO_BATCH}` })
}

/**
 * The same body, which calls `end` when it is sent, has failed, or its client has gone. `bytes`: its length,
 * if it is known.
 */
export function endAfter(
  body: ReadableStream,
  bytes: number | null,
  end: () => void,
  later: Later,
): ReadableStream {
  const { readable, writable } = bytes === null ? new IdentityTransformStream() : new FixedLengthStream(bytes)
  later(body.pipeTo(writable).then(end, end))
  return readable
}
