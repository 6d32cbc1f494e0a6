import { Hono } from 'hono'
import * as z from 'zod'
import type { Bindings } from '../../platform/bindings.ts'
import { ApiError } from '../../platform/errors.ts'
import type { App } from '../../platform/http/validate.ts'
import { budgetOf } from '../../platform/invocation-budget.ts'
import { logFault } from '../../platform/kit/log-fault.ts'
import { FixedPathsFirst } from '../request/router.ts'
import { serve } from '../request/serve.ts'
import {
  dropRefusedOrder,
  keepRefusedOrder,
  markTried,
  readRefusedOrders,
  REFUSED_MAX,
  type RefusedOrders,
} from './refused-orders-store.ts'
import { queryShop } from './remote.ts'
import { openOf } from './secrets.ts'
import { saleorDialect, signedRoutes } from './signed-routes.ts'
import {
  type InstallRow,
  keepOrdersProgress,
  type OrdersProgress,
  readDueInstalls,
  takeTurnToReadOrders,
} from './store.ts'
import { ORDERS_QUERY, REFUSED_QUERY } from './subscriptions.ts'

/*
 * Saleor gives an event up after some repeats, so the books would lack a sale or a refund. The catch-up reads
 * the orders that changed since it last did, and brings the books to their state.
 *
 * `orders_read_until` and `orders_cursor` say how far it came. An order is passed only after it is in the
 * books, or its refusal is kept. So a crash reads some orders twice, which changes nothing. Some refused
 * orders are tried again each hour: somebody may have mended what they lack. Only the run that took the turn
 * writes its progress.
 */

/** A shop is asked so often, or each tick while it has more. */
const EVERY_MS = 3_600_000
/** Orders that were changed, but not yet committed, when the shop was asked: they are read again. */
const OVERLAP_MS = 300_000
const SHOPS = 10
/** Of six connections that an invocation may wait for, and with answers of 4 MB in its memory. */
const AT_ONCE = 3
const PAGES = 4
const BYTES_MAX = 4_194_304
const FAULT_MAX = 500

/**
 * The catch-up stops before an order, and goes on there later. The message is for the account, the reason
 * for the log, which names no order.
 */
class NotNow extends Error {
  readonly reason: string

  constructor(reason: string, message: string) {
    super(message)
    this.reason = reason
  }
}

const books = new Hono<App>({ router: new FixedPathsFirst() })
for (const route of signedRoutes) serve(books, route, saleorDialect)

const Page = z.object({
  orders: z.object({
    edges: z.array(
      z.object({
        cursor: z.string().max(2_000),
        node: z.looseObject({
          id: z.string().min(1).max(200),
          number: z.string().max(100),
          updatedAt: z.iso.datetime({ offset: true }),
        }),
      }),
    ),
    pageInfo: z.object({ hasNextPage: z.boolean() }),
  }),
})
type Page = z.output<typeof Page>['orders']
type ReadOrder = Page['edges'][number]['node']

/** Brings the books to the state of the orders of all shops on Saleor. One that hangs lets others go on. */
export async function catchUpWithShops(env: Bindings, now: Date): Promise<void> {
  const small = budgetOf(env) !== null
  const before = new Date(now.getTime() - EVERY_MS).toISOString()
  const due = await readDueInstalls(env.DB, { before, now: now.toISOString() }, small ? 1 : SHOPS)
  const most = small ? { orders: 4, pages: 1 } : { orders: 20, pages: PAGES }
  const take = async () => {
    for (let install = due.shift(); install !== undefined; install = due.shift())
      if (await takeTurnToReadOrders(env.DB, install, now.toISOString()))
        await catchUp(env, install, now, most)
  }
  const taken = await Promise.allSettled(Array.from({ length: AT_ONCE }, take))
  for (const outcome of taken) if (outcome.status === 'rejected') throw outcome.reason
}

/** A shop of which orders are being read. `tried`: the ids of the orders that this run has tried. */
type OpenShop = {
  install: InstallRow
  token: string
  key: string
  refused: RefusedOrders
  tried: Set<string>
}

type Most = { orders: number; pages: number }

/** The progress is kept before refused orders are tried again, whose faults must not lose it. */
async function catchUp(env: Bindings, install: InstallRow, now: Date, most: Most): Promise<void> {
  const progress: OrdersProgress = {
    orders_read_until: install.orders_read_until ?? install.registered_at,
    orders_cursor: install.orders_cursor,
  }
  const keep = (fault: string | null) =>
    keepOrdersProgress(env.DB, install, progress, { now: now.toISOString(), fault })
  const opened = await attempt(install, () => openShop(env, install))
  if (opened.done === null) return keep(opened.fault)
  const shop = opened.done
  const { fault } = await attempt(install, () => readPages(env, shop, progress, now, most))
  // The fault may be the cursor's. `orders_read_until` is as good a place to go on from.
  if (fault !== null) progress.orders_cursor = null
  await keep(fault)
  const again = await attempt(install, () => tryRefusedAgain(env, shop, now, most.orders))
  if (again.fault !== null) await keep(again.fault)
}

/** What some work returns, or what the account is told of its failure, which is logged. */
async function attempt<Done>(
  { id }: InstallRow,
  work: () => Promise<Done>,
): Promise<{ done: Done; fault: null } | { done: null; fault: string }> {
  try {
    return { done: await work(), fault: null }
  } catch (thrown) {
    const later = thrown instanceof NotNow
    logFault({ saleor_install: id, step: 'orders' }, later ? new Error(thrown.reason) : thrown)
    const known = later || thrown instanceof ApiError
    const fault = known ? thrown.message.slice(0, FAULT_MAX) : 'The orders of the shop could not be read'
    return { done: null, fault }
  }
}

async function openShop(env: Bindings, install: InstallRow): Promise<OpenShop> {
  return {
    install,
    token: await openOf(env, install.id, 'auth_token', install.auth_token ?? ''),
    key: await openOf(env, install.id, 'api_key', install.api_key),
    refused: await readRefusedOrders(env.DB, install),
    tried: new Set(),
  }
}

async function readPages(
  env: Bindings,
  shop: OpenShop,
  progress: OrdersProgress,
  now: Date,
  most: Most,
): Promise<void> {
  for (let pages = 0; pages < most.pages; pages += 1) {
    const page = await readPage(env, shop, progress, most.orders)
    for (const { cursor, node } of page.edges) {
      await book(env, shop, node, now)
      pass(progress, cursor, node, now)
    }
    if (page.pageInfo.hasNextPage && page.edges.length > 0) continue
    progress.orders_cursor = null
    return
  }
}

/** Tries those refused orders again that were tried the longest ago. */
async function tryRefusedAgain(env: Bindings, shop: OpenShop, now: Date, most: number): Promise<void> {
  const { install, refused, tried } = shop
  const open = [...refused.open].filter((id) => !tried.has(id)).slice(0, most)
  if (open.length === 0) return
  let ids = open
  const page = await withFewer(open.length, (first) => {
    ids = open.slice(0, first)
    return askForOrders(env, shop, { query: REFUSED_QUERY, variables: { ids, first } })
  })
  await markTried(env.DB, install, ids, now.toISOString())
  for (const { node } of page.edges) await book(env, shop, node, now)
}

/** An order is done. Later runs start shortly before its change, or before now if the shop's clock is off. */
function pass(progress: OrdersProgress, cursor: string, { updatedAt }: ReadOrder, now: Date): void {
  const changed = Math.min(Date.parse(updatedAt), now.getTime())
  const until = new Date(changed - OVERLAP_MS).toISOString()
  const { orders_read_until: before } = progress
  if (before === null || until > before) progress.orders_read_until = until
  progress.orders_cursor = cursor
}

/** Throws shop_unreachable. */
async function readPage(
  env: Bindings,
  shop: OpenShop,
  { orders_read_until, orders_cursor }: OrdersProgress,
  most: number,
): Promise<Page> {
  return withFewer(most, (first) => {
    const variables = { since: orders_read_until, first, after: orders_cursor }
    return askForOrders(env, shop, { query: ORDERS_QUERY, variables })
  })
}

/** Orders with many lines may be too large together: then one is read alone. */
async function withFewer(most: number, ask: (first: number) => Promise<Page>): Promise<Page> {
  try {
    return await ask(most)
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || most === 1) throw thrown
    return ask(1)
  }
}

async function askForOrders(
  env: Bindings,
  { install: { saleor_api_url }, token }: OpenShop,
  { query, variables }: { query: string; variables: { first: number } & Readonly<Record<string, unknown>> },
): Promise<Page> {
  const asked = { query, variables, bytes_max: BYTES_MAX }
  const read = Page.safeParse(await queryShop(env, { saleor_api_url, token }, asked))
  if (!read.success || read.data.orders.edges.length > variables.first) throw new ApiError('shop_unreachable')
  return read.data.orders
}

/**
 * Records an order as if the shop had sent its event: with the key of the shop, by the same rules. If it is
 * refused, keeps the refusal. Passes an order that was dismissed and is as it was then. Throws NotNow if
 * trying again later may help without anybody's doing.
 */
async function book(env: Bindings, shop: OpenShop, order: ReadOrder, now: Date): Promise<void> {
  const { install, refused, tried } = shop
  const { id: order_id, number } = order
  const dismissed_at = refused.dismissed.get(order_id)
  if (dismissed_at !== undefined && Date.parse(order.updatedAt) <= Date.parse(dismissed_at)) return
  const refusal = await refusalOf(env, shop, order)
  tried.add(order_id)
  const known = refused.dismissed.delete(order_id) || refused.open.has(order_id)
  if (refusal === null) {
    refused.open.delete(order_id)
    if (known) await dropRefusedOrder(env.DB, install, order_id)
    return
  }
  if (!known && refused.open.size >= REFUSED_MAX)
    throw new NotNow(
      'too_many_refused',
      `${REFUSED_MAX} orders could not be recorded: record or dismiss some`,
    )
  await keepRefusedOrder(env.DB, install, { order_id, number, ...refusal }, now.toISOString())
  refused.open.add(order_id)
}

const Refusal = z.object({
  reason: z.string(),
  errors: z.array(z.object({ path: z.string() })).default([]),
})

/** Why an order was refused, or null: it is in the books, or need not be. Throws NotNow. */
async function refusalOf(
  env: Bindings,
  { install, key }: OpenShop,
  order: ReadOrder,
): Promise<{ reason: string; field: string | null } | null> {
  const later: Promise<unknown>[] = []
  const context = {
    waitUntil: (work: Promise<unknown>) => void later.push(work),
    passThroughOnException: () => {},
    props: {},
  }
  const request = new Request('https://shop.internal/saleor/orders/read', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` },
    body: JSON.stringify({ order, since: install.registered_at }),
  })
  const response = await books.fetch(request, env, context)
  const answer: unknown = await response.json()
  await Promise.allSettled(later)
  if (response.ok) return null
  const { reason, errors } = Refusal.parse(answer)
  if (response.status >= 500 || [401, 403, 409, 429].includes(response.status))
    throw new NotNow(reason, `Order ${order.number} could not be recorded: ${reason}`)
  logFault({ saleor_install: install.id, step: 'order' }, new Error(reason))
  return { reason, field: errors[0]?.path ?? null }
}
