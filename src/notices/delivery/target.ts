import type { Bindings } from '../../platform/bindings.ts'
import { isPrivateAddress } from './private-addresses.ts'

const LENGTH_MAX = 2_048
const PORTS = new Set(['', '443', '8443'])
/** Names that only exist inside a network, or nowhere. */
const LOCAL_SUFFIXES = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'intra',
  'cluster',
  'svc',
  'test',
  'private',
  'lan',
  'corp',
  'home',
  'arpa',
  'onion',
  'invalid',
]

const DNS_TIMEOUT_MS = 2_000
const DNS_RESOLVER = 'https://cloudflare-dns.com/dns-query'

/** The parsed URL of a webhook, or why it is not allowed. */
type Target = { ok: true; url: string } | { ok: false; why: string }

/**
 * Parses and checks the URL of a webhook. Only https to a public host name: no IP addresses in any notation,
 * no credentials, only the ports 443 and 8443, no local names. ALLOW_LOCAL_WEBHOOKS lifts these rules in
 * development.
 */
export function readTarget(env: Bindings, text: string): Target {
  if (text.length > LENGTH_MAX) return refuse(`must have at most ${LENGTH_MAX} characters`)
  if (!URL.canParse(text)) return refuse('must be an absolute URL')
  const url = new URL(text)
  if (allowsLocal(env) && (url.protocol === 'http:' || url.protocol === 'https:'))
    return { ok: true, url: url.href }
  if (url.protocol !== 'https:')
    return refuse(
      'must begin with https://, unless the service runs by npm run dev or with ALLOW_LOCAL_WEBHOOKS:true',
    )
  if (url.username !== '' || url.password !== '') return refuse('must not contain credentials')
  if (url.hash !== '') return refuse('must not contain a fragment')
  if (!PORTS.has(url.port)) return refuse('must use port 443 or 8443')
  if (!isPublicName(url.hostname)) return refuse('must name a public host, not an IP address or a local name')
  return { ok: true, url: url.href }
}

/**
 * Whether the name resolves to an address that is not public, by DNS over HTTPS. False if the resolver does
 * not answer: the platform itself only connects to public addresses, so this check is a second barrier.
 */
export async function resolvesToPrivate(env: Bindings, url: string): Promise<boolean> {
  return (await addressesOfHost(env, url))?.some(isPrivateAddress) ?? false
}

/** Why the addresses of the host are not allowed for a new webhook: a private one, or none at all. */
export async function refusalOfHost(env: Bindings, url: string): Promise<string | null> {
  const addresses = await addressesOfHost(env, url)
  if (addresses === null) return null
  if (addresses.length === 0) return 'must name a host with an address, and this name has none'
  return addresses.some(isPrivateAddress) ? 'must name a host with public addresses' : null
}

/** The addresses of the host of a URL. Null if the resolver does not answer, or local URLs are allowed. */
async function addressesOfHost(env: Bindings, url: string): Promise<string[] | null> {
  if (allowsLocal(env)) return null
  const { hostname } = new URL(url)
  const [four, six] = await Promise.all([resolve(env, hostname, 'A'), resolve(env, hostname, 'AAAA')])
  const known = [...(four ?? []), ...(six ?? [])]
  // If one of the two questions has no answer, there may be an address that is not known.
  return known.length === 0 && (four === null || six === null) ? null : known
}

/** Whether webhooks may point anywhere, as in development. */
export function allowsLocal({ ALLOW_LOCAL_WEBHOOKS, ENVIRONMENT }: Bindings): boolean {
  return ALLOW_LOCAL_WEBHOOKS === 'true' && ENVIRONMENT !== 'production' && ENVIRONMENT !== 'staging'
}

/**
 * Whether a host name is public. The URL parser has already turned decimal, octal, hexadecimal and full-width
 * addresses into plain ones, and IDN into ASCII.
 */
function isPublicName(hostname: string): boolean {
  const labels = hostname.split('.')
  const last = labels.at(-1) ?? ''
  const named = labels.length > 1 && labels.every((label) => /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?$/.test(label))
  return named && /[a-z]/.test(last) && !LOCAL_SUFFIXES.includes(last)
}

/** The addresses of a type. Null: the resolver does not know whether there are any. */
async function resolve(env: Bindings, name: string, type: 'A' | 'AAAA'): Promise<string[] | null> {
  const query = new URL(env.DNS_RESOLVER_URL ?? DNS_RESOLVER)
  query.searchParams.set('name', name)
  query.searchParams.set('type', type)
  try {
    const response = await fetch(query, {
      headers: { Accept: 'application/dns-json' },
      signal: AbortSignal.timeout(DNS_TIMEOUT_MS),
    })
    return addressesOf(await response.json())
  } catch {
    return null
  }
}

/** What an answer says for certain (RFC 1035, 4.1.1): the name has these records, or it does not exist. */
const NO_ERROR = 0
const NAME_ERROR = 3

/** The addresses of an answer: records of type A (1) and AAAA (28). Null if the answer is a failure. */
function addressesOf(answer: unknown): string[] | null {
  if (typeof answer !== 'object' || answer === null) return null
  if (!('Answer' in answer) || !Array.isArray(answer.Answer)) {
    const certain = 'Status' in answer && (answer.Status === NO_ERROR || answer.Status === NAME_ERROR)
    return certain ? [] : null
  }
  return answer.Answer.flatMap((record: { type?: unknown; data?: unknown }) =>
    (record.type === 1 || record.type === 28) && typeof record.data === 'string' ? [record.data] : [],
  )
}

function refuse(why: string): Target {
  return { ok: false, why }
}
