import { unzipSync } from 'fflate'
import { sha256 } from '../src/platform/kit/sha256.ts'
import type { SourceDocument, SourceRequest } from './collector.ts'

const TIMEOUT_MS = 20_000
/** If a source asks for a longer pause, it is not asked again before the next run. */
const PAUSE_MAX_MS = 30_000
const BYTES_MAX = 10 * 1_048_576
const BYTES_MIN = 200
const RETRIES = 2
const KEPT_SECONDS = 400 * 86_400
const USER_AGENT = 'tax-compliance-service (collector of published tax rates)'

/** A document could not be fetched. This says nothing about its content. */
export class FetchError extends Error {}

export type Fetching = {
  kv: KVNamespace
  /** Milliseconds to wait for an answer, and before the first retry; tests make them short. */
  timeout_ms?: number
  pause_ms?: number
  /**
   * Reads a large document to its end before its chunks are used. On the command line, the HTTP client of
   * wrangler crashes if a server closes a connection while its answer still waits.
   */
  eager?: boolean
  /** Whether a dry run reads the documents: nothing is then kept for the next run. */
  dry_run?: boolean
}

type Kept = { etag: string; hash: string; bytes: number; text: string }

/**
 * Fetches a document: 20 s (or the request's own time), 10 MB, two retries after failures that may pass. The
 * pauses are at least those that `Retry-After` asks for. If a source answers 304, its last text comes from
 * KV. Throws FetchError, with the reason in one sentence.
 */
export async function fetchDocument(request: SourceRequest, fetching: Fetching): Promise<SourceDocument> {
  return retrying(request, fetching, () => attempt(request, fetching))
}

/** Tries again after a failure that may pass: a busy server, a broken connection. */
async function retrying<T>(request: SourceRequest, fetching: Fetching, work: () => Promise<T>): Promise<T> {
  for (let tried = 0; ; tried += 1) {
    try {
      return await work()
    } catch (thrown) {
      const passing = thrown instanceof PassingError || !(thrown instanceof FetchError)
      const asked_ms = thrown instanceof PassingError ? thrown.pause_ms : 0
      if (!passing || tried === RETRIES || asked_ms > PAUSE_MAX_MS)
        throw new FetchError(sentence(request.url, thrown))
      const own_ms = (fetching.pause_ms ?? 1_000) * 2 ** tried
      await new Promise((resolve) => setTimeout(resolve, Math.max(own_ms, asked_ms)))
    }
  }
}

/** A document that is read while it arrives, because it may be large. */
type OpenedDocument = { url: string; chunks: AsyncIterable<Uint8Array>; stated_bytes: number | null }

/**
 * Opens a document of any size and kind. Retries concern the opening only. Throws FetchError, also while the
 * chunks are read if the document breaks off.
 */
export async function openDocument(request: SourceRequest, fetching: Fetching): Promise<OpenedDocument> {
  const response = await retrying(request, fetching, async () => {
    const found = await askFor(request.url, request, null, fetching)
    if (found.status !== 200) throw await failureOf(found, request.url)
    refuseOtherType(found, request.accept)
    return found
  })
  const stated = response.headers.get('Content-Length')
  const whole = stated === null || response.headers.get('Content-Encoding') !== null ? null : Number(stated)
  return {
    url: shownAddress(request.url),
    chunks:
      fetching.eager === true
        ? await wholeOf(response, request.url, whole)
        : chunksOf(response, request.url, whole),
    stated_bytes: whole,
  }
}

async function wholeOf(response: Response, url: string, stated: number | null) {
  const chunks: Uint8Array[] = []
  for await (const chunk of chunksOf(response, url, stated)) chunks.push(chunk)
  return (async function* () {
    yield* chunks
  })()
}

async function* chunksOf(response: Response, url: string, stated: number | null): AsyncGenerator<Uint8Array> {
  let size = 0
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength
      yield chunk
    }
  } catch (thrown) {
    throw new FetchError(sentence(url, thrown))
  }
  if (stated !== null && stated !== size)
    throw new FetchError(`${shownAddress(url)} answered ${size} of ${stated} bytes`)
}

/** An address without query, user and password, because they can contain a token. */
export function shownAddress(url: string): string {
  if (!URL.canParse(url)) return 'an address that is not valid'
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}

/** A failure that may pass. `pause_ms`: how long the source asks us to wait. */
class PassingError extends FetchError {
  readonly pause_ms: number

  constructor(message: string, pause_ms = 0) {
    super(message)
    this.pause_ms = pause_ms
  }
}

async function attempt(request: SourceRequest, fetching: Fetching): Promise<SourceDocument> {
  const key = await keptKey(request)
  const kept = await fetching.kv.get<Kept>(key, 'json').catch(() => null)
  const response = await askFor(request.url, request, kept, fetching)
  const url = shownAddress(request.url)
  if (response.status === 304 && kept !== null)
    return { url, text: kept.text, bytes: kept.bytes, hash: kept.hash }
  if (response.status !== 200) throw await failureOf(response, request.url)
  refuseOtherType(response, request.accept)
  const bytes = await readLimited(response, request.bytes_min ?? BYTES_MIN)
  const plain = request.archived === undefined ? bytes : extract(bytes, request.archived)
  const text = decode(plain, request.doubtful_bytes)
  const document = { url, text, bytes: bytes.byteLength, hash: await sha256(bytes) }
  if (fetching.dry_run !== true) await keep(fetching.kv, key, response.headers.get('ETag'), document)
  return document
}

/** Asks once, and once more if the source only adds or removes the slash at the end of the path. */
async function askFor(
  url: string,
  request: SourceRequest,
  kept: Kept | null,
  fetching: Fetching,
): Promise<Response> {
  const ask = async (address: string) =>
    fetch(address, {
      method: request.method ?? 'GET',
      headers: {
        Accept: request.accept,
        'User-Agent': USER_AGENT,
        ...request.headers,
        ...(kept !== null && { 'If-None-Match': kept.etag }),
      },
      ...(request.body !== undefined && { body: request.body }),
      // If a source moves, a person has to look. A redirect must not lead us to another host.
      redirect: 'manual',
      signal: AbortSignal.timeout(fetching.timeout_ms ?? request.timeout_ms ?? TIMEOUT_MS),
    })
  const response = await ask(url)
  const target = targetOf(response, url)
  return target !== null && sameButSlash(url, target) ? ask(target) : response
}

function targetOf(response: Response, url: string): string | null {
  const location = response.headers.get('Location')
  if (response.status < 300 || response.status > 399 || location === null) return null
  return URL.canParse(location, url) ? new URL(location, url).href : null
}

function sameButSlash(from: string, to: string): boolean {
  const plain = (url: string) => url.replace(/\/$/, '')
  return from !== to && plain(from) === plain(to)
}

/** The error for an answer that is not 200. It names the new address, or the text of a SOAP fault. */
async function failureOf(response: Response, url: string): Promise<FetchError> {
  const { status } = response
  const target = targetOf(response, url)
  if (target !== null) return new FetchError(`answered ${status} and points to ${shownAddress(target)}`)
  if (status < 500 && status !== 429) return new FetchError(`answered ${status}`)
  const fault = /xml/i.test(response.headers.get('Content-Type') ?? '') ? await soapFaultOf(response) : null
  return new PassingError(
    `answered ${status}${fault === null ? '' : ` (${fault})`}`,
    retryPauseMs(response.headers.get('Retry-After')),
  )
}

/** The pause that `Retry-After` asks for in seconds; 0 if it is a date. */
function retryPauseMs(text: string | null): number {
  return /^\d{1,6}$/.test(text?.trim() ?? '') ? Number(text) * 1_000 : 0
}

async function soapFaultOf(response: Response): Promise<string | null> {
  const body = decode(await readLimited(response, 0).catch(() => new Uint8Array()))
  return /<faultstring[^>]*>([^<]{1,200})/.exec(body)?.[1]?.trim() ?? null
}

function refuseOtherType(response: Response, accept: string): void {
  const type = response.headers.get('Content-Type') ?? ''
  const wanted = accept.split(',').map((each) => each.trim().split(';')[0] ?? '')
  if (!wanted.some((each) => type.toLowerCase().startsWith(each)))
    throw new FetchError(`answered ${type || 'no content type'} instead of ${accept}`)
}

async function readLimited(response: Response, least: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > BYTES_MAX) throw new FetchError('answered more than 10 MB')
    chunks.push(chunk)
  }
  if (size < least) throw new FetchError(`answered ${size} bytes, too few for the document`)
  const stated = response.headers.get('Content-Length')
  if (stated !== null && response.headers.get('Content-Encoding') === null && Number(stated) !== size)
    throw new PassingError(`answered ${size} of ${stated} bytes`)
  return join(chunks, size)
}

function join(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.byteLength
  }
  return whole
}

/** A file of a zip archive. It may be as large as a document. */
function extract(archive: Uint8Array<ArrayBuffer>, name: string): Uint8Array<ArrayBuffer> {
  const files = unzipped(archive, name)
  const file = files[name]
  if (file === undefined) throw new FetchError(`answered an archive without ${name}, or with a larger one`)
  return new Uint8Array(file)
}

function unzipped(archive: Uint8Array, name: string): Record<string, Uint8Array> {
  try {
    return unzipSync(archive, {
      filter: (file) => file.name === name && file.originalSize <= BYTES_MAX,
    })
  } catch {
    throw new FetchError('answered an archive that cannot be read')
  }
}

function decode(bytes: Uint8Array<ArrayBuffer>, doubtful_bytes = false): string {
  try {
    return new TextDecoder('utf-8', { fatal: !doubtful_bytes, ignoreBOM: false }).decode(bytes)
  } catch {
    throw new FetchError('answered bytes that are not UTF-8')
  }
}

async function keep(
  kv: KVNamespace,
  key: string,
  etag: string | null,
  document: SourceDocument,
): Promise<void> {
  if (etag === null) return
  const { hash, bytes, text } = document
  await kv
    .put(key, JSON.stringify({ etag, hash, bytes, text } satisfies Kept), { expirationTtl: KEPT_SECONDS })
    .catch(() => undefined)
}

async function keptKey({ url, body }: SourceRequest): Promise<string> {
  return `document:${await sha256(`${url}\n${body ?? ''}`)}`
}

function sentence(url: string, thrown: unknown): string {
  const shown = shownAddress(url)
  if (thrown instanceof Error && thrown.name === 'TimeoutError') return `${shown} did not answer in time`
  return `${shown} ${thrown instanceof FetchError ? thrown.message : 'cannot be reached'}`
}
