import { CartError, externalId } from './sale.js'
import { refundsOf, ShopError } from './shop-api.js'

/** States of a refund from which it may still come into the books. */
const OPEN = ['open', 'in_progress', 'completed']

/** The rest of an order that was refunded whole or cancelled: once, because both have the same number. */
export async function giveBackRest(order, event, { shop, recorder, tax }) {
  const sale_id = externalId(shop.id, order)
  const sale = await inBooks(tax, sale_id)
  if (isBack(sale, sale_id) || isRefunded(sale)) return
  await recorder.refund(sale_id, { external_id: `${sale_id}-back`, rest: true, reason: event })
}

/**
 * The refunds of parts of an order that Shopware has completed. An earlier event that was lost is made good.
 * `in_part`: the payment says that it was refunded in part. Throws a CartError if no refund says how much.
 */
export async function giveBackParts(order, in_part, { shop, recorder, tax, now }) {
  const sale_id = externalId(shop.id, order)
  if (isBack(await inBooks(tax, sale_id), sale_id)) return
  if (shop.api_key === undefined)
    throw new CartError(`Install the app again to read refunds, and refund a part of ${sale_id} yourself`)
  const refunds = await refundsOf(shop, order.orderNumber)
  await recordAll(refunds, sale_id, { shop, recorder, now })
  if (in_part && !refunds.some(({ state }) => OPEN.includes(state)))
    throw new CartError(`Shopware names no amount: refund the part of the sale ${sale_id} yourself`)
}

/** The kind of an entry of the outbox: an order whose refunds the shop did not tell. */
const QUESTION = 'refunds'

/** The outbox as the recorder sees it: a question to a shop is not for the books. */
export function ofBooks(outbox) {
  return {
    put: (entry) => outbox.put(entry),
    list: async () => (await outbox.list()).filter(({ kind }) => kind !== QUESTION),
    delete: (id) => outbox.delete(id),
  }
}

/** Keeps an order whose shop did not answer, so that it is asked again. */
export function keepQuestion(outbox, { id: shop_id }, { orderNumber: order_number }, in_part) {
  const id = `${QUESTION} ${JSON.stringify([shop_id, order_number, in_part])}`
  return outbox.put({ id, kind: QUESTION, shop_id, order_number, in_part })
}

/** Asks the shops again that did not answer. Those that still do not are asked once, and by the next call. */
export async function askAgain(parts, tell) {
  const away = new Set()
  for (const { id, kind, shop_id, order_number, in_part } of await parts.outbox.list()) {
    if (kind !== QUESTION || away.has(shop_id)) continue
    try {
      const shop = await parts.shops.get(shop_id)
      if (shop === undefined) throw new CartError('The app was uninstalled: refund the part yourself')
      await giveBackParts({ orderNumber: order_number }, in_part, { ...parts, shop })
    } catch (error) {
      if (error instanceof ShopError) away.add(shop_id)
      const why = error instanceof ShopError ? 'away' : 'refused'
      tell({ why, error, order_number })
      if (!(error instanceof CartError)) continue
    }
    await parts.outbox.delete(id)
  }
}

async function recordAll(refunds, sale_id, { shop, recorder, now }) {
  for (const { id, state, amount, at, positions } of refunds) {
    if (state !== 'completed' || amount === 0) continue
    await recorder.refund(sale_id, {
      external_id: `${shop.id}-${id}`,
      amount,
      reason: 'Refund of a part in Shopware',
      // The clock of the shop may be ahead.
      ...(at <= now() && { refunded_at: new Date(at).toISOString() }),
      shop_lines: positions.map(({ shop_line, quantity }) => ({ shop_line, quantity })),
    })
  }
}

/** The sale in the books. Null: it is not there, or the service is away, and the outbox keeps what comes. */
async function inBooks({ transactions }, sale_id) {
  try {
    return await transactions.getByExternalId(sale_id)
  } catch {
    return null
  }
}

function isBack(sale, sale_id) {
  return sale?.refunds.some(({ external_id }) => external_id === `${sale_id}-back`) ?? false
}

/** Whether refunds have given back all lines, with their tax. */
function isRefunded(sale) {
  if (sale === null || sale.refunds.length === 0) return false
  const sold = sale.line_items.reduce((sum, line) => sum + line.net_amount + line.tax_amount, 0)
  return sale.amount_refunded >= sold
}
