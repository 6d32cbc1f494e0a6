import { CartError, listOf, minorUnits } from './sale.js'

/** An order with its refunds, all fields of each. */
const ANSWER_MAX = 5_000_000
const TIME_LIMIT_MS = 10_000

/** Refunds of a payment, as deep as Shopware has them. */
const REFUNDS = { associations: { stateMachineState: {}, positions: {} } }
const ASSOCIATIONS = {
  currency: {},
  transactions: { associations: { captures: { associations: { refunds: REFUNDS } } } },
}

/** The Admin API of the shop does not answer as it should. */
export class ShopError extends Error {
  name = 'ShopError'
}

/**
 * The refunds of an order, which the events of Shopware do not contain: the Admin API is asked with the key
 * that the shop gave when it confirmed. Amounts are in minor units. `positions` are empty unless they add up
 * to the amount, as a refund of shipping has none. Throws a ShopError.
 *
 * @returns {Promise<{ id: string, state: string, amount: number, at: number, positions: object[] }[]>}
 */
export async function refundsOf(shop, order_number) {
  const { access_token } = await ask(shop, 'oauth/token', {
    grant_type: 'client_credentials',
    client_id: shop.api_key,
    client_secret: shop.api_secret,
  })
  const filter = [{ type: 'equals', field: 'orderNumber', value: order_number }]
  const query = { limit: 1, filter, associations: ASSOCIATIONS }
  const { data } = await ask(shop, 'search/order', query, { authorization: `Bearer ${access_token}` })
  const [order] = listOf(data, 'data of the orders')
  if (order === undefined) throw new ShopError(`The shop has no order ${order_number}`)
  return listOf(order.transactions, 'order.transactions')
    .flatMap(({ captures }) => listOf(captures ?? [], 'captures'))
    .flatMap(({ refunds }) => listOf(refunds ?? [], 'refunds'))
    .map((refund) => refundOf(refund, order))
}

function refundOf(refund, order) {
  const { id, stateMachineState, createdAt, updatedAt } = refund
  const currency = order.currency?.isoCode
  if (typeof currency !== 'string') throw new CartError('order.currency is required')
  const amount = minorUnits(refund.amount, currency)
  const positions = listOf(refund.positions ?? [], 'positions').map((position) => ({
    shop_line: position.orderLineItemId,
    quantity: position.quantity,
    amount: minorUnits(position.amount, currency),
  }))
  const sum = positions.reduce((total, position) => total + position.amount, 0)
  return {
    id,
    state: stateMachineState?.technicalName,
    amount,
    at: Date.parse(updatedAt ?? createdAt),
    positions: sum === amount ? positions : [],
  }
}

async function ask(shop, path, body, headers = {}) {
  let response
  let text
  try {
    response = await fetch(`${shop.url.replace(/\/+$/, '')}/api/${path}`, {
      method: 'POST',
      headers: { ...headers, accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(body),
      // A redirect would get the secret of the shop.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIME_LIMIT_MS),
    })
    text = await textOf(response.body, ANSWER_MAX)
  } catch (error) {
    throw new ShopError(`The Admin API of the shop cannot be reached for ${path}`, { cause: error })
  }
  if (!response.ok) throw new ShopError(`The Admin API of the shop answers ${response.status} to ${path}`)
  if (text === null) throw new ShopError(`The answer to ${path} is larger than ${ANSWER_MAX} bytes`)
  try {
    return JSON.parse(text)
  } catch {
    throw new ShopError(`The answer to ${path} is not in JSON`)
  }
}

/** The text of a stream; null if it is longer than `max` bytes. */
export async function textOf(stream, max) {
  const chunks = []
  let size = 0
  for await (const chunk of stream ?? []) {
    size += chunk.byteLength
    if (size > max) return null
    chunks.push(chunk)
  }
  return new Blob(chunks).text()
}
