import { ApiError } from '../errors.ts'
import type { Later } from '../kit/held-copy.ts'
import { heldMap } from '../kit/memory.ts'

/** How many files an account sends or takes at the same time, so that other accounts wait for two at most. */
const OF_ACCOUNT = 2

/** A file that is taken is in memory as a whole, with its copies up to 15 MB of the 128 MB of an isolate. */
const TAKEN_OF_ISOLATE = 6

/** After that the place is free of a request that the platform ended before it could give it back. */
const FORGOTTEN_MS = 300_000

/** `takes`: the service gets the file; otherwise it sends one. `since`: epoch ms. */
type FilePlace = { account_id: string; takes: boolean; since: number }

/** The files under way in this isolate. */
const places = heldMap<symbol, FilePlace>()

/** So long a file waits for a place before it is refused, and so often it looks. */
const WAITS_MS = 5_000
const LOOKS_MS = 100

/**
 * Takes a place for a file that an account sends or gets, as soon as there is one. Returns how to give it
 * back. Throws too_many_files if the account, or for a file that is taken all accounts of this isolate, have
 * too many under way for long.
 */
export async function takeFilePlace(
  account_id: string,
  takes: boolean,
  now: Date,
  later: Later,
  waits_ms = WAITS_MS,
): Promise<() => void> {
  const since = now.getTime()
  for (let waited = 0; ; waited += LOOKS_MS) {
    for (const [key, place] of places) if (since - place.since >= FORGOTTEN_MS) places.delete(key)
    const refusal = refusalOf(account_id, takes)
    if (refusal === null) break
    if (waited >= waits_ms) throw refusal
    await scheduler.wait(LOOKS_MS)
  }
  const key = Symbol(account_id)
  const given = Promise.withResolvers<void>()
  places.set(key, { account_id, takes, since })
  // The platform ends a request whose client has gone, but for what was given to `later`.
  later(given.promise)
  return () => {
    places.delete(key)
    given.resolve()
  }
}

function refusalOf(account_id: string, takes: boolean): ApiError | null {
  const begun = [...places.values()]
  if (begun.filter((place) => place.account_id === account_id).length >= OF_ACCOUNT)
    return new ApiError('too_many_files')
  if (takes && begun.filter((place) => place.takes).length >= TAKEN_OF_ISOLATE)
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
