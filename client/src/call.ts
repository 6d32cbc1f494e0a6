import { ApiError } from './api-error.ts'
import type { AttemptOptions } from './retrying-fetch.ts'
import type { operations } from './schema.ts'

/**
 * Options of one call; left out: those of the client. `signal` aborts it, and its retries. `headers` are sent
 * with it.
 */
export type CallOptions = AttemptOptions & { signal?: AbortSignal; headers?: Record<string, string> }

/**
 * Options of a call that writes. Without `idempotencyKey` the client makes a key for each call, the same in
 * all attempts. Give your own, such as the number of the order, if your program may repeat the call.
 */
export type WriteOptions = CallOptions & { idempotencyKey?: string }

/** The query of an operation, e.g. `QueryOf<'listTransactions'>`. */
export type QueryOf<Id extends keyof operations> = NonNullable<operations[Id]['parameters']['query']>

/** The fields of a request that come from the options of a call. */
export function sent({ signal, headers, idempotencyKey, ...call }: WriteOptions): {
  signal: AbortSignal | null
  headers: Record<string, string>
  call: AttemptOptions
} {
  return {
    signal: signal ?? null,
    headers: { ...headers, ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }) },
    call,
  }
}

/** As `sent`, with a file as the body. Its own type is the media type. */
export function sentFile(file: Blob, { headers, ...options }: CallOptions) {
  const types = { 'Content-Type': file.type || 'application/octet-stream', ...headers }
  return { body: file, ...sent({ ...options, headers: types }) }
}

/**
 * The answer of a call. Throws an ApiError if the service answered with an error, or a
 * TaxConnectionError if no answer came.
 */
export async function answerOf<Answer>(
  call: Promise<{ data?: Answer; error?: unknown; response: Response }>,
): Promise<Answer> {
  const { data, error, response } = await call
  if (error !== undefined || data === undefined) throw new ApiError(response, error)
  return data
}

/** A file that the service made, such as a return for a tax office. */
export type ServedFile = { name: string | null; media_type: string; text: string }

/**
 * The file of a call with `parseAs: 'arrayBuffer'`. Its text keeps a byte order mark: readers of the file may
 * need it. Throws like `answerOf`.
 */
export async function fileOf(
  call: Promise<{ data?: ArrayBuffer; error?: unknown; response: Response }>,
): Promise<ServedFile> {
  const { data, error, response } = await call
  if (error !== undefined || data === undefined) throw new ApiError(response, error)
  const disposition = response.headers.get('Content-Disposition') ?? ''
  return {
    name: /filename="([^"]+)"/.exec(disposition)?.[1] ?? null,
    media_type: response.headers.get('Content-Type') ?? '',
    text: new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(data),
  }
}
