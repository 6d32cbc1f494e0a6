import { mayBeKey } from '../../parties/accounts/authenticate.ts'
import type { Reader } from '../../platform/context.ts'
import { readBody } from '../../platform/http/body.ts'
import type { Route } from '../../platform/http/route.ts'
import { bookFor } from '../../tax-data/records/book-for.ts'
import { localBookInForce, mentionsLocalTaxes } from '../../tax-data/records/local-book-for.ts'
import { isShut } from './rate-limit.ts'

/** `text`: the body, if its reading has begun. `books` ends with the books in memory, and never rejects. */
export type ReadAhead = { text: Promise<string> | null; books: Promise<void> }

const NOTHING: ReadAhead = { text: null, books: Promise.resolve() }

/**
 * Begins to read the books of a calculation while its key is looked up. A cold isolate then waits for one
 * round trip, not for one after the other. A header that cannot be a key reads nothing, nor does an address
 * that is shut. What is begun is ended also if the request is refused, because other requests wait for it.
 */
export function readAhead(
  reader: Reader,
  request: Request,
  authorization: string | null,
  { scope, checkBody, body_optional }: Pick<Route, 'scope' | 'checkBody' | 'body_optional'>,
): ReadAhead {
  const { now, later } = reader
  if (scope !== 'tax:read' || !mayBeKey(authorization, now) || isShut(request.headers, now)) return NOTHING
  const text = checkBody === null ? null : beginText(request, body_optional)
  const asked = text ?? Promise.resolve(new URL(request.url).search)
  const books = ignoringFailure(readBooks(reader, asked))
  later(books)
  return { text, books }
}

/** A function of its own, so that a refused body rejects the promise. */
async function beginText(request: Request, optional: boolean): Promise<string> {
  return readBody(request, request.headers, optional)
}

async function readBooks(reader: Reader, asked: Promise<string>): Promise<void> {
  await Promise.all([bookFor(reader), asked.then((text) => readLocalBook(reader, text))])
}

async function readLocalBook(reader: Reader, text: string): Promise<void> {
  if (mentionsLocalTaxes(text)) await localBookInForce(reader)
}

/** A failure is reported when the request needs what could not be read. */
function ignoringFailure(work: Promise<void>): Promise<void> {
  return work.catch(() => undefined)
}
