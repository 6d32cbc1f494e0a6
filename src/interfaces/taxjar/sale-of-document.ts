import type { Context } from '../../platform/context.ts'
import { loadCustomerOf } from '../../parties/customers/known-customers.ts'
import { bookFor } from '../../tax-data/records/book-for.ts'
import { shareByWeight } from '../../engine/arithmetic/allocation.ts'
import { discountedAmount } from '../../engine/sale/lines.ts'
import { findPlace } from '../../engine/supply/place.ts'
import { Refusal } from '../../engine/ground/refusal.ts'
import { at } from '../../engine/ground/invariant.ts'
import { type Draft, draftTransaction } from '../../sales/transactions/record/draft.ts'
import type { TransactionInput } from '../../sales/transactions/sale/schemas.ts'
import { exemptionOfDocument, withExemption, type LineToRecord } from './document-exemptions.ts'
import { isExempting } from './exemption-types.ts'
import { minorUnits } from './amounts.ts'
import type { DocumentFields } from './document.ts'
import { TaxJarError } from './errors.ts'
import { dayIn } from '../../platform/kit/time-zone.ts'
import { destinationOf, sellerOfOrder } from './parties.ts'
import { wholeQuantity } from './tax-lines.ts'
import type { ReadTaxCode } from './tax-codes.ts'

/** A line with its tax in minor units; null: the document does not state it. */
type StatedLine = LineToRecord & { amount: number; discount: number; tax_amount: number }

/** Lines and shipping of a document. They add up to its amount and its tax. */
export type StatedSale = { line_items: StatedLine[]; shipping_cost: TransactionInput['shipping_cost'] }

const DIFFERENCE = 'Difference from the sums of the document'

/**
 * The lines of a document in minor units. What the lines leave of its tax is the tax of its shipping. What
 * neither explains becomes a line of its own, so that the books have the sums of the document.
 */
export function statedSale(fields: DocumentFields, currency: string, readCode: ReadTaxCode): StatedSale {
  const units = (text: string, quantity = '1') => minorUnits(text, currency, quantity)
  const shipping = units(fields.shipping)
  const goods = units(fields.amount) - shipping
  const tax = units(fields.sales_tax)
  const lines = fields.line_items.map((line): StatedLine => ({
    amount: units(line.unit_price, String(line.quantity)),
    quantity: wholeQuantity(String(line.quantity)),
    ...readCode(line.product_tax_code),
    description: line.description,
    reference: line.product_identifier,
    discount: units(line.discount),
    tax_amount: units(line.sales_tax),
  }))
  if (lines.length === 0 && goods !== 0) lines.push(lineOf(goods, 0))
  const rest = goods - lines.reduce((sum, line) => sum + discountedAmount(line), 0)
  if (rest !== 0) lines.push({ ...lineOf(rest, 0), description: DIFFERENCE })
  spreadTax(lines, tax)
  const left = tax - lines.reduce((sum, line) => sum + line.tax_amount, 0)
  const ships = shipping !== 0 && isTaxOf(left, shipping)
  if (left !== 0 && !ships) refuseTaxOfNoSupply(fields, lines)
  if (left !== 0 && !ships) lines.push({ ...lineOf(0, left), description: DIFFERENCE })
  if (lines.length === 0 && shipping === 0) lines.push(lineOf(0, 0))
  const shipped = { amount: shipping, tax_amount: ships ? left : 0 }
  return lines.length === 0
    ? {
        line_items: [{ ...lineOf(shipping, shipped.tax_amount), product_type: 'shipping' }],
        shipping_cost: null,
      }
    : { line_items: lines, shipping_cost: shipping === 0 ? null : shipped }
}

/** A tax is a part of the amount. A document of amount 0 may correct a tax. */
function refuseImpossibleTax({ amount, sales_tax }: DocumentFields, currency: string): void {
  const [units, tax] = [amount, sales_tax].map((text) => Math.abs(minorUnits(text, currency)))
  if (units === undefined || tax === undefined || units === 0 || tax <= units) return
  const detail = `sales_tax ${sales_tax} must not be larger than amount ${amount}: send dollars, not cents`
  throw new TaxJarError(400, detail)
}

/** A tax of the document that none of its lines can bear. Our own route refuses it on the line. */
function refuseTaxOfNoSupply({ sales_tax }: DocumentFields, lines: readonly StatedLine[]): void {
  if (lines.length === 0 || lines.some(({ supply }) => supply !== false)) return
  throw new TaxJarError(400, `sales_tax ${sales_tax} must be 0: all lines pay for no supply`)
}

function lineOf(amount: number, tax_amount: number): StatedLine {
  return {
    amount,
    discount: 0,
    quantity: 1,
    product_type: 'physical_goods',
    description: null,
    reference: null,
    tax_amount,
  }
}

/** If no line states a tax, the tax of the document is shared by the amounts. */
function spreadTax(lines: StatedLine[], tax: number): void {
  if (tax === 0 || lines.some(({ tax_amount }) => tax_amount !== 0)) return
  const weights = lines.map((line) =>
    line.supply === false ? 0 : Math.max(discountedAmount(line) * Math.sign(tax), 0),
  )
  if (weights.every((weight) => weight === 0)) return
  const shares = shareByWeight(tax, weights)
  lines.forEach((line, index) => {
    if (isTaxOf(at(shares, index), discountedAmount(line))) line.tax_amount = at(shares, index)
  })
}

/** Whether a tax can be that of an amount: it has its sign and is not larger. */
function isTaxOf(tax: number, amount: number): boolean {
  return tax === 0 || (Math.sign(tax) === Math.sign(amount) && Math.abs(tax) <= Math.abs(amount))
}

/** What a sale is recorded with that its document does not state. */
export type RecordedAs = {
  currency: string
  /** As our books take it: a day in the time zone of the account, or a moment. */
  transaction_date: string
  external_id: string
  /** Our id of the customer. */
  customer_id: string | null
  metadata?: Record<string, string>
  readCode: ReadTaxCode
}

/** The sale of a document, as our own route would be asked to record it. */
export function saleOfDocument(
  context: Context,
  fields: DocumentFields,
  beside: RecordedAs,
): TransactionInput {
  const { to_country: country } = fields
  if (!country) throw new TaxJarError(406, 'to_country is missing')
  const { customer_id, metadata = {}, readCode, ...named } = beside
  refuseImpossibleTax(fields, beside.currency)
  const { line_items, shipping_cost } = statedSale(fields, beside.currency, readCode)
  const untaxed = isExempting(fields.exemption_type) ? { taxable: false } : {}
  const seller = sellerOfOrder(context, fields, dayOfSale(context, beside.transaction_date))
  return {
    ...named,
    status: 'completed',
    ...(customer_id !== null && { customer_id }),
    customer: { address: destinationOf(fields, country) },
    ...(seller !== undefined && { seller }),
    ...(fields.exemption_type === 'marketplace' && { marketplace: { role: 'facilitated' } }),
    line_items: line_items.map((line) => ({ ...line, ...untaxed })),
    shipping_cost,
    metadata: { ...metadata, taxjar_provider: fields.provider },
  }
}

/** The day of a sale in the time zone of the account: the registrations of that day count. */
function dayOfSale({ principal }: Context, date: string): string {
  return date.length === 10 ? date : dayIn(principal.time_zone, new Date(date))
}

/**
 * The rows of the sale of a document. Of a day without a rate on file, such as one of 2015, the given tax
 * is recorded at the place of the customer.
 */
export async function draftSale(
  context: Context,
  fields: DocumentFields,
  asked: TransactionInput,
): Promise<Draft> {
  const known = await loadCustomerOf(context, asked)
  const book = await bookFor(context)
  const day = dayOfSale(context, asked.transaction_date ?? fields.transaction_date)
  const input = withExemption(asked, exemptionOfDocument(book, fields, known, day))
  // The addresses of a document say where the account is and where its goods leave from.
  const beside = { is_own: true } as const
  try {
    return await draftTransaction(context, book, input, known, beside)
  } catch (thrown) {
    const address = input.customer?.address
    if (!(thrown instanceof Refusal) || thrown.reason !== 'no_rate_for_date' || address === undefined)
      throw thrown
    const { jurisdiction_id } = findPlace(book, address, 'customer.address')
    return draftTransaction(context, book, { ...input, jurisdiction_id }, known, beside)
  }
}
