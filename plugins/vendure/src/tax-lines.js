'use strict'
const { amountOf, partsOf } = require('./question.js')

/**
 * Vendure keeps tax lines as JSON, so each of ours carries its cents too: `tax`, `base` and the `rate` of the
 * law, for `of`, the amount that was asked. If the amount is another now, the tax line is out of date.
 */
function isCurrent(line) {
  const amount = amountOf(line)
  return (
    Boolean(line.taxLines?.length) && line.taxLines.every(({ of, tax }) => of === amount && tax !== undefined)
  )
}

/** The tax in the amount of a line, and the fees on top of it. Only of a current line. */
function taxOf(line) {
  const sum = (lines) => lines.reduce((total, { tax }) => total + tax, 0)
  return {
    tax: sum(line.taxLines.filter(({ fee }) => !fee)),
    fee: sum(line.taxLines.filter(({ fee }) => fee)),
  }
}

/** Net and gross of a part of an order, by our answer if it is current, else by the arithmetic of Vendure. */
function pricesOf(line) {
  const isLine = 'proratedLinePrice' in line
  if (isCurrent(line)) {
    const amount = amountOf(line)
    const { tax, fee } = taxOf(line)
    const net = line.listPriceIncludesTax ? amount - tax : amount
    return { net, gross: net + tax + fee }
  }
  if (isLine) return { net: line.proratedLinePrice, gross: line.proratedLinePriceWithTax }
  if ('discountedPrice' in line) return { net: line.discountedPrice, gross: line.discountedPriceWithTax }
  return { net: line.price, gross: line.priceWithTax }
}

/** Writes an answer into the tax lines of an order. `vendure` turns minor units into amounts of Vendure. */
function writeAnswer(order, answer, vendure) {
  const { lines, surcharges, shippingLines } = partsOf(order)
  const items = [...lines, ...surcharges]
  items.forEach((line, at) => write(line, taxLinesOf(answer, answer.line_items[at], vendure)))
  const shares = sharesOf(shippingLines.map(amountOf))
  const shipping = answer.shipping_cost && taxLinesOf(answer, answer.shipping_cost, vendure)
  shippingLines.forEach((line, at) =>
    write(
      line,
      shipping.map((each) => shares(each, at)),
    ),
  )
  const [bearer = items[0]] = shippingLines
  for (const { name, tax_amount } of answer.fees)
    bearer.taxLines.push({
      taxRate: 0,
      description: name,
      rate: 0,
      base: 0,
      tax: vendure(tax_amount),
      of: amountOf(bearer),
      fee: true,
    })
}

/**
 * The rates of the law, if Vendure's arithmetic makes our cents of them. Else rates that do: a cap, a partial
 * base or a rounding of the whole document lies between.
 */
function write(line, taxLines) {
  const of = amountOf(line)
  const stamped = taxLines.map((each) => ({ ...each, of }))
  line.taxLines = stamped
  const tax = stamped.reduce((sum, each) => sum + each.tax, 0)
  const net = line.listPriceIncludesTax ? of - tax : of
  if (vendureTaxOf(line) === tax || net === 0) return
  line.taxLines = stamped.map((each) => ({ ...each, taxRate: (each.tax / net) * 100 }))
}

function vendureTaxOf(line) {
  if ('proratedLinePrice' in line) return line.proratedLineTax
  if ('discountedPrice' in line) return line.discountedPriceWithTax - line.discountedPrice
  return line.priceWithTax - line.price
}

function taxLinesOf(answer, line, vendure) {
  const taxes = line.tax_breakdown.map((tax) => ({
    taxRate: percent(tax.rate),
    description: `${placeOf(answer, tax.jurisdiction_id)} ${wordsOf(tax.tax_type)}`,
    rate: percent(tax.rate),
    base: vendure(tax.taxable_amount),
    tax: vendure(tax.tax_amount),
  }))
  if (taxes.reduce((sum, { tax }) => sum + tax, 0) !== vendure(line.tax_amount))
    throw new RangeError('The taxes of a line do not add up to its tax')
  if (taxes.length > 0) return taxes
  const why = line.taxability_reason === null ? '' : `: ${line.taxability_reason.replaceAll('_', ' ')}`
  return [{ taxRate: 0, description: `No tax${why}`, rate: 0, base: vendure(line.net_amount), tax: 0 }]
}

function percent(rate) {
  return Math.round(rate * 100_000_000) / 1_000_000
}

function placeOf({ local, jurisdiction_id, jurisdiction_name }, id) {
  return (
    local?.parts.find((part) => part.id === id)?.name ?? (id === jurisdiction_id ? jurisdiction_name : id)
  )
}

/** `SALES_TAX` is `sales tax`, and `VAT` stays. */
function wordsOf(tax_type) {
  return tax_type.length > 4 ? tax_type.toLowerCase().replaceAll('_', ' ') : tax_type
}

/** Shares an amount by weights, so that the shares add up to it. */
function sharesOf(weights) {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const upTo = (amount, at) => {
    const before = weights.slice(0, at).reduce((sum, weight) => sum + weight, 0)
    return total === 0 ? (at === weights.length ? amount : 0) : Math.round((amount * before) / total)
  }
  const share = (amount, at) => upTo(amount, at + 1) - upTo(amount, at)
  return (line, at) => ({ ...line, tax: share(line.tax, at), base: share(line.base, at) })
}

module.exports = { isCurrent, pricesOf, taxOf, writeAnswer }
