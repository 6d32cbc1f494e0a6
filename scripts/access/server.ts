import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { reverseProxy } from '../reverse-proxy.ts'
import { claimsOf, signAssertion, type SigningKey } from './assertion.ts'
import { LOCAL_AUDIENCE } from './local-issuer.ts'

/** What stands in front of a service on this machine. `email`: who is signed in at first; null: nobody. */
type LocalAccess = { service_port: number; issuer: string; key: SigningKey; email: string | null }

/**
 * Does what Cloudflare Access does in front of a service: it publishes its keys, and adds a signed
 * assertion to each request of who is signed in. Instead of a page of an identity provider,
 * `/cdn-cgi/access/as?email=…` signs in as anybody, and `/cdn-cgi/access/logout` signs out.
 */
export function localAccess(access: LocalAccess): Server {
  const proxy = reverseProxy(access.service_port)
  return createServer((incoming, outgoing) => {
    const { pathname, searchParams } = new URL(incoming.url ?? '/', access.issuer)
    if (pathname === '/cdn-cgi/access/certs')
      outgoing.setHeader('Content-Type', 'application/json').end(JSON.stringify(keysOf(access)))
    else if (pathname === '/cdn-cgi/access/as') signedIn(outgoing, searchParams.get('email') ?? '')
    else if (pathname === '/cdn-cgi/access/logout') signedIn(outgoing, '')
    else
      void signed(access, incoming)
        .then(() => proxy.emit('request', incoming, outgoing))
        .catch(() => outgoing.destroy())
  })
}

function keysOf({ key }: LocalAccess): { keys: object[] } {
  return { keys: [key.public_jwk] }
}

/** Nobody is signed in with an empty e-mail. */
function signedIn(outgoing: ServerResponse, email: string): void {
  const cookie = `signed_in=${encodeURIComponent(email)}; Path=/; HttpOnly; SameSite=Lax`
  outgoing.writeHead(302, { 'Set-Cookie': cookie, Location: '/console/' }).end()
}

/** Nobody but the issuer says who has signed in. */
async function signed({ issuer, key, email }: LocalAccess, { headers }: IncomingMessage): Promise<void> {
  delete headers['cf-access-jwt-assertion']
  const cookie = /(?:^|; )signed_in=([^;]*)/.exec(headers.cookie ?? '')?.[1]
  const person = cookie === undefined ? email : decodeURIComponent(cookie)
  if (person === null || person === '') return
  const claims = claimsOf(issuer, LOCAL_AUDIENCE, person, new Date())
  headers['cf-access-jwt-assertion'] = await signAssertion(key, claims)
}
