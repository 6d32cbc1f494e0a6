import type { Bindings } from '../../platform/bindings.ts'
import type { Principal, Reader } from '../../platform/context.ts'
import { ApiError } from '../../platform/errors.ts'
import { dayOf } from '../../platform/kit/calendar.ts'
import { logFault } from '../../platform/kit/log-fault.ts'
import { type FoundPrincipal, readPersonPrincipal } from './principal-store.ts'
import { emailOf, type Issuer } from '../people/assertion.ts'
import { recordSeen } from '../people/store.ts'
import { readHeader } from '../../platform/kit/header.ts'
import { trimEnd } from '../../platform/kit/trim-end.ts'

/**
 * The person for whom Access has signed the assertion, in the account of the header X-Account, or in the one
 * to which the person was added first. Always read from the primary: who was removed has no access any more.
 * `beforeLookUp` is called when the assertion is good. Throws invalid_sign_in, sign_in_unavailable,
 * client_header_required and not_a_member.
 */
export async function signIn(
  reader: Reader & { headers: Headers },
  assertion: string,
  beforeLookUp: () => void,
): Promise<Principal> {
  const { env, headers } = reader
  const email = await emailOf(reader, assertion, issuerOf(env))
  // Access signs in by a cookie, which a browser also sends for a page of another origin. Such a page can set
  // no header of its own, because no answer here allows it to (CORS).
  if ((readHeader(headers, 'X-Client') ?? '').trim() === '') throw new ApiError('client_header_required')
  beforeLookUp()
  const account_id = readHeader(headers, 'X-Account')
  const found = await readPersonPrincipal(env.DB, email, account_id)
  if (found === null) throw account_id === null ? ofNoAccount() : new ApiError('not_a_member')
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

/** The variables were set by the operator. A wrong one stops the sign-in, and no key. */
function issuerOf({ ACCESS_ISSUER = '', ACCESS_AUDIENCE = '' }: Bindings): Issuer {
  const issuer = trimEnd(ACCESS_ISSUER.trim(), '/')
  const audience = ACCESS_AUDIENCE.split(',').flatMap((each) => each.trim() || [])
  if (audience.length > 0 && isIssuer(issuer)) return { issuer, audience }
  logFault({ step: 'sign in' }, new Error('ACCESS_ISSUER or ACCESS_AUDIENCE is not valid'))
  throw new ApiError('sign_in_unavailable')
}

/** Keys that came without encryption could be anybody's, unless they come from this machine. */
function isIssuer(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.origin !== text) return false
  return url.protocol === 'https:' || ['localhost', '127.0.0.1'].includes(url.hostname)
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
