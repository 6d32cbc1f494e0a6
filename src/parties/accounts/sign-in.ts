import type { Bindings } from '../../platform/bindings.ts'
import type { Principal, Reader } from '../../platform/context.ts'
import { ApiError } from '../../platform/errors.ts'
import { dayOf } from '../../platform/kit/calendar.ts'
import { logFault } from '../../platform/kit/log-fault.ts'
import { type FoundPrincipal, readPersonPrincipal } from './principal-store.ts'
import { emailOf, type Issuer } from '../people/assertion.ts'
import { readSession, type PersonSession } from '../people/cookies.ts'
import { isIssuer } from '../people/issuer.ts'
import { recordSeen } from '../people/store.ts'
import { readHeader } from '../../platform/kit/header.ts'
import { trimEnd } from '../../platform/kit/trim-end.ts'

/**
 * The person for whom Access has signed the assertion (`proof`), or whose session is in the cookies. The
 * account is that of the header X-Account, or the one to which the person was added first. Always read from
 * the primary: who was removed has no access any more. `beforeLookUp` is called when the proof is good.
 * Throws invalid_sign_in, sign_in_unavailable, client_header_required and not_a_member.
 */
export async function signIn(
  reader: Reader & { headers: Headers },
  proof: string,
  beforeLookUp: () => void,
): Promise<Principal> {
  const { env, headers } = reader
  const { email, at } = env.ACCESS_ISSUER
    ? { email: await emailOf(reader, proof, issuerOf(env)), at: null }
    : await sessionIn(reader, proof)
  // Both are a cookie, which a browser may also send for a page of another origin. Such a page can set no
  // header of its own, because no answer here allows it to (CORS).
  if ((readHeader(headers, 'X-Client') ?? '').trim() === '') throw new ApiError('client_header_required')
  beforeLookUp()
  const account_id = readHeader(headers, 'X-Account')
  const found = await readPersonPrincipal(env.DB, email, account_id)
  if (found === null) throw account_id === null ? ofNoAccount() : new ApiError('not_a_member')
  const { signed_out_at } = found
  if (at !== null && signed_out_at !== null && at <= Date.parse(signed_out_at)) throw sessionEnded()
  noteSeen(reader, found)
  return found.principal
}

/** The person as the control database says now; null: without access. For a request that has begun. */
export async function readPersonAgain(
  { env }: Reader,
  { person, account_id }: Principal,
): Promise<Principal | null> {
  const found = person === null ? null : await readPersonPrincipal(env.DB, person.email, account_id)
  return found?.principal ?? null
}

async function sessionIn({ env, now }: Reader, cookies: string): Promise<PersonSession> {
  const session = await readSession(env, cookies, now)
  if (session === null) throw sessionEnded()
  return session
}

function sessionEnded(): ApiError {
  return new ApiError('invalid_sign_in', { message: 'Your sign-in has ended. Sign in again' })
}

/** The variables were set by the operator. A wrong one stops the sign-in, and no key. */
function issuerOf({ ACCESS_ISSUER = '', ACCESS_AUDIENCE = '' }: Bindings): Issuer {
  const issuer = trimEnd(ACCESS_ISSUER.trim(), '/')
  const audience = ACCESS_AUDIENCE.split(',').flatMap((each) => each.trim() || [])
  const url = URL.parse(issuer)
  if (audience.length > 0 && url?.origin === issuer && isIssuer(url)) return { issuer, audience }
  logFault({ step: 'sign in' }, new Error('ACCESS_ISSUER or ACCESS_AUDIENCE is not valid'))
  throw new ApiError('sign_in_unavailable')
}

function ofNoAccount(): ApiError {
  const message =
    'You have signed in, but you are not one of the people of an account: ask an owner of the account to ' +
    'add your e-mail'
  return new ApiError('not_a_member', { message })
}

/** Records the first request of a person on a day behind the answer. */
function noteSeen({ env, now, later }: Reader, { principal, last_used_at }: FoundPrincipal): void {
  const today = dayOf(now)
  if (last_used_at === today) return
  const { key_id } = principal
  later(recordSeen(env.DB, principal, today).catch((thrown: unknown) => logFault({ key_id }, thrown)))
}
