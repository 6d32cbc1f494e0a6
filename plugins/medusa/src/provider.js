const { ModuleProvider, Modules } = require('@medusajs/framework/utils')
const { toMajorUnits } = require('tax-compliance/shop')
const { effectiveRate, minorUnits } = require('./amounts')
const { addressOf, pricedCart, questionOf } = require('./cart')
const { createShop, IDENTIFIER } = require('./shop')

/** The service takes at most so many lines, and a page of products may have more. */
const LINES_MAX = 500

/** Discounts that need a rate are converted with that of the answer before, until nothing changes. */
const ROUNDS_MAX = 4

/** The ids of lines of carts and orders. A page of products asks for variants. */
const OF_A_CART = /^(cali|casm|ordli|ordsm)_/

/** Answers Medusa with the taxes of the service: one tax line for each item and method of shipping. */
class TaxComplianceProvider {
  static identifier = IDENTIFIER

  constructor(cradle, options) {
    this.shop = createShop(options ?? {}, loggerOf(cradle))
  }

  getIdentifier() {
    return IDENTIFIER
  }

  async getTaxLines(itemLines, shippingLines, context) {
    const items = itemLines.map(({ line_item }) => line_item)
    const methods = shippingLines.map(({ shipping_line }) => shipping_line)
    const cart = context.additional_context?.tax_compliance
    if (cart !== undefined) return linesOfCart(this.shop, { cart, items, methods, context })
    if (methods.length > 0 || items.some(({ id }) => OF_A_CART.test(id)))
      throw new Error('@tax-compliance/medusa: call setTaxContext in the hook setTaxLineContext first')
    return linesOfProducts(this.shop, items, context)
  }
}

/** The container of the module throws if it has no logger. */
function loggerOf(cradle) {
  try {
    return cradle.logger ?? console
  } catch {
    return console
  }
}

/** The tax of the whole cart, by one question: Medusa asks for items and for shipping separately. */
async function linesOfCart(shop, { cart, items, methods, context }) {
  const priced = pricedCart(cart)
  const facts = { ...cart, address: addressOf(context.address) }
  const { answer, source } = await answerTo(shop, priced, facts)
  if (answer.fees.length > 0)
    shop.tell({ outcome: 'fee_not_charged', names: answer.fees.map(({ name }) => name) })
  const taxes = taxesOf(priced, answer)
  const lineFor = (tax, what) => ({ ...taxLine(answer, tax, source), ...what })
  const lines = items.map(({ id }) => {
    const index = cart.items.findIndex((item) => item.id === id)
    if (index === -1) throw new Error(`@tax-compliance/medusa: the cart of setTaxContext has no item ${id}`)
    return lineFor(taxes[index], { line_item_id: id })
  })
  return [...lines, ...methods.map(({ id }) => lineFor(taxes.at(-1), { shipping_line_id: id }))]
}

async function answerTo(shop, priced, facts) {
  const mixed = [...priced.lines, priced.shipping].some((line) => line !== null && !line.other.isZero())
  let question = questionOf(shop, priced, facts)
  let answered = await shop.checkout.calculate(question)
  for (let round = 1; mixed && round < ROUNDS_MAX; round += 1) {
    const rates = taxesOf(priced, answered.answer).map(({ tax }) => plainRate(tax))
    const next = questionOf(shop, priced, facts, rates)
    if (JSON.stringify(next) === JSON.stringify(question)) break
    question = next
    answered = await shop.checkout.calculate(question)
  }
  return answered
}

/** The taxes of the lines, the shipping last, each with the rate by which Medusa comes to its amount. */
function taxesOf({ lines, shipping }, { currency, line_items, shipping_cost }) {
  const priced = shipping === null ? lines : [...lines, shipping]
  const answered = shipping_cost === null ? line_items : [...line_items, shipping_cost]
  return priced.map((line, index) => {
    const tax = answered[index]
    const amount = Number(toMajorUnits(tax.tax_amount, currency))
    return { tax, rate: effectiveRate(line, amount) ?? tax.tax_rate }
  })
}

/** The prices of a page of products: no sale, so by the rate in words, which no rounding of a cent bends. */
async function linesOfProducts(shop, items, context) {
  const lines = []
  for (let start = 0; start < items.length; start += LINES_MAX) {
    const some = items.slice(start, start + LINES_MAX)
    const currency = some[0].currency_code.toUpperCase()
    const { answer, source } = await shop.checkout.calculate({
      currency,
      ...(shop.seller !== undefined && { seller: shop.seller }),
      customer: { address: addressOf(context.address) },
      line_items: some.map((item) => ({
        amount: minorUnits(item.unit_price ?? 0, currency),
        product_type: shop.productTypeOf(item),
      })),
    })
    lines.push(
      ...some.map(({ id }, index) => ({
        ...taxLine(
          answer,
          { tax: answer.line_items[index], rate: plainRate(answer.line_items[index]) },
          source,
        ),
        line_item_id: id,
      })),
    )
  }
  return lines
}

/** The rate in words, or what remains of it if the law taxes a part of the price. */
function plainRate({ net_amount, taxable_amount, tax_amount, tax_rate }) {
  return taxable_amount === net_amount || net_amount === 0 ? tax_rate : tax_amount / net_amount
}

/** A tax line. Its name has the rate in words, for people; `data` has the parts and the amounts. */
function taxLine(answer, { tax, rate }, source) {
  const words = tax.tax_breakdown.map(
    (part) => `${part.tax_type.replaceAll('_', ' ')} ${percent(part.rate)} %`,
  )
  return {
    rate: rate * 100,
    code: answer.jurisdiction_id.toLowerCase(),
    name: `${answer.jurisdiction_name} ${words.join(', ') || (tax.taxability_reason ?? 'no tax').replaceAll('_', ' ')}`,
    provider_id: IDENTIFIER,
    data: {
      currency: answer.currency,
      jurisdiction_id: answer.jurisdiction_id,
      net_amount: tax.net_amount,
      taxable_amount: tax.taxable_amount,
      tax_amount: tax.tax_amount,
      tax_rate: tax.tax_rate,
      taxability_reason: tax.taxability_reason,
      breakdown: tax.tax_breakdown,
      source: source === 'memo' ? 'service' : source,
    },
  }
}

function percent(rate) {
  return Math.round(rate * 1_000_000) / 10_000
}

module.exports = ModuleProvider(Modules.TAX, { services: [TaxComplianceProvider] })
module.exports.TaxComplianceProvider = TaxComplianceProvider
