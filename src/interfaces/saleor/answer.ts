import { type Context as HonoContext, Hono } from 'hono'
import { newId } from '../../platform/database/ids.ts'
import { ApiError } from '../../platform/errors.ts'
import { readBody } from '../../platform/http/body.ts'
import type { App } from '../../platform/http/validate.ts'
import type { RouteReply } from '../request/dialect.ts'
import { countFailure, endRefusal, limitAddress, networkOf, refuseGuessing } from '../request/rate-limit.ts'
import { errorReply, jsonReply } from '../request/replies.ts'
import { respond } from '../request/respond.ts'
import { FixedPathsFirst } from '../request/router.ts'
import { serve } from '../request/serve.ts'
import { manifestOf } from './manifest.ts'
import { registerShop } from './register.ts'
import { openOf } from './secrets.ts'
import { saleorDialect, signedRoutes } from './signed-routes.ts'
import { shopOfRequest } from './verify.ts'
import { readHeader } from '../../platform/kit/header.ts'

/** What Saleor asks of the app, by the last part of the path. */
export type SaleorPart = 'manifest' | 'register' | 'taxes' | 'orders'

/** The routes behind a signature. Only `answerSigned` reaches them, with the key of the shop. */
const signed = new Hono<App>({ router: new FixedPathsFirst() })
for (const route of signedRoutes) serve(signed, route, saleorDialect)

const TOKEN = /^[\w-]{32}$/

/** Answers a request of a shop on Saleor. */
export async function answerSaleor(part: SaleorPart, c: HonoContext<App>): Promise<Response> {
  const asked = { request_id: newId('req'), now: new Date() }
  let reply: RouteReply | Response
  try {
    reply =
      part === 'taxes' || part === 'orders'
        ? await answerSigned(part, c, asked.now)
        : await answerLink(part, c, asked.now)
  } catch (thrown) {
    reply = errorReply(thrown, asked.request_id)
  }
  if (reply instanceof Response) return reply
  return respond(asked, { method: c.req.method, path: `/saleor/:id/${part}` }, null, reply)
}

/** The manifest, and the registration: Saleor asks them with the token of the link. */
async function answerLink(
  part: 'manifest' | 'register',
  c: HonoContext<App>,
  now: Date,
): Promise<RouteReply> {
  const { headers, url } = c.req.raw
  await limitAddress(c.env, `/saleor/:id/${part}`, headers)
  const id = c.req.param('id') ?? ''
  const { origin, searchParams } = new URL(url)
  const token = searchParams.get('token') ?? ''
  if (!/^sal_\w{26}$/.test(id) || !TOKEN.test(token)) throw new ApiError('registration_refused')
  if (part === 'manifest') return jsonReply(JSON.stringify(manifestOf(origin, id, token)), 200)
  if (c.env.MAINTENANCE === 'on') throw new ApiError('maintenance')
  await registerShop(c.env, { id, token, headers, body: await readBody(c.req.raw, headers) }, now)
  return jsonReply('{"success":true}', 200)
}

/**
 * A request that the shop has signed. It is answered as one with the key of the shop: scopes, limits, quotas,
 * maintenance and moves of the books are as for all other requests of the account.
 */
async function answerSigned(part: 'taxes' | 'orders', c: HonoContext<App>, now: Date): Promise<Response> {
  const { raw } = c.req
  const body = await readBody(raw, raw.headers)
  const key = await keyOfShop(c, { id: c.req.param('id') ?? '', headers: raw.headers, body }, now)
  const headers = new Headers({ 'Content-Type': 'application/json', Authorization: `Bearer ${key}` })
  const address = readHeader(raw.headers, 'CF-Connecting-IP')
  if (address !== null) headers.set('CF-Connecting-IP', address)
  const request = new Request(`${new URL(raw.url).origin}/saleor/${part}`, { method: 'POST', headers, body })
  return signed.fetch(request, c.env, c.executionCtx)
}

/**
 * The key of the shop that signed. Wrong signatures count against the address for the shop that they name, so
 * one shop does not shut out another that the same host sends for, and a thousand against the address alone.
 * Throws invalid_signature, rate_limited.
 */
async function keyOfShop(
  { env, executionCtx }: HonoContext<App>,
  asked: { id: string; headers: Headers; body: string },
  now: Date,
): Promise<string> {
  const network = networkOf(asked.headers)
  const [of_shop, of_all] = [`${network} ${asked.id.slice(0, 40)}`, `${network} shops`]
  let looked_up = false
  try {
    const { id, api_key } = await shopOfRequest(env, asked, now, {
      background: (work) => executionCtx.waitUntil(work),
      beforeLookUp: () => {
        refuseGuessing(of_shop, now)
        refuseGuessing(of_all, now)
        looked_up = true
      },
    })
    if (looked_up) endRefusal(of_shop)
    return await openOf(env, id, 'api_key', api_key)
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.reason === 'invalid_signature') {
      await countFailure(env, of_shop, now, looked_up)
      await countFailure(env, of_all, now, looked_up, env.RATE_LIMIT_PRO)
    }
    throw thrown
  }
}
