import type { Context as HonoContext } from 'hono'
import {
  attemptCookie,
  NO_ATTEMPT,
  NO_SESSION,
  readAttempt,
  readSession,
  sessionCookie,
} from '../../parties/people/cookies.ts'
import { beginSignIn, endSignIn, refusal } from '../../parties/people/open-id.ts'
import { endSessions } from '../../parties/people/store.ts'
import type { Bindings } from '../../platform/bindings.ts'
import type { Reader } from '../../platform/context.ts'
import { newId } from '../../platform/database/ids.ts'
import { ApiError } from '../../platform/errors.ts'
import { statusOf, toApiError } from '../../platform/http/error-response.ts'
import type { App } from '../../platform/http/validate.ts'
import { readHeader, refuseLong } from '../../platform/kit/header.ts'
import { linkTo } from '../../platform/own-addresses.ts'
import type { RouteReply } from '../request/dialect.ts'
import { limitAddress } from '../request/rate-limit.ts'
import { readerOf } from '../request/reader.ts'
import { errorReply, jsonReply, pageReply } from '../request/replies.ts'
import { respond } from '../request/respond.ts'
import { Layout } from './layout.tsx'

/** A view of the console, as its address has it. Nothing else is opened after a sign-in. */
const VIEW = /^#[\w/?=&.,:%+-]{0,1000}$/

/** An answer, and the cookies that it sets. */
type Step = { reply: RouteReply; cookies: string[] }
type AskedStep = { reader: Reader; request: Request; url: URL }

/** The path of a step, and what it answers. */
const STEPS: Readonly<Record<string, (asked: AskedStep) => Promise<Step>>> = {
  '/sign-in/way': tellWay,
  '/sign-in': begin,
  '/sign-in/callback': end,
  '/sign-in/end': signOut,
}

/**
 * Answers a step of a sign-in at an OpenID Connect provider, at most 60 times a minute per address. No page
 * is kept by a cache, no address goes to another site, and the log has no code.
 */
export async function answerSignIn(c: HonoContext<App>): Promise<Response> {
  const asked = { request_id: newId('req'), now: new Date() }
  const { path, method, raw: request } = c.req
  let step: Step
  try {
    refuseLong('URL', request.url)
    await limitAddress(c.env, path, request.headers)
    const answer = STEPS[path]
    if (answer === undefined || (answer !== tellWay && !signsInByOpenId(c.env)))
      throw new ApiError('route_not_found')
    step = await answer({ reader: readerOf(c, asked.now), request, url: new URL(request.url) })
  } catch (thrown) {
    step = faultOf(thrown, method, asked.request_id)
  }
  const response = respond(asked, { method, path }, null, step.reply)
  for (const cookie of step.cookies) response.headers.append('Set-Cookie', cookie)
  return response
}

/** Access comes first, so nobody has two ways in. */
function signsInByOpenId({ ACCESS_ISSUER, OIDC_ISSUER }: Bindings): boolean {
  return !ACCESS_ISSUER && Boolean(OIDC_ISSUER)
}

/** Tells the console whether it offers the sign-in. */
async function tellWay({ reader }: AskedStep): Promise<Step> {
  return { reply: jsonReply(JSON.stringify({ open_id: signsInByOpenId(reader.env) }), 200), cookies: [] }
}

async function begin({ reader, url }: AskedStep): Promise<Step> {
  const { searchParams } = url
  const again = searchParams.has('again')
  const { url: location, attempt } = await beginSignIn(reader, callbackOf(reader.env, url), again)
  const asked_view = searchParams.get('view') ?? ''
  const view = VIEW.test(asked_view) ? asked_view : ''
  return goTo(location, [await attemptCookie(reader.env, { ...attempt, view }, reader.now)])
}

async function end({ reader, request, url }: AskedStep): Promise<Step> {
  const { env, now } = reader
  const attempt = await readAttempt(env, readHeader(request.headers, 'Cookie') ?? '', now)
  if (attempt === null) throw refusal('It took more than ten minutes, or another browser has begun it')
  const email = await endSignIn(reader, url.searchParams, attempt, callbackOf(env, url))
  return goTo(`/console/${attempt.view}`, [await sessionCookie(env, email, now), NO_ATTEMPT])
}

/** Ends the sessions of the person in all browsers. A page of another origin cannot send the header. */
async function signOut({ reader, request }: AskedStep): Promise<Step> {
  const { env, now } = reader
  if ((readHeader(request.headers, 'X-Client') ?? '').trim() === '')
    throw new ApiError('client_header_required')
  if (env.MAINTENANCE === 'on') throw new ApiError('maintenance')
  const session = await readSession(env, readHeader(request.headers, 'Cookie') ?? '', now)
  if (session !== null) await endSessions(env.DB, session, now)
  return { reply: jsonReply('{"signed_out":true}', 200), cookies: [NO_SESSION] }
}

/** Where the provider sends the browser back to. The operator has told it this address. */
function callbackOf(env: Bindings, asked: URL): string {
  return linkTo(env, 'CONSOLE_URL', '/sign-in/callback') ?? new URL('/sign-in/callback', asked).href
}

function goTo(location: string, cookies: string[]): Step {
  const headers = { Location: location, 'Referrer-Policy': 'no-referrer' }
  return { reply: { body: '', status: 302, headers, reason: null }, cookies }
}

/** A sign-in that has failed is begun anew: its cookie has no use any more. */
function faultOf(thrown: unknown, method: string, request_id: string): Step {
  const error = errorReply(thrown, request_id)
  if (method !== 'GET') return { reply: error, cookies: [] }
  const told = toApiError(thrown)
  const shown: { toString: () => string | Promise<string> } = (
    <Fault message={told.message} request_id={request_id} />
  )
  const page = pageReply(`<!doctype html>${String(shown)}`, statusOf(told))
  const headers = { ...error.headers, ...page.headers, 'Cache-Control': 'no-store' }
  return { reply: { ...page, headers, reason: error.reason }, cookies: [NO_ATTEMPT] }
}

function Fault({ message, request_id }: { message: string; request_id: string }) {
  return (
    <Layout title="Sign in">
      <h1>You are not signed in</h1>
      <p>{`${message}.`}</p>
      <p>
        <a href="/sign-in">Sign in again</a>, or <a href="/console/">open the console</a> with an API key.
      </p>
      <p>{`Request ${request_id}`}</p>
    </Layout>
  )
}
