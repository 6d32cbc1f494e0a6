import * as oauth from 'oauth4webapi'
import type { Reader } from '../../platform/context.ts'
import { ApiError } from '../../platform/errors.ts'
import { readBytes } from '../../platform/http/body.ts'
import { logFault } from '../../platform/kit/log-fault.ts'
import { heldMap } from '../../platform/kit/memory.ts'
import type { Attempt } from './cookies.ts'
import { canonicalEmail, isEmail } from './email.ts'
import { isIssuer } from './issuer.ts'

const TIMEOUT_MS = 5_000
const BYTES_MAX = 100_000
/** What the provider says of itself is read again after so long. */
const KEPT_MS = 600_000
/** How far the clocks of provider and service may differ. */
const SKEW_S = 60

/** The provider, and this service as its client. */
type Provider = {
  server: oauth.AuthorizationServer
  client: oauth.Client
  secret: oauth.ClientAuth
  options: { [oauth.customFetch]: typeof readProvider; [oauth.allowInsecureRequests]: boolean }
}

const held = heldMap<string, { server: oauth.AuthorizationServer; read_at: number }>()

/**
 * Begins a sign-in: the address at the provider, and what the browser keeps until it comes back. `again`: the
 * provider asks who it is, also if it knows. Throws sign_in_unavailable.
 */
export async function beginSignIn(
  reader: Reader,
  redirect_uri: string,
  again: boolean,
): Promise<{ url: string; attempt: Omit<Attempt, 'view'> }> {
  const { server, client } = await providerOf(reader)
  const url = URL.parse(server.authorization_endpoint ?? '')
  if (url === null || !['https:', 'http:'].includes(url.protocol))
    throw unavailable('The provider has no authorization_endpoint')
  const attempt = {
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    verifier: oauth.generateRandomCodeVerifier(),
  }
  const asked = {
    client_id: client.client_id,
    redirect_uri,
    response_type: 'code',
    scope: 'openid email',
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(attempt.verifier),
    code_challenge_method: 'S256',
    ...(again && { prompt: 'login' }),
  }
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value)
  return { url: url.href, attempt }
}

/**
 * The verified e-mail of the person whom the provider has sent back with a code. Throws invalid_sign_in with
 * the cause, and sign_in_unavailable if the provider does not answer.
 */
export async function endSignIn(
  reader: Reader,
  answered: URLSearchParams,
  { state, nonce, verifier }: Attempt,
  redirect_uri: string,
): Promise<string> {
  const provider = await providerOf(reader)
  const { server, client, secret, options } = provider
  try {
    const checked = oauth.validateAuthResponse(server, client, answered, state)
    const asked = [checked, redirect_uri, verifier, options] as const
    const response = await oauth.authorizationCodeGrantRequest(server, client, secret, ...asked)
    const expected = { expectedNonce: nonce, requireIdToken: true }
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, expected)
    // The connection has proved who sent the token. The signature also proves it behind a proxy.
    await oauth.validateApplicationLevelSignature(server, response, options)
    const claims = oauth.getValidatedIdTokenClaims(tokens)
    if (claims === undefined) throw refusal('The provider sends no ID token')
    const { email, sub } = claims
    const told = email === undefined ? await userInfo(provider, sub, tokens.access_token) : claims
    return verifiedEmail(told)
  } catch (thrown) {
    throw thrown instanceof ApiError ? thrown : refusalOf(thrown)
  }
}

/** What the provider tells of a person beside the ID token, which need not have the e-mail. */
async function userInfo({ server, client, options }: Provider, sub: string, access_token: string) {
  if (server.userinfo_endpoint === undefined) return { sub }
  const response = await oauth.userInfoRequest(server, client, access_token, options)
  return oauth.processUserInfoResponse(server, client, sub, response)
}

/** An e-mail that the provider has not verified could be that of anybody. */
function verifiedEmail({ email, email_verified }: Readonly<Record<string, unknown>>): string {
  if (typeof email !== 'string' || !isEmail(canonicalEmail(email)))
    throw refusal('The provider tells no e-mail')
  // Some providers write it as a text.
  if (email_verified !== true && email_verified !== 'true')
    throw refusal('The provider has not verified the e-mail (email_verified)')
  return canonicalEmail(email)
}

/** The provider by the variables of the operator. A wrong one stops the sign-in, and no key. */
async function providerOf({ env, now }: Reader): Promise<Provider> {
  const { OIDC_ISSUER = '', OIDC_CLIENT_ID = '', OIDC_CLIENT_SECRET } = env
  const issuer = URL.parse(OIDC_ISSUER.trim())
  if (issuer === null || !isIssuer(issuer) || OIDC_CLIENT_ID.trim() === '')
    throw unavailable('OIDC_ISSUER or OIDC_CLIENT_ID is not valid')
  const options = {
    [oauth.customFetch]: readProvider,
    [oauth.allowInsecureRequests]: issuer.protocol === 'http:',
  }
  const known = held.get(issuer.href)
  const is_old = known === undefined || Math.abs(now.getTime() - known.read_at) > KEPT_MS
  const server = is_old ? await discover(issuer, options) : known.server
  if (is_old) held.set(issuer.href, { server, read_at: now.getTime() })
  const client = { client_id: OIDC_CLIENT_ID.trim(), [oauth.clockTolerance]: SKEW_S }
  return { server, client, secret: secretOf(server, OIDC_CLIENT_SECRET), options }
}

async function discover(issuer: URL, options: Provider['options']): Promise<oauth.AuthorizationServer> {
  try {
    const response = await oauth.discoveryRequest(issuer, options)
    return await oauth.processDiscoveryResponse(issuer, response)
  } catch (thrown) {
    throw thrown instanceof ApiError ? thrown : unavailable(String(thrown))
  }
}

/** Basic is what every provider takes, unless it says otherwise. */
function secretOf(server: oauth.AuthorizationServer, secret = ''): oauth.ClientAuth {
  if (secret === '') return oauth.None()
  const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return ways.includes('client_secret_basic') || !ways.includes('client_secret_post')
    ? oauth.ClientSecretBasic(secret)
    : oauth.ClientSecretPost(secret)
}

type ToProvider = {
  body?: URLSearchParams | null | undefined
  headers: Record<string, string>
  method: string
  redirect: 'manual'
}

/** Asks the provider, whose answer has a bound in time and length. Throws sign_in_unavailable. */
async function readProvider(url: string, { body = null, ...asked }: ToProvider): Promise<Response> {
  try {
    const response = await fetch(url, { ...asked, body, signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (response.status >= 500) throw new Error(`status ${response.status}`)
    const bytes = await readBytes(response, BYTES_MAX, () => new Error(`more than ${BYTES_MAX} bytes`))
    return new Response(bytes, { status: response.status, headers: response.headers })
  } catch (thrown) {
    throw unavailable(`The provider does not answer: ${String(thrown)}`)
  }
}

/** What stands against a sign-in. A refused client is the operator's concern, and no fault of the person. */
function refusalOf(thrown: unknown): ApiError {
  if (thrown instanceof oauth.AuthorizationResponseError)
    return refusal(`The provider refuses it: ${thrown.error.slice(0, 100)}`)
  if (thrown instanceof oauth.ResponseBodyError && thrown.error !== 'invalid_grant')
    return unavailable(`The provider refuses this service: ${thrown.error.slice(0, 100)}`)
  if (thrown instanceof oauth.ResponseBodyError) return refusal('Its code is used, or too old')
  if (thrown instanceof oauth.WWWAuthenticateChallengeError)
    return unavailable('The provider refuses this service')
  return refusal(thrown instanceof Error ? thrown.message.slice(0, 200) : 'It cannot be read')
}

/** The sign-in is refused; the message says why, and what to do. */
export function refusal(cause: string): ApiError {
  return new ApiError('invalid_sign_in', { message: `The sign-in is not valid. ${cause}. Sign in again` })
}

function unavailable(cause: string): ApiError {
  logFault({ step: 'sign in' }, new Error(cause))
  return new ApiError('sign_in_unavailable')
}
