import { authenticate, cachedPrincipal } from '../../parties/accounts/authenticate.ts'
import type { Principal } from '../../platform/context.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Route } from '../../platform/http/route.ts'
import { late } from '../../platform/kit/late.ts'
import type { AskedRequest } from './asked-request.ts'
import type { Dialect } from './dialect.ts'
import { countFailure, endRefusal, networkOf, refuseGuessing } from './rate-limit.ts'
import { type ReadAhead, readAhead } from './read-ahead.ts'
import { readHeader, SESSION_COOKIE } from '../../platform/kit/header.ts'

/** Who asks. `ahead` was begun while the key was looked up; null: the key was in memory. */
export type Caller = Readonly<{
  principal: Principal
  authorization: string | null
  ahead: ReadAhead | null
}>

type KeyedRoute = Pick<Route, 'scope' | 'checkBody' | 'body_optional'> & { dialect: Dialect | null }

/** With it, Cloudflare Access says who has signed in. */
const ASSERTION = 'Cf-Access-Jwt-Assertion'

/**
 * The caller by the key of a request, or by the sign-in if it has none. Throws invalid_api_key,
 * invalid_sign_in, not_a_member and rate_limited.
 */
export function findCaller(asked: AskedRequest, route: KeyedRoute): Caller | Promise<Caller> {
  const { dialect } = route
  const authorization =
    dialect === null ? readHeader(asked.headers, 'Authorization') : dialect.authorization(asked.request)
  if (authorization === null && dialect === null) {
    const proof = proofOf(asked)
    if (proof !== null) return personOf(asked, proof)
  }
  return authorization instanceof Promise
    ? authorization.then((found) => callerOfKey(asked, route, found))
    : callerOfKey(asked, route, authorization)
}

/** The assertion of Access, or the cookies with that of a session; null: nobody has signed in. */
function proofOf({ env, headers }: AskedRequest): string | null {
  if (env.ACCESS_ISSUER) return readHeader(headers, ASSERTION)
  const cookies = env.OIDC_ISSUER ? readHeader(headers, 'Cookie') : null
  return cookies?.includes(SESSION_COOKIE) ? cookies : null
}

/** Who sends a key never loads what verifies a sign-in. */
const personFinder = late(() => import('./find-person.ts'))

async function personOf(asked: AskedRequest, proof: string): Promise<Caller> {
  const { findPerson } = await personFinder.load()
  return { principal: await findPerson(asked, proof), authorization: null, ahead: null }
}

function callerOfKey(
  asked: AskedRequest,
  route: KeyedRoute,
  authorization: string | null,
): Caller | Promise<Caller> {
  const principal = cachedPrincipal(asked, authorization, route.scope === 'tax:read')
  return principal === null
    ? lookUpCaller(asked, route, authorization)
    : { principal, authorization, ahead: null }
}

/** Failed attempts count against the client's address, never against an account. */
async function lookUpCaller(
  asked: AskedRequest,
  route: KeyedRoute,
  authorization: string | null,
): Promise<Caller> {
  const { env, now, headers } = asked
  const ahead = readAhead(asked, asked.request, authorization, route)
  let looked_up = false
  try {
    const principal = await authenticate(asked, authorization, {
      only_calculates: route.scope === 'tax:read',
      beforeLookUp: () => {
        refuseGuessing(networkOf(headers), now)
        looked_up = true
      },
      afterFound: () => endRefusal(networkOf(headers)),
    })
    await ahead.books
    return { principal, authorization, ahead }
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.reason === 'invalid_api_key')
      await countFailure(env, networkOf(headers), now, looked_up)
    throw thrown
  }
}
