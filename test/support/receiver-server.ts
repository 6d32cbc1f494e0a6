/** The domain under which the tests' receivers of webhooks stand. */
export const RECEIVER_DOMAIN = 'receivers.example'
/** Where names are looked up when nothing else is said. */
export const RESOLVER_HOST = 'cloudflare-dns.com'

/** How a receiver answers. A list is worked off, its last entry lasts. */
export type Behaviour = {
  status?: number
  hangs?: boolean
  large?: boolean
  location?: string
  /** Whether it answers challenges with their text. */
  confirms?: boolean
  /** Whether it answers with what it was sent. */
  echoes?: boolean
  headers?: Record<string, string>
}
/** A request that came to a receiver, and when, by the clock of the machine. */
export type Received = { path: string; headers: Record<string, string>; body: string }

const behaviours = new Map<string, Behaviour[]>()
const received = new Map<string, Received[]>()
const addresses = new Map<string, string[]>()

/** PUT tells a receiver how to answer, GET gives what it was sent, POST is what a worker sends it. */
export async function serveReceiver(request: Request): Promise<Response> {
  const { hostname, pathname } = new URL(request.url)
  if (request.method === 'PUT') {
    behaviours.set(hostname, await request.json())
    return new Response('told')
  }
  const letters = received.get(hostname) ?? []
  if (request.method === 'GET') return Response.json(letters)
  const body = await request.text()
  letters.push({ path: pathname, headers: Object.fromEntries(request.headers), body })
  received.set(hostname, letters)
  const [next = {}, ...rest] = behaviours.get(hostname) ?? []
  if (rest.length > 0) behaviours.set(hostname, rest)
  const { event, data } = next.confirms ? JSON.parse(body) : {}
  if (event === 'webhook.challenge') return new Response(data.challenge)
  return next.echoes ? new Response(body) : answer(next)
}

async function answer({ status = 200, hangs, large, location, headers: more }: Behaviour): Promise<Response> {
  if (hangs) await new Promise((resolve) => setTimeout(resolve, 12_000))
  const headers = { ...more, ...(location !== undefined && { Location: location }) }
  return new Response(status === 204 || status === 304 ? null : large ? 'x'.repeat(20_000_000) : 'received', {
    status,
    headers,
  })
}

/** DNS over HTTPS in JSON. PUT sets the addresses of a name; a name without any has a public one. */
export async function serveResolver(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url)
  const name = searchParams.get('name') ?? ''
  if (request.method === 'PUT') {
    addresses.set(name, await request.json())
    return new Response('set')
  }
  const wanted = searchParams.get('type') === 'AAAA'
  const found = (addresses.get(name) ?? ['93.184.215.14']).filter(
    (address) => address.includes(':') === wanted,
  )
  const Answer = found.map((data) => ({ name, type: wanted ? 28 : 1, TTL: 60, data }))
  return Response.json({ Status: 0, Answer: [{ name, type: 5, TTL: 60, data: 'alias.example.' }, ...Answer] })
}
