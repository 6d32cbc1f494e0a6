import type { Bindings } from '../bindings.ts'
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
export type Target = { ok: true; url: string } | { ok: false; why: string }

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
  if (url.protocol !== 'https:') return refuse('must begin with https://')
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
  if (allowsLocal(env)) return false
  const { hostname } = new URL(url)
  const addresses = await Promise.all([resolve(env, hostname, 'A'), resolve(env, hostname, 'AAAA')])
  return addresses.flat().some(isPrivateAddress)
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

async function resolve(env: Bindings, name: string, type: 'A' | 'AAAA'): Promise<string[]> {
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
    return []
  }
}

/** The addresses of an answer: records of type A (1) and AAAA (28). */
function addressesOf(answer: unknown): string[] {
  if (typeof answer !== 'object' || answer === null || !('Answer' in answer) || !Array.isArray(answer.Answer))
    return []
  return answer.Answer.flatMap((record: { type?: unknown; data?: unknown }) =>
    (record.type === 1 || record.type === 28) && typeof record.data === 'string' ? [record.data] : [],
  )
}

function refuse(why: string): Target {
  return { ok: false, why }
}
