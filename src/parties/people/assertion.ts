import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type JWTPayload,
  jwtVerify,
  type JWTVerifyGetKey,
} from 'jose'
import type { Reader } from '../../platform/context.ts'
import { ApiError } from '../../platform/errors.ts'
import { type HeldCopy, stateOf } from '../../platform/kit/held-copy.ts'
import { logFault } from '../../platform/kit/log-fault.ts'
import { heldMap } from '../../platform/kit/memory.ts'
import { canonicalEmail, isEmail } from './email.ts'

/** The tokens of Access have 1 to 2 KB. */
const LENGTH_MAX = 8_192
/** How far the clocks of issuer and service may differ. */
const SKEW_S = 60
const TIMEOUT_MS = 3_000
const BYTES_MAX = 100_000
/** An unknown key is looked for at most so often: tokens with invented keys must not load the issuer. */
const COOLDOWN_MS = 30_000
/** After a failure, the issuer is left alone for so long. */
const PAUSE_MS = 5_000
/**
 * Keys are read again behind an answer, so an outage of the issuer stops nobody for a day. Access rotates its
 * keys every six weeks, and publishes the old one for seven days more.
 */
const AGES = { due_ms: 600_000, old_ms: 86_400_000 }

/** The issuer and its applications (`aud`), each with its own keys. */
export type Issuer = { issuer: string; audience: string[] }

type IssuerKeys = HeldCopy & {
  find: JWTVerifyGetKey
  reload: () => Promise<void>
  failed_at: number
}

const held = heldMap<string, IssuerKeys>()

/**
 * The e-mail of the person for whom the issuer has signed the assertion, in lower case. Throws
 * invalid_sign_in with the cause, and sign_in_unavailable if the keys of the issuer cannot be read.
 */
export async function emailOf(reader: Reader, assertion: string, from: Issuer): Promise<string> {
  if (assertion.length > LENGTH_MAX) throw refusal('It has more than 8,192 characters')
  const { payload } = await verify(reader, assertion, from)
  const { iat = 0, email } = payload
  if (iat > reader.now.getTime() / 1000 + SKEW_S) throw refusal('It is not valid yet')
  if (email === undefined || email === '')
    throw refusal('It names no e-mail: a service token signs in no person, so use an API key')
  if (typeof email !== 'string' || !isEmail(canonicalEmail(email))) throw refusal('Its e-mail is not valid')
  return canonicalEmail(email)
}

async function verify(
  reader: Reader,
  assertion: string,
  { issuer, audience }: Issuer,
): Promise<{ payload: JWTPayload }> {
  const keys = held.get(issuer) ?? keysOf(issuer)
  try {
    return await jwtVerify(assertion, (header, token) => findKey(reader, keys, header, token), {
      issuer,
      audience,
      algorithms: ['RS256'],
      requiredClaims: ['exp', 'iat'],
      clockTolerance: SKEW_S,
      currentDate: reader.now,
    })
  } catch (thrown) {
    if (thrown instanceof ApiError) throw thrown
    throw refusal(causeOf(thrown))
  }
}

/** The key of a token. Old keys are read again first, and others behind the answer. */
async function findKey(
  { now, later }: Reader,
  keys: IssuerKeys,
  ...of: Parameters<JWTVerifyGetKey>
): Promise<Awaited<ReturnType<JWTVerifyGetKey>>> {
  try {
    const state = keys.checked_at === 0 ? 'fresh' : stateOf(keys, now, AGES)
    if (state === 'old') await keys.reload()
    if (state === 'due') later(keys.reload().catch((failure: unknown) => logFault(STEP, failure)))
    return await keys.find(...of)
  } catch (thrown) {
    if (thrown instanceof errors.JWKSNoMatchingKey || thrown instanceof errors.JWKSMultipleMatchingKeys)
      throw thrown
    logFault(STEP, thrown)
    throw new ApiError('sign_in_unavailable')
  }
}

const STEP = { step: 'read the keys of the sign-in' }

/** The keys that an issuer publishes. They are read when the first token asks for one. */
function keysOf(issuer: string): IssuerKeys {
  const find = createRemoteJWKSet(new URL(`${issuer}/cdn-cgi/access/certs`), {
    timeoutDuration: TIMEOUT_MS,
    cooldownDuration: COOLDOWN_MS,
    // AGES decides.
    cacheMaxAge: Number.POSITIVE_INFINITY,
    [customFetch]: (url, init) => readKeys(keys, url, init),
  })
  const keys: IssuerKeys = {
    find,
    reload: () => find.reload(),
    checked_at: 0,
    asked_at: 0,
    failed_at: Number.NEGATIVE_INFINITY,
  }
  held.set(issuer, keys)
  return keys
}

async function readKeys(keys: IssuerKeys, url: string, init: RequestInit): Promise<Response> {
  if (Date.now() < keys.failed_at + PAUSE_MS) throw new Error('they could not be read a moment ago')
  try {
    const response = await fetch(url, init)
    const text = await response.text()
    if (!response.ok || text.length > BYTES_MAX) throw new Error(`status ${response.status}`)
    // What is no set of keys must not count as read: those in memory would be used for ever.
    createLocalJWKSet(JSON.parse(text))
    keys.checked_at = Date.now()
    return new Response(text)
  } catch (thrown) {
    keys.failed_at = Date.now()
    throw thrown
  }
}

function refusal(cause: string): ApiError {
  const advice = 'Load the page again to sign in, or send Authorization: Bearer <key>'
  return new ApiError('invalid_sign_in', { message: `The sign-in is not valid. ${cause}. ${advice}` })
}

const OF_CLAIMS: Readonly<Record<string, string>> = {
  aud: 'It is for another application (aud)',
  iss: 'It is from another issuer (iss)',
  nbf: 'It is not valid yet',
}

function causeOf(thrown: unknown): string {
  if (thrown instanceof errors.JWTExpired) return 'It has ended'
  if (thrown instanceof errors.JWTClaimValidationFailed)
    return OF_CLAIMS[thrown.claim] ?? `Its claim ${thrown.claim} is missing or wrong`
  if (thrown instanceof errors.JOSEAlgNotAllowed) return 'It is not signed with RS256'
  if (thrown instanceof errors.JWSSignatureVerificationFailed) return 'Its signature does not match'
  if (thrown instanceof errors.JWKSNoMatchingKey || thrown instanceof errors.JWKSMultipleMatchingKeys)
    return 'It is signed with a key that the issuer does not publish'
  return 'It is not a signed token (JWT)'
}
