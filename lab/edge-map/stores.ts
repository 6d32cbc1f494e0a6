/** How a version of the service reads its stores. Ages in seconds. */
export type Reading = {
  /** The milliseconds that a request waits, and what it leaves behind in the isolate and the location. */
  answer: (at: number, isolate: Isolate, location: Location) => number
}

/** What an isolate has in memory: when it last read its key and its book; null: never. */
export type Isolate = { key_at: number | null; book_at: number | null }

/** A location: its round trip to D1 and to the central store of KV, and when it last read each KV key. */
export type Location = { trip_ms: number; pointer_at: number | null; book_at: number | null }

/** A key of KV that the location has read a short time ago is beside it. */
const NEAR_MS = 5
/** The shortest time that a location keeps a key of KV. */
const KV_SECONDS = 60

/** The releases before: two statements of D1, then the pointer, then the book, one after another. */
export const before: Reading = {
  answer(at, isolate, location) {
    let ms = 0
    if (isOlder(isolate.key_at, at, 45)) {
      ms += 2 * location.trip_ms
      isolate.key_at = at
    }
    if (isOlder(isolate.book_at, at, 30)) {
      ms += kvTrip(location, 'pointer_at', at, KV_SECONDS)
      if (isolate.book_at === null) ms += kvTrip(location, 'book_at', at, KV_SECONDS)
      isolate.book_at = at
    }
    return ms
  },
}

/** This release: the key and the book side by side, and what is older is read behind the answer. */
export const after: Reading = {
  answer(at, isolate, location) {
    const key = isOlder(isolate.key_at, at, 55) ? location.trip_ms : 0
    let book = 0
    if (isolate.book_at === null) book = kvTrip(location, 'book_at', at, 300)
    else if (isOlder(isolate.book_at, at, 300)) book = kvTrip(location, 'pointer_at', at, KV_SECONDS)
    if (isOlder(isolate.key_at, at, 20)) isolate.key_at = at
    if (isOlder(isolate.book_at, at, 30)) isolate.book_at = at
    return Math.max(key, book)
  },
}

function isOlder(read_at: number | null, at: number, seconds: number): boolean {
  return read_at === null || at - read_at >= seconds
}

function kvTrip(location: Location, key: 'pointer_at' | 'book_at', at: number, seconds: number): number {
  const ms = isOlder(location[key], at, seconds) ? location.trip_ms : NEAR_MS
  if (ms !== NEAR_MS) location[key] = at
  return ms
}
