/** The host under which the tests' publications stand. */
export const SOURCE_HOST = 'sources.test'

/** A document that the server publishes: how it is answered, also wrongly. */
export type Published = {
  body: string
  /** Whether the body is base64 of the bytes to answer. */
  base64?: boolean
  type: string
  status?: number
  etag?: string
  location?: string
  /** Never answers. */
  hangs?: boolean
  /** Says that it is longer than it is. */
  stated_length?: number
  /** Answers 503 so many times first. */
  fails_first?: number
  /** The header of an answer that is no success. */
  retry_after?: string
}

const published = new Map<string, Published>()
const asked = new Map<string, number>()

/**
 * Stands for the official sites, in the process that runs the tests: PUT publishes a document under its
 * address, GET and POST answer it, with ETags as real servers do. `GET …?asked` tells how often it was asked
 * for.
 */
export async function serveSource(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  if (request.method === 'PUT') {
    const given: Published = await request.json()
    published.set(pathname, given)
    asked.set(pathname, 0)
    return new Response('published')
  }
  if (search === '?asked') return Response.json(asked.get(pathname) ?? 0)
  const document = published.get(pathname)
  const count = (asked.get(pathname) ?? 0) + 1
  asked.set(pathname, count)
  if (document === undefined)
    return new Response('Not found', { status: 404, headers: { 'Content-Type': 'text/html' } })
  return answer(document, request, count)
}

async function answer(document: Published, request: Request, count: number): Promise<Response> {
  const {
    body,
    base64 = false,
    type,
    status = 200,
    etag,
    location,
    hangs = false,
    stated_length,
    fails_first = 0,
    retry_after,
  } = document
  if (hangs) await new Promise((resolve) => setTimeout(resolve, 10_000))
  const pause: Record<string, string> = retry_after === undefined ? {} : { 'Retry-After': retry_after }
  if (count <= fails_first) return new Response('Service unavailable', { status: 503, headers: pause })
  if (etag !== undefined && request.headers.get('If-None-Match') === etag)
    return new Response(null, { status: 304, headers: { ETag: etag } })
  const content = base64 ? Uint8Array.from(atob(body), (each) => each.codePointAt(0) ?? 0) : body
  return new Response(status === 204 ? null : content, {
    status,
    headers: {
      ...pause,
      'Content-Type': type,
      ...(etag !== undefined && { ETag: etag }),
      ...(location !== undefined && { Location: location }),
      ...(stated_length !== undefined && { 'Content-Length': String(stated_length) }),
    },
  })
}
