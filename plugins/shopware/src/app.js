import { ApiError } from 'tax-compliance'
import { createCheckout, createRecorder, TaxUnavailableError } from 'tax-compliance/shop'
import { askAgain, giveBackParts, giveBackRest, keepQuestion, ofBooks } from './give-back.js'
import { CartError, listOf, saleOfCart, saleOfOrder } from './sale.js'
import { ShopError, textOf } from './shop-api.js'
import { isSigned, newSecret, sign } from './signature.js'
import { taxesOf } from './taxes.js'

/** A cart of 100 products is about 5 MB, because Shopware sends all fields of each. */
const BODY_MAX = 20_000_000

/** Shopware drops the connection after 5 s. */
const TIME_LIMIT_MS = 4_000

/** How old a request to register may be: an answer to a copy would give away a secret. */
const REGISTRATION_MAX_SECONDS = 300

/** What of an order reaches the books. */
const PLACED = 'checkout.order.placed'
const GIVEN_BACK = ['state_enter.order_transaction.state.refunded', 'state_enter.order.state.cancelled']

/** What was given back in part: the events name no amount, so the refunds of the order are read. */
const REFUND_COMPLETED = 'state_enter.order_transaction_capture_refund.state.completed'
const GIVEN_BACK_IN_PART = 'state_enter.order_transaction.state.refunded_partially'
/** What changes a sale in a way that no event of Shopware describes: the merchant is told. */
const WRITTEN = 'order.written'

/** A request that is not answered with taxes. The text reaches the log of Shopware. */
class Refused extends Error {
  constructor(status, message) {
    super(message)
    this.status = status
  }
}

/**
 * Where the shops and their secrets are kept.
 *
 * @typedef {object} Shops
 * @property {(id: string) => Promise<object | undefined>} get
 * @property {(shop: object) => Promise<void>} put
 * @property {(id: string) => Promise<void>} delete A shop that is gone is no error
 */

/**
 * The app server of a Shopware app: registration, the tax provider, and the orders for the books. `fetch`
 * takes a Request and resolves to its Response, as a Worker does. `flush` asks the shops again that did not
 * answer, and sends to the books what waits in the outbox: call it from a timer.
 *
 * @param {object} options
 * @param {string} options.appName The name in manifest.xml
 * @param {string} options.appSecret The secret in manifest.xml
 * @param {string} options.url The address at which Shopware reaches this handler
 * @param {import('tax-compliance').TaxClient} options.tax
 * @param {Shops} options.shops
 * @param {import('tax-compliance/shop').Outbox} options.outbox
 * @param {string} options.product_type That of products without the custom field `tax_product_type`
 * @param {import('tax-compliance/shop').OnFailure} options.on_failure
 * @param {(trouble: object) => unknown} options.onTrouble A cart without an answer, or with an old one
 * @param {(unrecorded: object) => unknown} options.onUnrecorded A sale, refund or change that is not in the books
 * @param {(line: object) => string} [options.productTypeOf]
 * @param {object} [options.sale] Fields of each sale, such as `ship_from`
 * @param {(customer: { id: string, number: string }) => unknown} [options.customerOf] The id of the customer at
 *   the service, whose certificates then count
 * @param {object} [options.pickup] Ids of ways of shipping by which customers fetch their goods, each with the
 *   address of the counter, or `true` for the place of the seller
 * @param {number} [options.time_limit_ms] Left out: 4 seconds
 * @param {() => number} [options.now]
 */
export function createShopwareApp(options) {
  const { now = Date.now } = options
  const parts = {
    ...options,
    now,
    base: new URL(options.url.replace(/\/*$/, '/')),
    checkout: createCheckout({ ...options, time_limit_ms: options.time_limit_ms ?? TIME_LIMIT_MS }),
    recorder: createRecorder({ ...options, outbox: ofBooks(options.outbox) }),
    settings: {
      sale: options.sale,
      customerOf: options.customerOf,
      pickup: options.pickup,
      productTypeOf:
        options.productTypeOf ??
        ((line) => line.payload?.customFields?.tax_product_type ?? options.product_type),
    },
  }
  return {
    fetch: async (request) => {
      try {
        return await route(request, parts)
      } catch (error) {
        if (error instanceof Refused) return json({ error: error.message }, error.status)
        throw error
      }
    },
    flush: async () => {
      await askAgain(parts, (unrecorded) => tell(options.onUnrecorded, unrecorded))
      return parts.recorder.flush()
    },
  }
}

function route(request, parts) {
  const { pathname } = new URL(request.url)
  const prefix = parts.base.pathname
  const name = pathname.startsWith(prefix) ? pathname.slice(prefix.length) : ''
  switch (`${request.method} ${name}`) {
    case 'GET register':
      return register(request, parts)
    case 'POST confirm':
      return confirm(request, parts)
    case 'POST tax':
      return provide(request, parts)
    case 'POST orders':
      return record(request, parts)
    case 'POST deleted':
      return forget(request, parts)
    default:
      throw new Refused(404, 'There is no such path: the app has register, confirm, tax, orders and deleted')
  }
}

/**
 * The shop proves that it knows the app secret, and gets a secret of its own, which it has to confirm. A shop
 * that is registered proves its secret too: the app secret is the same in all shops.
 */
async function register(request, { appName, appSecret, base, now, shops }) {
  const query = new URL(request.url).searchParams
  const [id, url, timestamp] = ['shop-id', 'shop-url', 'timestamp'].map((name) => query.get(name) ?? '')
  const signed = `shop-id=${id}&shop-url=${url}&timestamp=${timestamp}`
  if (!(await isSigned(signed, request.headers.get('shopware-app-signature'), appSecret)))
    throw new Refused(401, 'The signature is not that of the app: compare its secret with manifest.xml')
  if (!(Math.abs(now() / 1_000 - Number(timestamp)) <= REGISTRATION_MAX_SECONDS))
    throw new Refused(401, 'The request is older than five minutes: set the clocks of shop and app')
  const before = await shops.get(idOf(id))
  if (before?.secret !== undefined && !(await isSigned(signed, signatureOf(request), before.secret)))
    throw new Refused(401, 'The shop is registered, and this is not signed with its secret: uninstall first')
  const pending = newSecret()
  // The secret in use stays until the new one is confirmed.
  await shops.put({ ...before, id, pending_url: url, pending })
  const proof = await sign(id + url + appName, appSecret)
  return json({ proof, secret: pending, confirmation_url: new URL('confirm', base).href })
}

async function confirm(request, { shops }) {
  const body = await bodyOf(request)
  const { shopId, apiKey, secretKey } = parsed(body)
  const shop = await shops.get(idOf(shopId))
  if (shop?.pending === undefined || !(await isSigned(body, signatureOf(request), shop.pending)))
    throw new Refused(401, 'The signature is not that of the registered shop: install the app again')
  const previous = request.headers.get('shopware-shop-signature-previous')
  if (previous !== null && shop.secret !== undefined && !(await isSigned(body, previous, shop.secret)))
    throw new Refused(401, 'The second signature is not that of the secret in use')
  const api = typeof apiKey === 'string' && { api_key: apiKey, api_secret: String(secretKey) }
  await shops.put({ id: shop.id, url: shop.pending_url, secret: shop.pending, ...api })
  return new Response(null, { status: 204 })
}

/**
 * The app was uninstalled: its secrets are erased, also one that waits for its confirmation. Sales in the
 * outbox stay, because they belong into the books.
 */
async function forget(request, { shops }) {
  const { message, shop } = await authentic(request, shops)
  if (message.data?.event !== 'app.deleted') throw new Refused(400, 'data.event must be app.deleted')
  await shops.delete(shop.id)
  return new Response(null, { status: 204 })
}

/** The taxes of a cart. Shopware takes them as they are. */
async function provide(request, parts) {
  const { message, shop } = await authentic(request, parts.shops)
  const { secret } = shop
  try {
    const question = await questionOf(message, parts.settings)
    const { answer } = await parts.checkout.calculate(question.sale)
    return await signedJson(taxesOf(answer, question, message.cart.deliveries), 200, secret)
  } catch (error) {
    if (error instanceof TaxUnavailableError) return signedJson({ error: error.message }, 503, secret)
    if (!isFaultOfCart(error)) throw error
    tell(parts.onTrouble, { outcome: 'refused', error })
    return signedJson({ error: error.message }, 422, secret)
  }
}

function questionOf(message, settings) {
  const { cart, context = message.salesChannelContext } = message
  if (typeof cart !== 'object' || typeof context !== 'object' || cart === null || context === null)
    throw new Refused(400, 'cart and context are required')
  return saleOfCart({ cart, context }, settings)
}

/** A placed order, or one that was given back, for the books. */
async function record(request, parts) {
  const { shops, recorder, settings, onUnrecorded } = parts
  const { message, shop } = await authentic(request, shops)
  const { event, payload } = message.data ?? {}
  if (event === WRITTEN) return reportEdits(payload, onUnrecorded)
  const order = (Array.isArray(payload) ? payload[0] : payload)?.order
  if (order === undefined) throw new Refused(400, 'data.payload.order is required: give the app order:read')
  try {
    if (event === PLACED) await recorder.sale(await saleOfOrder(order, shop.id, settings))
    else if (GIVEN_BACK.includes(event)) await giveBackRest(order, event, { ...parts, shop })
    else if (event === REFUND_COMPLETED) await giveBackParts(order, false, { ...parts, shop })
    else if (event === GIVEN_BACK_IN_PART) await giveBackParts(order, true, { ...parts, shop })
    else throw new Refused(400, `${event} is not recorded: send the events of manifest.xml`)
  } catch (error) {
    const is_away = error instanceof ShopError
    if (!is_away && !isFaultOfCart(error)) throw error
    if (is_away) await keepQuestion(parts.outbox, shop, order, event === GIVEN_BACK_IN_PART)
    // Not an error for Shopware: it would repeat it in vain, and switch a webhook off after ten errors.
    tell(onUnrecorded, { why: is_away ? 'away' : 'refused', error, order_number: order.orderNumber })
  }
  return new Response(null, { status: 204 })
}

/** The event names the fields that were written. Only a new price is another sale than the recorded one. */
function reportEdits(payload, onUnrecorded) {
  for (const { entity, operation, primaryKey, updatedFields } of listOf(payload, 'data.payload'))
    if (entity === 'order' && operation === 'update' && updatedFields?.includes('price'))
      tell(onUnrecorded, {
        why: 'edited',
        error: new CartError('The price of an order was changed: correct its sale in the books'),
        order_id: primaryKey,
      })
  return new Response(null, { status: 204 })
}

/** The message of a registered shop. */
async function authentic(request, shops) {
  const body = await bodyOf(request)
  const message = parsed(body)
  const shop = await shops.get(idOf(message.source?.shopId))
  if (shop?.secret === undefined || !(await isSigned(body, signatureOf(request), shop.secret)))
    throw new Refused(401, 'The signature is not that of the shop: install the app again')
  return { message, shop }
}

function signatureOf(request) {
  return request.headers.get('shopware-shop-signature')
}

function idOf(id) {
  if (typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id)) throw new Refused(400, 'shopId is required')
  return id
}

async function bodyOf(request) {
  const text = await textOf(request.body, BODY_MAX)
  if (text === null) throw new Refused(413, `The body is larger than ${BODY_MAX} bytes`)
  return text
}

function parsed(body) {
  try {
    const message = JSON.parse(body)
    if (typeof message === 'object' && message !== null) return message
  } catch {
    // As below.
  }
  throw new Refused(400, 'The body must be an object in JSON')
}

/** What trying again does not mend: a refusal of the service, or a price or field that cannot be. */
function isFaultOfCart(error) {
  return [ApiError, CartError, RangeError].some((kind) => error instanceof kind)
}

function tell(callback, news) {
  try {
    Promise.resolve(callback(news)).catch(() => {})
  } catch {
    // A fault of the callback must not change the answer.
  }
}

function json(value, status = 200) {
  return new Response(JSON.stringify(value), { status, headers: { 'Content-Type': 'application/json' } })
}

async function signedJson(value, status, secret) {
  const body = JSON.stringify(value)
  return new Response(body, {
    status,
    headers: { 'Content-Type': 'application/json', 'shopware-app-signature': await sign(body, secret) },
  })
}
