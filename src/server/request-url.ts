import { getPath } from 'hono/utils/url'

/** The request whose URL was read last. Routing and handling of a request begin in the same turn. */
let asked: Request | null = null
let url = ''

/** The URL of a request, read once: each access to a property of a request is a call into the platform. */
export function urlOf(request: Request): string {
  if (asked !== request) {
    url = request.url
    asked = request
  }
  return url
}

/** The path by which Hono routes a request. A slash at its end means nothing. */
export function pathOf(request: Request): string {
  // Hono reads only the URL.
  const path = getPath({ url: urlOf(request) } as Request)
  return path.endsWith('/') && path.length > 1 ? path.slice(0, -1) : path
}
