import { createHash } from 'node:crypto'
import { newSigningKey, signAssertion, type SigningKey } from '../../scripts/access/assertion.ts'

/** Below this domain, each test has an OpenID Connect provider of its own. */
export const OPEN_ID_DOMAIN = '.openid.test'

/** How a provider behaves wrongly, or whom it knows. Left out: as the protocol says. */
export type Behaviour = {
  /** Claims of the ID token that are replaced; null leaves one out. */
  claims?: Record<string, unknown>
  /** What the userinfo endpoint tells. */
  userinfo?: Record<string, unknown>
  /** `none`: unsigned. `other_key`: signed with a key that is not published. `forged`: another payload. */
  signature?: 'none' | 'other_key' | 'forged'
  /** Parts of the discovery document that are replaced. */
  discovery?: Record<string, unknown>
  /** The status of a path instead of its answer. */
  statuses?: Record<string, number>
  /** The person refuses. */
  error?: string
}

type Grant = { challenge: string; nonce: string; redirect_uri: string; used: boolean }

type Provider = {
  key: SigningKey
  other: SigningKey
  grants: Map<string, Grant>
  behaviour: Behaviour
  asked: string[]
}

const providers = new Map<string, Provider>()

export const CLIENT = { id: 'tax service', secret: 'a secret: with+signs/%' }

/**
 * Stands for an OpenID Connect provider in the process that runs the tests: discovery, authorization with
 * PKCE, token, keys and userinfo. PUT says how it behaves, and `?asked` tells which paths were asked.
 */
export async function serveOpenId(request: Request): Promise<Response> {
  const url = new URL(request.url)
  const provider = await providerAt(url.origin)
  if (request.method === 'PUT') {
    provider.behaviour = await request.json()
    return new Response('set')
  }
  if (url.search === '?asked') return Response.json(provider.asked)
  provider.asked.push(url.pathname)
  const status = provider.behaviour.statuses?.[url.pathname]
  if (status !== undefined) return new Response('away', { status })
  if (url.pathname === '/.well-known/openid-configuration')
    return Response.json(documentOf(url.origin, provider))
  if (url.pathname === '/authorize') return authorize(url, provider)
  if (url.pathname === '/token') return token(url.origin, provider, request)
  if (url.pathname === '/keys') return Response.json({ keys: [provider.key.public_jwk] })
  if (url.pathname === '/userinfo' && request.headers.get('Authorization') === 'Bearer access')
    return Response.json({ sub: 'kim', ...provider.behaviour.userinfo })
  return new Response(null, { status: 404 })
}

async function providerAt(origin: string): Promise<Provider> {
  const known = providers.get(origin)
  if (known !== undefined) return known
  const [key, other] = [await newSigningKey(), await newSigningKey()]
  const made = providers.get(origin) ?? { key, other, grants: new Map(), behaviour: {}, asked: [] }
  providers.set(origin, made)
  return made
}

function documentOf(origin: string, { behaviour }: Provider): object {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    jwks_uri: `${origin}/keys`,
    userinfo_endpoint: `${origin}/userinfo`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    authorization_response_iss_parameter_supported: true,
    ...behaviour.discovery,
  }
}

function authorize({ origin, searchParams }: URL, { grants, behaviour }: Provider): Response {
  const asked = (name: string) => searchParams.get(name) ?? ''
  const known =
    asked('client_id') === CLIENT.id &&
    asked('response_type') === 'code' &&
    asked('code_challenge_method') === 'S256'
  if (!known || !asked('scope').split(' ').includes('openid'))
    return new Response('bad request', { status: 400 })
  const back = new URL(asked('redirect_uri'))
  back.searchParams.set('state', asked('state'))
  back.searchParams.set('iss', origin)
  if (behaviour.error === undefined) {
    const code = crypto.randomUUID()
    const [challenge, nonce] = [asked('code_challenge'), asked('nonce')]
    grants.set(code, { challenge, nonce, redirect_uri: asked('redirect_uri'), used: false })
    back.searchParams.set('code', code)
  } else back.searchParams.set('error', behaviour.error)
  return new Response(null, { status: 302, headers: { Location: back.href } })
}

async function token(origin: string, provider: Provider, request: Request): Promise<Response> {
  const form = new URLSearchParams(await request.text())
  const encoded = (text: string) => new URLSearchParams({ '': text }).toString().slice(1)
  const secret = `Basic ${btoa(`${encoded(CLIENT.id)}:${encoded(CLIENT.secret)}`)}`
  const basic = decodeURIComponent(
    atob((request.headers.get('Authorization') ?? '').slice(6)).replaceAll('+', ' '),
  )
  if (basic !== decodeURIComponent(atob(secret.slice(6)).replaceAll('+', ' ')))
    return Response.json({ error: 'invalid_client' }, { status: 401 })
  const grant = provider.grants.get(form.get('code') ?? '')
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url')
  const fits = grant?.challenge === challenge && grant.redirect_uri === form.get('redirect_uri')
  if (grant === undefined || grant.used || !fits)
    return Response.json({ error: 'invalid_grant' }, { status: 400 })
  grant.used = true
  const id_token = await idToken(origin, provider, grant)
  return Response.json({ access_token: 'access', token_type: 'Bearer', expires_in: 300, id_token })
}

async function idToken(
  origin: string,
  { key, other, behaviour }: Provider,
  { nonce }: Grant,
): Promise<string> {
  const iat = Math.floor(Date.now() / 1000)
  const usual = { iss: origin, aud: CLIENT.id, sub: 'kim', iat, exp: iat + 300, nonce, email_verified: true }
  const all = Object.entries({ ...usual, ...behaviour.claims }).filter(([, value]) => value !== null)
  const claims = Object.fromEntries(all)
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  if (behaviour.signature === 'none') return `${encode({ alg: 'none' })}.${encode(claims)}.`
  const signed = await signAssertion(behaviour.signature === 'other_key' ? other : key, claims)
  if (behaviour.signature !== 'forged') return signed
  const [head = '', , signature = ''] = signed.split('.')
  return `${head}.${encode({ ...claims, email: 'owner@example.com' })}.${signature}`
}
