import type { Context, Principal, Reader } from '../../platform/context.ts'
import type { AnyInput, Route } from '../../platform/http/route.ts'
import { sha256 } from '../../platform/kit/sha256.ts'
import type { RateBook } from '../../engine/book/rate-book.ts'
import { heldRateBook } from '../../tax-data/records/current-rate-book.ts'
import { NO_HEADERS, type RouteReply } from './dialect.ts'
import { heldMap } from '../../platform/kit/memory.ts'
import { readHeader } from '../../platform/kit/header.ts'

/** The JSON of an answer without `queried_at`, and the ETag of it. */
type Written = { json: string; etag: string }

/** Public facts change with the rate book, the day and their own age. A minute is exact enough for these. */
type Kept = Written & { book: RateBook; minute: number }

const MINUTE_MS = 60_000
/** Together at most 4 MB. */
const KEPT_MAX = 200
const JSON_MAX = 20_000

const kept = heldMap<string, Kept>()

/** Answers a route whose answers have an ETag: 304 without a body if the caller has the answer. */
export async function answerWithETag(
  route: Pick<Route, 'handle' | 'repeats'>,
  context: Context,
  input: AnyInput,
  url: string,
): Promise<RouteReply> {
  // The handler takes the same book, because it has not begun to wait.
  const book = heldRateBook(context)
  const json = JSON.stringify(await route.handle(context, input))
  const written = { json, etag: `W/"${(await sha256(json)).slice(0, 32)}"` }
  // The query was validated by the schema of the route, so it has the type that the route expects.
  if (book !== null && route.repeats?.(input.query as never) === true) keep(context, book, url, written)
  return replyOfWritten(written, input.headers, context.now)
}

/**
 * The answer to the same question in this minute; null: it has to be made. No answer of another rate book is
 * returned.
 */
export function repeatedAnswer(
  reader: Reader,
  { time_zone }: Pick<Principal, 'time_zone'>,
  url: string,
  headers: Headers,
): RouteReply | null {
  const found = kept.get(keyOfQuestion(time_zone, url))
  if (found === undefined || found.minute !== minuteOf(reader.now)) return null
  return heldRateBook(reader) === found.book ? replyOfWritten(found, headers, reader.now) : null
}

function keep(context: Context, book: RateBook, url: string, written: Written): void {
  if (written.json.length > JSON_MAX) return
  if (kept.size >= KEPT_MAX) kept.clear()
  kept.set(keyOfQuestion(context.principal.time_zone, url), {
    ...written,
    book,
    minute: minuteOf(context.now),
  })
}

function keyOfQuestion(time_zone: string, url: string): string {
  return `${time_zone} ${url}`
}

function minuteOf(now: Date): number {
  return Math.floor(now.getTime() / MINUTE_MS)
}

function replyOfWritten({ json, etag }: Written, headers: Headers, now: Date): RouteReply {
  if (readHeader(headers, 'If-None-Match')?.includes(etag) === true)
    return { body: null, status: 304, headers: NO_HEADERS, etag, reason: null }
  const body = `${json.slice(0, -1)},"queried_at":"${now.toISOString()}"}`
  return { body, status: 200, headers: NO_HEADERS, etag, reason: null }
}
