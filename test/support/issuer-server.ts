/** Below this domain, each test has an issuer of its own, as each team of Cloudflare Access has. */
export const ISSUER_DOMAIN = '.cloudflareaccess.test'

/** How an issuer answers: what it publishes, or a status without it. */
export type Published = { keys: object[]; status?: number }

const published = new Map<string, Published>()
const asked = new Map<string, number>()

/**
 * Stands for Cloudflare Access, in the process that runs the tests: PUT tells what the issuer publishes, GET
 * answers it, and `?asked` tells how often it was asked.
 */
export async function serveIssuer(request: Request): Promise<Response> {
  const { hostname, pathname, search } = new URL(request.url)
  if (request.method === 'PUT') {
    published.set(hostname, await request.json())
    return new Response('published')
  }
  const count = asked.get(hostname) ?? 0
  if (search === '?asked') return Response.json(count)
  asked.set(hostname, count + 1)
  const answer = published.get(hostname)
  if (answer === undefined || pathname !== '/cdn-cgi/access/certs') return new Response(null, { status: 404 })
  const { keys, status = 200 } = answer
  return Response.json({ keys }, { status })
}
