import { placeInSentence } from '../book/names.ts'
import { taxOfLine } from '../arithmetic/document-tax.ts'
import type { AssessedFee } from '../found/assessment.ts'
import type { DeliveryFee } from '../book/facts.ts'
import { describeThreshold, moneyInWords } from '../book/money-in-words.ts'
import { isWithin, supplyKind } from '../book/product-types.ts'
import { inForce, type RateBook } from '../book/rate-book.ts'
import { linesWithin } from '../sale/lines.ts'
import { findExemption } from '../sale/exemptions.ts'
import type { LineInParts, Part, Walk } from '../found/found.ts'
import type { Sale, SaleLine } from '../sale/sale.ts'

/** The fees of a sale, and what the answer has to say about them. */
type FoundFees = { readonly fees: readonly AssessedFee[]; readonly notes: readonly string[] }

const NO_FEES: FoundFees = { fees: [], notes: [] }
const DELIVERY_UNUSED: FoundFees = {
  fees: [],
  notes: [
    'delivery was not used, because the place of the customer levies no retail delivery fee on this ' +
      'sale',
  ],
}

/**
 * The fee that the place of the customer levies once on a sale whose goods are delivered to it by a motor
 * vehicle (C.R.S. 43-4-218; Minn. Stat. 168E.03). Only a seller with the registration for it charges it.
 */
export function feesOf(walk: Walk, lines: readonly LineInParts[]): FoundFees {
  const { book, customer, sale } = walk
  const record = book.delivery_fees.get(customer.jurisdiction_id)?.find((each) => inForce(each, sale.day))
  // What the customer fetches is not delivered.
  if (sale.delivery === 'pickup') return NO_FEES
  const none = sale.delivery === null ? NO_FEES : DELIVERY_UNUSED
  if (record === undefined) return none
  const counted = lines.flatMap(({ line, parts }) =>
    parts.flatMap((part) => (countsFor(walk, record, line, part) ? { line, part } : [])),
  )
  const price = counted.reduce((sum, { part }) => sum + netOf(part), 0)
  if (price <= 0) return none
  if (sale.delivery !== null && sale.delivery !== 'motor_vehicle') return NO_FEES
  if (sale.currency !== record.currency)
    return { fees: [], notes: [notComputed(book, record, `the sale is in ${sale.currency}`)] }
  if (price < (record.minimum ?? 0)) return none
  if (sale.seller.registrations?.includes(record.scheme) !== true)
    return { fees: [], notes: [notRegistered(book, record, sale.day)] }
  if (record.amount === null)
    return { fees: [], notes: [notComputed(book, record, `its amount for ${sale.day} is not in the data`)] }
  const inclusive = counted.some(({ line }) => line.tax_behavior === 'inclusive')
  return {
    fees: [{ record, tax_amount: record.amount }],
    notes: notesOnCharged(book, sale, record, inclusive),
  }
}

/** Whether a part of a line is goods that the fee looks at. */
function countsFor(
  { book, customer, sale }: Walk,
  fee: DeliveryFee,
  line: SaleLine,
  { terms }: Part,
): boolean {
  const { kind, supplied, registered, charges } = terms
  const { jurisdiction_id } = customer
  if (supplied.supply.kind !== 'taxed' || supplied.place.jurisdiction_id !== jurisdiction_id) return false
  const delivered = linesWithin(line).some(
    ({ product_type }) =>
      supplyKind(product_type) === 'goods' ||
      (isWithin(product_type, 'prepared_food') && sale.shipping !== null),
  )
  if (!delivered || isListed(fee.leaves_out, line.product_type)) return false
  if (isListed(fee.counts, line.product_type))
    return (
      registered &&
      line.taxable &&
      findExemption(book, sale.exemptions, jurisdiction_id, kind, sale.day) === null
    )
  return charges.some((charge) => charge.jurisdiction_id === jurisdiction_id && charge.rate_millionths > 0)
}

function isListed(types: string | null, product_type: string): boolean {
  return types !== null && types.split(' ').some((type) => isWithin(product_type, type))
}

/** The price without tax. */
function netOf(part: Part): number {
  if (part.tax_behavior === 'exclusive') return part.amount
  return taxOfLine(part).reduce((net, tax) => net - tax, part.amount)
}

function notRegistered(book: RateBook, record: DeliveryFee, day: string): string {
  return (
    `${nameOfFee(book, record)} is not in the answer. ${whoOwes(book, record, day)}. If the seller ` +
    `is liable for it, add the registration ${record.scheme}`
  )
}

function notComputed(book: RateBook, record: DeliveryFee, why: string): string {
  return `${nameOfFee(book, record)} is not in the answer: ${why}`
}

/** `The retail delivery fee of Colorado ($0.28 a sale)`. */
function nameOfFee(book: RateBook, { jurisdiction_id, amount, currency }: DeliveryFee): string {
  const size = amount === null ? '' : ` (${moneyInWords(amount, currency)} a sale)`
  return `The retail delivery fee of ${placeInSentence(book, jurisdiction_id)}${size}`
}

function whoOwes(book: RateBook, { jurisdiction_id }: DeliveryFee, day: string): string {
  const threshold = book.thresholds
    .get(jurisdiction_id)
    ?.find((each) => each.threshold_type === 'RETAIL_DELIVERY_FEE' && inForce(each, day))
  if (threshold === undefined) return `No threshold for small retailers is in the data for ${day}`
  const test = threshold.amount_test === 'exceeds' ? 'more than' : 'at least'
  const limit = describeThreshold(threshold)
  return `Retailers with sales of ${test} ${limit} in the year before must pay it`
}

function notesOnCharged(
  book: RateBook,
  { delivery }: Sale,
  { jurisdiction_id }: DeliveryFee,
  inclusive: boolean,
): string[] {
  const fee = `The retail delivery fee of ${placeInSentence(book, jurisdiction_id)}`
  return [
    ...(delivery === null
      ? [`${fee} is in the answer, because delivery by a motor vehicle was ` + `assumed`]
      : []),
    ...(inclusive ? [`The prices contain the sales tax. ${fee} comes on top of them`] : []),
  ]
}
