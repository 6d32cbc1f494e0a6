import { ApiError } from './api-error.ts'
import type { AttemptOptions, Fetch } from './retrying-fetch.ts'
import { type ErrorAnswer, KEYED_POSTS, type paths } from './schema.ts'

type Verb = 'get' | 'post' | 'put' | 'delete'
type PathWith<V extends Verb> = {
  [Path in keyof paths]: paths[Path] extends Record<V, unknown> ? Path : never
}[keyof paths]
type OperationAt<Path extends keyof paths, V extends Verb> =
  paths[Path] extends Record<V, infer Found> ? Found : never

type Nothing = Record<never, never>
type MediaIn<Content> = Content extends { content: infer Media } ? Media[keyof Media] : never
type AnswerIn<Operation> = Operation extends { responses: infer All }
  ? MediaIn<All[Exclude<keyof All, 'default'>]>
  : never

/** A field that may be left out if all that is in it may be. */
type ParamsOf<Operation> = Operation extends { parameters: infer Places }
  ? Nothing extends Places
    ? { params?: Places }
    : { params: Places }
  : Nothing
type BodyOf<Operation> = Operation extends { requestBody: infer Body }
  ? { body: MediaIn<Body> }
  : Operation extends { requestBody?: infer Body }
    ? { body?: MediaIn<Body> }
    : Nothing

type Read<Answer> = {
  json: Answer
  text: string
  blob: Blob
  arrayBuffer: ArrayBuffer
  stream: Response['body']
}
/** What every call may have, beside the options of `fetch`. */
type Common<As> = Omit<RequestInit, 'body' | 'method'> & { parseAs?: As; call?: AttemptOptions }
type InitOf<Operation, As> = ParamsOf<Operation> & BodyOf<Operation> & Common<As>

/** The answer of a call: `data`, or `error` if the service refused. */
type Outcome<Data> =
  | { data: Data; error?: never; response: Response }
  | { data?: never; error: ErrorAnswer; response: Response }

type Ask<V extends Verb> = <Path extends PathWith<V>, As extends keyof Read<unknown> = 'json'>(
  path: Path,
  ...init: Nothing extends InitOf<OperationAt<Path, V>, As>
    ? [init?: InitOf<OperationAt<Path, V>, As>]
    : [init: InitOf<OperationAt<Path, V>, As>]
) => Promise<Outcome<Read<AnswerIn<OperationAt<Path, V>>>[As]>>

/** The typed door to every path: `http.GET('/v1/rates', { params: { query: { jurisdiction: 'DE' } } })`. */
export type Http = { [V in Verb as Uppercase<V>]: Ask<V> }

type Values = Readonly<Record<string, unknown>>
type Init = Common<keyof Read<unknown>> & {
  params?: { path?: Values; query?: Values; header?: Values }
  body?: unknown
}

/** `origin`: the address of the service. `headers` are sent with every request. */
export function createHttp(origin: string, headers: Readonly<Record<string, string>>, fetch: Fetch): Http {
  const ask =
    (method: string) =>
    async (path: string, { parseAs = 'json', ...init }: Init = {}) => {
      const request = requestTo(origin, path, { ...init, headers: headersOf(headers, init), method })
      if (method === 'POST' && KEYED_POSTS.has(path) && !request.headers.has('Idempotency-Key'))
        request.headers.set('Idempotency-Key', crypto.randomUUID())
      const streams = parseAs === 'stream'
      const response = await fetch(Object.assign(request, { call: init.call, streams }))
      return response.ok
        ? { data: await readAs(parseAs, response), response }
        : { error: parsed(await response.text()), response }
    }
  // The types of the paths are those of the document: what it says is what the service answers.
  return { GET: ask('GET'), POST: ask('POST'), PUT: ask('PUT'), DELETE: ask('DELETE') } as unknown as Http
}

function requestTo(
  origin: string,
  path: string,
  { params, body, ...init }: Init & { method: string },
): Request {
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params?.path?.[name])),
  )
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params?.query ?? {}))
    for (const each of [value].flat()) if (isGiven(each)) query.append(name, String(each))
  const url = `${origin}${place}${query.size === 0 ? '' : `?${query}`}`
  const sent = body === undefined ? null : body instanceof Blob ? body : JSON.stringify(body)
  return new Request(url, { redirect: 'manual', ...init, body: sent })
}

/** The last one of a name wins: that of the client, of the call, of the parameters. */
function headersOf(common: Readonly<Record<string, string>>, { headers, params, body }: Init): Headers {
  const all = new Headers(common)
  if (body !== undefined) all.set('Content-Type', 'application/json')
  new Headers(headers).forEach((value, name) => all.set(name, value))
  for (const [name, value] of Object.entries(params?.header ?? {}))
    if (isGiven(value)) all.set(name, String(value))
  return all
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

/** Throws an ApiError for a page: it is of another server. */
async function readAs(form: keyof Read<unknown>, response: Response): Promise<unknown> {
  if (response.status === 204) return undefined
  const type = response.headers.get('Content-Type') ?? ''
  if (form === 'json' ? !type.includes('json') : type.includes('html')) throw new ApiError(response, null)
  if (form === 'stream') return response.body
  if (form !== 'json') return response[form]()
  const text = await response.text()
  return text === '' ? undefined : parsed(text)
}

/** A text that is no JSON stays a text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
