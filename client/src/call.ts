import type { Client } from 'openapi-fetch'
import { ApiError } from './api-error.ts'
import type { operations, paths } from './schema.ts'

/** The typed door to every path: `http.GET('/v1/rates', { params: { query: { jurisdiction: 'DE' } } })`. */
export type Http = Client<paths>

/** Options of one call. `signal` aborts it, and its retries. */
export type CallOptions = { signal?: AbortSignal }

/**
 * Options of a call that writes. Without `idempotencyKey` the client makes a key for each call, the same in
 * all attempts. Give your own, such as the number of the order, if your program may repeat the call.
 */
export type WriteOptions = CallOptions & { idempotencyKey?: string }

/** The query of an operation, e.g. `QueryOf<'listTransactions'>`. */
export type QueryOf<Id extends keyof operations> = NonNullable<operations[Id]['parameters']['query']>

/** The fields of a request that come from the options of a call. */
export function sent({ signal, idempotencyKey }: WriteOptions): {
  signal: AbortSignal | null
  headers: Record<string, string>
} {
  return {
    signal: signal ?? null,
    headers: idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey },
  }
}

/**
 * The answer of a call. Throws an ApiError if the service answered with an error, or the error of the
 * network.
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

/** The file of a call with `parseAs: 'text'`. Throws like `answerOf`. */
export async function fileOf(
  call: Promise<{ data?: string; error?: unknown; response: Response }>,
): Promise<ServedFile> {
  const { data, error, response } = await call
  if (error !== undefined || data === undefined) throw new ApiError(response, error)
  const disposition = response.headers.get('Content-Disposition') ?? ''
  return {
    name: /filename="([^"]+)"/.exec(disposition)?.[1] ?? null,
    media_type: response.headers.get('Content-Type') ?? '',
    text: data,
  }
}
