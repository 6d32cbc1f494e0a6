import { ApiError } from '../errors.ts'
import type { Later } from '../kit/held-copy.ts'
import { heldMap } from '../kit/memory.ts'

/** What takes long: the service gets a file, sends one, or adds up all sales of an account. */
export type LongWork = 'takes_file' | 'sends_file' | 'adds_up'

/**
 * How many works of each kind an account has under way at a time in this isolate, which has one thread.
 * So the others wait for this many at most.
 */
const OF_ACCOUNT: Readonly<Record<'files' | 'adds_up', number>> = { files: 2, adds_up: 1 }

/** A file that is taken is in memory as a whole, with its copies up to 15 MB of the 128 MB of an isolate. */
const TAKEN_OF_ISOLATE = 6

/** After that the place is free of a request that the platform ended before it could give it back. */
const FORGOTTEN_MS = 300_000

/** `since`: epoch ms. */
type WorkPlace = { account_id: string; work: LongWork; since: number }

/** The works under way in this isolate. */
const places = heldMap<symbol, WorkPlace>()

/** So long a work waits for a place before it is refused, and so often it looks. */
const WAITS_MS = 5_000
const LOOKS_MS = { files: 100, adds_up: 10 }

/**
 * Takes a place for a long work of an account, as soon as there is one. Returns how to give it back. Throws
 * too_many_files, or too_many_at_once for what is no file, if the account has too many under way for long. So
 * too for a file that is taken if all accounts of this isolate have too many.
 */
export async function takePlace(
  account_id: string,
  work: LongWork,
  now: Date,
  later: Later,
  waits_ms = WAITS_MS,
): Promise<() => void> {
  const since = now.getTime()
  const looks_ms = LOOKS_MS[kindOf(work)]
  for (let waited = 0; ; waited += looks_ms) {
    for (const [key, place] of places) if (since - place.since >= FORGOTTEN_MS) places.delete(key)
    const refusal = refusalOf(account_id, work)
    if (refusal === null) break
    if (waited >= waits_ms) throw refusal
    await scheduler.wait(looks_ms)
  }
  const key = Symbol(account_id)
  const given = Promise.withResolvers<void>()
  places.set(key, { account_id, work, since })
  // The platform ends a request whose client has gone, but for what was given to `later`.
  later(given.promise)
  return () => {
    places.delete(key)
    given.resolve()
  }
}

function kindOf(work: LongWork): keyof typeof OF_ACCOUNT {
  return work === 'adds_up' ? 'adds_up' : 'files'
}

function refusalOf(account_id: string, work: LongWork): ApiError | null {
  const begun = [...places.values()]
  const kind = kindOf(work)
  const own = begun.filter((place) => place.account_id === account_id && kindOf(place.work) === kind)
  if (own.length >= OF_ACCOUNT[kind])
    return new ApiError(kind === 'files' ? 'too_many_files' : 'too_many_at_once')
  if (work === 'takes_file' && begun.filter((place) => place.work === work).length >= TAKEN_OF_ISOLATE)
    return new ApiError('too_many_files', {
      message: `All accounts together send ${TAKEN_OF_ISOLATE} files already: try again after some seconds`,
    })
  return null
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
