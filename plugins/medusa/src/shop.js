const { createClient } = require('tax-compliance')
const { createCheckout, gatherSales } = require('tax-compliance/shop')

/** The identifier of the provider: Medusa stores it as `tp_tax_compliance_<id>`. */
const IDENTIFIER = 'tax_compliance'

/** Medusa holds the lock of a cart while it asks, and other calls wait two seconds for that lock. */
const TIME_LIMIT_MS = 1_500

/**
 * What the options of the provider stand for: the client, the checkout, and how the merchant is told.
 * Options that are not ours go to `createCheckout` as they are.
 */
function createShop(options, logger) {
  const {
    url,
    apiKey,
    productType = 'physical_goods',
    seller,
    vatId,
    customerOf,
    shipFrom,
    onFailure,
    onTrouble,
    ...rest
  } = options
  if (!['string', 'function'].includes(typeof productType))
    throw new Error('@tax-compliance/medusa: productType: give a product type, or a function of an item')
  if (typeof onFailure !== 'string')
    throw new Error("@tax-compliance/medusa: onFailure: give 'refuse' or another policy of the client")
  const tax = createClient({ baseUrl: url, apiKey })
  const told = (trouble) => tell(logger, onTrouble, trouble)
  const checkout = createCheckout({
    time_limit_ms: TIME_LIMIT_MS,
    ...rest,
    tax,
    on_failure: onFailure,
    onTrouble: told,
  })
  return {
    tax: gatherSales(tax),
    checkout,
    seller,
    tell: told,
    productTypeOf: (item) => (typeof productType === 'function' ? productType(item) : productType),
    vatIdOf: (cart) => vatId?.(cart),
    customerOf: (cart) => customerOf?.(cart),
    shipFromOf: (cart, location) => (typeof shipFrom === 'function' ? shipFrom(cart, location) : shipFrom),
  }
}

const SENTENCES = {
  refused: () => 'The service is away, and the checkout was refused',
  last_known: () => 'The service is away, and the last known answer was used',
  snapshot: ({ data_version }) =>
    `The service is away, and the copy of the tax data ${data_version} was used`,
  no_tax_region: ({ country }) =>
    `Medusa has no tax region for ${country}, so it charges no tax there: add one with this provider`,
  untaxed: ({ order_id, line_id }) =>
    `Line ${line_id} of order ${order_id} has no tax line: it was not asked`,
  tax_differs: ({ order_id, charged, calculated }) =>
    `Order ${order_id} was charged ${charged} of tax, and ${calculated} were calculated: discounts changed later`,
  pickup_and_shipping: ({ id }) =>
    `The customer fetches a part of ${id}, and gets the other one: all of it is taxed as shipped`,
  fee_not_charged: ({ names }) => `Medusa cannot charge the fee of this sale: ${names.join(', ')}`,
  unrecorded: ({ entry, why }) => `${entry.id} is not in the books: ${why}`,
}

/** Writes it into the log, and calls the merchant. A fault of the merchant's function changes nothing. */
function tell(logger, onTrouble, trouble) {
  const sentence = SENTENCES[trouble.outcome]?.(trouble) ?? `Trouble: ${trouble.outcome}`
  // A refusal of the service by its code: its message may quote what a buyer typed.
  const why = trouble.error instanceof Error ? `: ${trouble.error.reason ?? trouble.error.message}` : ''
  logger.error(`@tax-compliance/medusa: ${sentence}${why}`)
  try {
    Promise.resolve(onTrouble?.(trouble)).catch(() => {})
  } catch {
    // As above.
  }
}

module.exports = { createShop, IDENTIFIER }
