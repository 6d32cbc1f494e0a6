import { sha256 } from '../src/sha256.ts'
import type { SourceDocument, SourceRequest } from './collector.ts'

const TIMEOUT_MS = 20_000
const BYTES_MAX = 10 * 1_048_576
const BYTES_MIN = 200
const RETRIES = 2
const KEPT_SECONDS = 400 * 86_400
const USER_AGENT = 'tax-compliance-service (collector of published tax rates)'

/** A document could not be had: not the source's content is wrong, but its delivery. */
export class FetchError extends Error {}

export type Fetching = {
  kv: KVNamespace
  /** Milliseconds to wait for an answer, and before the first retry; tests make them short. */
  timeout_ms?: number
  pause_ms?: number
}

type Kept = { etag: string; hash: string; bytes: number; text: string }

/**
 * Fetches a document: 20 s, 10 MB, two retries on what may pass. A source that answers 304 has its last text
 * taken from KV. Throws FetchError, with the reason in one sentence.
 */
export async function fetchDocument(request: SourceRequest, fetching: Fetching): Promise<SourceDocument> {
  for (let tried = 0; ; tried += 1) {
    try {
      return await attempt(request, fetching)
    } catch (thrown) {
      const passing = thrown instanceof PassingError || !(thrown instanceof FetchError)
      if (!passing || tried === RETRIES) throw new FetchError(sentence(request.url, thrown))
      await new Promise((resolve) => setTimeout(resolve, (fetching.pause_ms ?? 1_000) * 2 ** tried))
    }
  }
}

/** A failure that may be gone in a moment. */
class PassingError extends FetchError {}

async function attempt(request: SourceRequest, fetching: Fetching): Promise<SourceDocument> {
  const key = await keptKey(request)
  const kept = await fetching.kv.get<Kept>(key, 'json').catch(() => null)
  const response = await fetch(request.url, {
    method: request.method ?? 'GET',
    headers: {
      Accept: request.accept,
      'User-Agent': USER_AGENT,
      ...request.headers,
      ...(kept !== null && { 'If-None-Match': kept.etag }),
    },
    ...(request.body !== undefined && { body: request.body }),
    // A source that moves is a change that a person has to look at; it must not lead us to another host.
    redirect: 'manual',
    signal: AbortSignal.timeout(fetching.timeout_ms ?? TIMEOUT_MS),
  })
  if (response.status === 304 && kept !== null)
    return { url: request.url, text: kept.text, bytes: kept.bytes, hash: kept.hash }
  if (response.status >= 500 || response.status === 429) throw new PassingError(`answered ${response.status}`)
  if (response.status !== 200) throw new FetchError(`answered ${response.status}`)
  refuseOtherType(response, request.accept)
  const bytes = await readLimited(response, request.bytes_min ?? BYTES_MIN)
  const document = {
    url: request.url,
    text: decode(bytes),
    bytes: bytes.byteLength,
    hash: await sha256(bytes),
  }
  await keep(fetching.kv, key, response.headers.get('ETag'), document)
  return document
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

function decode(bytes: Uint8Array<ArrayBuffer>): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
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
  if (thrown instanceof Error && thrown.name === 'TimeoutError') return `${url} did not answer in time`
  return `${url} ${thrown instanceof FetchError ? thrown.message : 'cannot be reached'}`
}
