import type { Bindings } from '../../platform/bindings.ts'
import { logFault } from '../../platform/kit/log-fault.ts'
import { SESSION_COOKIE } from '../../platform/kit/header.ts'
import { ApiError } from '../../platform/errors.ts'
import { NoEncryptionKey, seal, unseal } from '../../notices/delivery/secrets.ts'

/** How long a person stays signed in. */
const SESSION_S = 43_200
/** How long a sign-in may take at the provider. */
const ATTEMPT_S = 600
const ATTEMPT_COOKIE = '__Host-sign-in'
/** No cookie of this service is longer. */
const LENGTH_MAX = 4_096

type Settings = Pick<Bindings, 'ENCRYPTION_KEY' | 'ENCRYPTION_KEY_NEXT' | 'OIDC_ISSUER' | 'OIDC_CLIENT_ID'>

/** Who has signed in, and when in milliseconds. */
export type PersonSession = { email: string; at: number }

/** What the browser keeps while its person is at the provider. `view`: the part of the console to open. */
export type Attempt = { state: string; nonce: string; verifier: string; view: string }

type CookieKind = { cookie: string; seconds: number; same_site: 'Strict' | 'Lax' }

/** A request that another site begins is sent without the session, so it acts for nobody. */
const SESSION: CookieKind = { cookie: SESSION_COOKIE, seconds: SESSION_S, same_site: 'Strict' }
/** The provider sends the browser back, and another site begins that. */
const ATTEMPT: CookieKind = { cookie: ATTEMPT_COOKIE, seconds: ATTEMPT_S, same_site: 'Lax' }

/** The value of Set-Cookie for a session that begins now. */
export function sessionCookie(env: Settings, email: string, now: Date): Promise<string> {
  return cookieOf(env, SESSION, { email, at: now.getTime() } satisfies PersonSession)
}

/** The session in the cookies of a request; null: none, or it has ended, or another service made it. */
export async function readSession(env: Settings, cookies: string, now: Date): Promise<PersonSession | null> {
  const session = await openCookie<PersonSession>(env, SESSION, cookies)
  return session !== null && isYoung(session.at, SESSION, now) ? session : null
}

/** The value of Set-Cookie for a sign-in that begins now. */
export function attemptCookie(env: Settings, attempt: Attempt, now: Date): Promise<string> {
  return cookieOf(env, ATTEMPT, { ...attempt, at: now.getTime() })
}

/** The sign-in that this browser has begun; null: none, or too long ago. */
export async function readAttempt(env: Settings, cookies: string, now: Date): Promise<Attempt | null> {
  const attempt = await openCookie<Attempt & { at: number }>(env, ATTEMPT, cookies)
  return attempt !== null && isYoung(attempt.at, ATTEMPT, now) ? attempt : null
}

/** The values of Set-Cookie that end a session, and a sign-in. */
export const NO_SESSION = endOf(SESSION)
export const NO_ATTEMPT = endOf(ATTEMPT)

function endOf({ cookie, same_site }: CookieKind): string {
  return `${cookie}=; Max-Age=0${attributesOf(same_site)}`
}

/** Only this host gets it, over https, and no script reads it. */
function attributesOf(same_site: CookieKind['same_site']): string {
  return `; Path=/; Secure; HttpOnly; SameSite=${same_site}`
}

function isYoung(at: number, { seconds }: CookieKind, now: Date): boolean {
  return at + seconds * 1_000 > now.getTime()
}

async function cookieOf(env: Settings, kind: CookieKind, content: object): Promise<string> {
  const { cookie, seconds, same_site } = kind
  const bytes = new Uint8Array(new TextEncoder().encode(JSON.stringify(content)))
  try {
    const sealed = await seal(env, nameOf(env, kind), bytes, USE)
    return `${cookie}=${sealed}; Max-Age=${seconds}${attributesOf(same_site)}`
  } catch (thrown) {
    if (!(thrown instanceof NoEncryptionKey)) throw thrown
    logFault({ step: 'sign in' }, thrown)
    throw new ApiError('sign_in_unavailable')
  }
}

/** The content is what `cookieOf` sealed, because nobody else has the key. */
async function openCookie<Content>(
  env: Settings,
  kind: CookieKind,
  cookies: string,
): Promise<Content | null> {
  const head = `${kind.cookie}=`
  const found = cookies.split(/; */).find((each) => each.startsWith(head))
  if (found === undefined || found.length > LENGTH_MAX) return null
  try {
    const bytes = await unseal(env, nameOf(env, kind), found.slice(head.length), USE)
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return null
  }
}

const USE = 'sign-in:'

/** Another provider, another client and another kind of cookie open nothing. */
function nameOf({ OIDC_ISSUER, OIDC_CLIENT_ID }: Settings, { cookie }: CookieKind): string {
  return JSON.stringify([cookie, OIDC_ISSUER, OIDC_CLIENT_ID])
}
