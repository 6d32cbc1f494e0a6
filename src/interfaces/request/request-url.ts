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

/** Whether a request is for a path that needs no decoding, and has no query. */
export function isFor(request: Request, path: string): boolean {
  const found = urlOf(request)
  return found.endsWith(path) && found.indexOf('/', found.indexOf(':') + 4) === found.length - path.length
}

/** The path by which Hono routes a request. */
export function pathOf(request: Request): string {
  // Hono reads only the URL.
  return getPath({ url: urlOf(request) } as Request)
}
