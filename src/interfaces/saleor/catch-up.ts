import { Hono } from 'hono'
import * as z from 'zod'
import type { Bindings } from '../../platform/bindings.ts'
import { ApiError } from '../../platform/errors.ts'
import type { App } from '../../platform/http/validate.ts'
import { budgetOf } from '../../platform/invocation-budget.ts'
import { logFault } from '../../platform/kit/log-fault.ts'
import { FixedPathsFirst } from '../request/router.ts'
import { serve } from '../request/serve.ts'
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
import { ORDERS_QUERY } from './subscriptions.ts'

/*
 * Saleor gives an event up after some repeats, so the books would lack a sale or a refund. The catch-up reads
 * the orders that changed since it last did, and brings the books to their state.
 *
 * `orders_read_until` and `orders_cursor` say how far it came. An order is passed only after it is in the
 * books, or was refused for a reason that trying again does not mend. So a crash reads some orders twice,
 * which changes nothing. Only the run that took the turn writes its progress.
 */

/** A shop is asked so often, or each tick while it has more. */
const EVERY_MS = 3_600_000
/** Orders that were changed, but not yet committed, when the shop was asked: they are read again. */
const OVERLAP_MS = 300_000
const SHOPS = 10
const PAGES = 4
const BYTES_MAX = 4_194_304
const FAULT_MAX = 500

/** An order cannot be recorded for a reason that trying again later may mend. */
class NotNow extends Error {}

const books = new Hono<App>({ router: new FixedPathsFirst() })
for (const route of signedRoutes) serve(books, route, saleorDialect)

const Page = z.object({
  orders: z.object({
    edges: z.array(
      z.object({
        cursor: z.string().max(2_000),
        node: z.looseObject({ number: z.string().max(100), updatedAt: z.iso.datetime({ offset: true }) }),
      }),
    ),
    pageInfo: z.object({ hasNextPage: z.boolean() }),
  }),
})
type Page = z.output<typeof Page>['orders']

/** Brings the books to the state of the orders of all shops on Saleor. */
export async function catchUpWithShops(env: Bindings, now: Date): Promise<void> {
  const small = budgetOf(env) !== null
  const before = new Date(now.getTime() - EVERY_MS).toISOString()
  for (const install of await readDueInstalls(env.DB, before, small ? 1 : SHOPS))
    if (await takeTurnToReadOrders(env.DB, install, now.toISOString()))
      await catchUp(env, install, now, small ? { orders: 4, pages: 1 } : { orders: 20, pages: PAGES })
}

async function catchUp(
  env: Bindings,
  install: InstallRow,
  now: Date,
  most: { orders: number; pages: number },
): Promise<void> {
  const progress: OrdersProgress = {
    orders_read_until: install.orders_read_until ?? install.registered_at,
    orders_cursor: install.orders_cursor,
  }
  let fault: string | null = null
  try {
    const secrets = {
      token: await openOf(env, install.id, 'auth_token', install.auth_token ?? ''),
      key: await openOf(env, install.id, 'api_key', install.api_key),
    }
    for (let pages = 0; pages < most.pages; pages += 1) {
      const page = await readPage(env, install, secrets.token, progress, most.orders)
      for (const { cursor, node } of page.edges) {
        fault = (await book(env, install, secrets.key, node)) ?? fault
        pass(progress, cursor, node)
      }
      if (page.pageInfo.hasNextPage && page.edges.length > 0) continue
      progress.orders_cursor = null
      break
    }
  } catch (thrown) {
    logFault({ saleor_install: install.id, step: 'orders' }, thrown)
    const known = thrown instanceof ApiError || thrown instanceof NotNow
    fault = known ? thrown.message : 'The orders of the shop could not be read'
    // The fault may be the cursor's. `orders_read_until` is as good a place to go on from.
    progress.orders_cursor = null
  }
  const at = { now: now.toISOString(), fault: fault?.slice(0, FAULT_MAX) ?? null }
  await keepOrdersProgress(env.DB, install, progress, at)
}

/** An order is done. Later runs start shortly before its change. */
function pass(progress: OrdersProgress, cursor: string, { updatedAt }: { updatedAt: string }): void {
  const until = new Date(Date.parse(updatedAt) - OVERLAP_MS).toISOString()
  const { orders_read_until: before } = progress
  if (before === null || until > before) progress.orders_read_until = until
  progress.orders_cursor = cursor
}

/** Orders with many lines may be too large together: then one is read alone. Throws shop_unreachable. */
async function readPage(
  env: Bindings,
  install: InstallRow,
  token: string,
  { orders_read_until, orders_cursor }: OrdersProgress,
  most: number,
): Promise<Page> {
  const ask = async (first: number) => {
    const variables = { since: orders_read_until, first, after: orders_cursor }
    const { saleor_api_url } = install
    const asked = { query: ORDERS_QUERY, variables, bytes_max: BYTES_MAX }
    const read = Page.safeParse(await queryShop(env, { saleor_api_url, token }, asked))
    if (!read.success || read.data.orders.edges.length > first) throw new ApiError('shop_unreachable')
    return read.data.orders
  }
  try {
    return await ask(most)
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown
    return ask(1)
  }
}

/**
 * Records an order as if the shop had sent its event: with the key of the shop, by the same rules. Returns
 * why it was refused, or null. Throws NotNow.
 */
async function book(
  env: Bindings,
  install: InstallRow,
  key: string,
  order: { number: string },
): Promise<string | null> {
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
  const { message = '' } = z.object({ message: z.string().optional() }).parse(await response.json())
  await Promise.allSettled(later)
  if (response.ok) return null
  const fault = `Order ${order.number} is not in the books: ${message}`
  if (response.status >= 500 || [401, 403, 409, 429].includes(response.status)) throw new NotNow(fault)
  logFault({ saleor_install: install.id, step: 'order' }, new Error(fault))
  return fault
}
