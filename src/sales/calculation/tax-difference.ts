import { dayBefore } from '../../platform/kit/calendar.ts'
import { assessSale } from '../../engine/answer/assess.ts'
import type { AssessedLine, Assessment } from '../../engine/found/assessment.ts'
import type { RateBook } from '../../engine/book/rate-book.ts'
import { at } from '../../engine/ground/invariant.ts'
import { Refusal } from '../../engine/ground/refusal.ts'
import { otherSideOfThreshold } from '../../engine/regimes/eu-thresholds.ts'
import type { LocalBook } from '../../engine/regimes/us-local/local-book.ts'
import type { Sale, SaleLine } from '../../engine/sale/sale.ts'

/** Why another service may get another tax for the same sale. */
export const DIFFERENCE_REASONS = [
  'equal',
  'rounding',
  'price_includes_tax',
  'registration',
  'exemption',
  'customer_status',
  'shipping',
  'discount',
  'local_taxes',
  'product_rule',
  'earlier_rate',
  'place_of_supply',
  'unexplained',
] as const
type DifferenceReason = (typeof DIFFERENCE_REASONS)[number]

/** A tax of another service for the sale, and for each of its lines if it says so. Minor units. */
type OtherTax = { tax_amount: number; lines: readonly number[] | null }

/** Our tax minus the other one, with the likely reason as a word and a sentence. */
type TaxDifference = { difference: number; reason: DifferenceReason; detail: string }

type Comparison = TaxDifference & { lines: readonly TaxDifference[] | null }

/** A sale that differs in one thing. If the other tax is right for it, that thing is the likely reason. */
type Supposition = { reason: DifferenceReason; detail: string; sale: Sale; local: LocalBook | null }

/**
 * Compares our assessment with the tax of another service. Looks for the one thing that would have to be
 * different about the sale for the other tax to be right.
 */
export function compareTax(
  sale: Sale,
  book: RateBook,
  local: LocalBook | null,
  ours: Assessment,
  other: OtherTax,
): Comparison {
  const search = firstFitAmong(suppositions(sale, local, ours), book)
  const whole = explainDifference(ours.tax_amount, other.tax_amount, roundings(ours), () =>
    search(({ tax_amount }) => tax_amount === other.tax_amount),
  )
  const lines = other.lines?.map((theirs, index) => {
    const { tax_amount, tax_breakdown } = at(ours.lines, index)
    return explainDifference(tax_amount, theirs, tax_breakdown.length, () =>
      search((supposed) => at(supposed.lines, index).tax_amount === theirs),
    )
  })
  return { ...whole, lines: lines ?? null }
}

/** The number of amounts that were rounded. Two services may differ by one unit in each. */
function roundings({ lines, shipping }: Assessment): number {
  const all: readonly AssessedLine[] = shipping === null ? lines : [...lines, shipping]
  return all.reduce((sum, { tax_breakdown }) => sum + tax_breakdown.length, 0)
}

function explainDifference(
  ours: number,
  theirs: number,
  rounded: number,
  explain: () => Supposition | null,
): TaxDifference {
  const difference = ours - theirs
  if (difference === 0) return { difference, reason: 'equal', detail: 'The figures agree' }
  if (Math.abs(difference) <= rounded)
    return { difference, reason: 'rounding', detail: 'The figures differ by no more than rounding can' }
  const found = explain()
  if (found !== null) return { difference, reason: found.reason, detail: found.detail }
  const detail = 'No single change of the sale leads to the other figure'
  return { difference, reason: 'unexplained', detail }
}

type Fits = (assessment: Assessment) => boolean

/** A search for the first supposition that fits. It assesses each supposition once, if it gets there. */
function firstFitAmong(all: readonly Supposition[], book: RateBook): (fits: Fits) => Supposition | null {
  const assessments: (Assessment | null)[] = []
  return (fits) => {
    for (const [index, supposition] of all.entries()) {
      if (assessments.length === index) assessments.push(assessOrNull(supposition, book))
      const assessment = assessments[index] ?? null
      if (assessment !== null && fits(assessment)) return supposition
    }
    return null
  }
}

/** A supposed sale may be one that the engine refuses, such as one at a place without a region. */
function assessOrNull({ sale, local }: Supposition, book: RateBook): Assessment | null {
  try {
    return assessSale(sale, book, local)
  } catch (thrown) {
    if (thrown instanceof Refusal) return null
    throw thrown
  }
}

/** From the most likely to the least likely. */
function suppositions(sale: Sale, local: LocalBook | null, ours: Assessment): Supposition[] {
  const plain = { ...sale, explain: false }
  const suppose = (reason: DifferenceReason, condition: string, changes: Partial<Sale>): Supposition => ({
    reason,
    detail: `The figures agree if ${condition}`,
    sale: { ...plain, ...changes },
    local,
  })
  return [
    suppose('rounding', 'tax is rounded in the other way', {
      rounding: sale.rounding === 'line' ? 'document' : 'line',
    }),
    suppose(
      'price_includes_tax',
      'the prices are read in the other way, with or without tax',
      otherPrices(sale),
    ),
    suppose('registration', `the seller is ${ours.seller_registered ? 'not ' : ''}registered there`, {
      seller_registered: !ours.seller_registered,
    }),
    ...exemptionSuppositions(sale, suppose),
    ...customerSuppositions(sale, suppose),
    ...shippingSuppositions(sale, suppose),
    ...priceSuppositions(sale, suppose),
    ...(local === null ? [] : [{ ...suppose('local_taxes', 'local taxes are left out', {}), local: null }]),
    ...bundleSuppositions(sale, suppose),
    suppose('product_rule', 'all lines are taxed as general goods', changedLines(sale, GENERAL_GOODS)),
    suppose('product_rule', 'no line is taxed', changedLines(sale, { taxable: false })),
    ...earlierRates(ours).map((day) => suppose('earlier_rate', `the rates of ${day} are used`, { day })),
    ...placeSuppositions(sale, suppose),
  ]
}

const GENERAL_GOODS = { product_type: 'physical_goods', live: false, taxable: true, bundle: [] }

type Suppose = (reason: DifferenceReason, condition: string, changes: Partial<Sale>) => Supposition

function exemptionSuppositions(sale: Sale, suppose: Suppose): Supposition[] {
  const stated = sale.lines.some(({ exemptions }) => exemptions.length > 0)
  if (sale.exemptions.length === 0 && !stated) return []
  const without = { exemptions: [], ...changedLines(sale, { exemptions: [] }) }
  return [suppose('exemption', 'the exemption of the customer is left out', without)]
}

/** The parts of the price that another service may tax or not. */
function priceSuppositions(sale: Sale, suppose: Suppose): Supposition[] {
  const found: Supposition[] = []
  if (sale.lines.some(({ discount }) => discount > 0)) {
    const before = changedLines(sale, { discount: 0, funded_discount: 0 })
    found.push(suppose('discount', 'tax is computed before the discount', before))
  }
  if (sale.lines.some(({ funded_discount }) => funded_discount > 0)) {
    const own = changedLines(sale, { funded_discount: 0 })
    found.push(suppose('discount', 'the discount is not paid for by a third party', own))
  }
  if (sale.lines.some(({ trade_in }) => trade_in > 0))
    found.push(suppose('discount', 'the trade-in is taxed', changedLines(sale, { trade_in: 0 })))
  return found
}

function bundleSuppositions(sale: Sale, suppose: Suppose): Supposition[] {
  if (!sale.lines.some(({ bundle }) => bundle.length > 0)) return []
  const principal = changedLines(sale, { bundle: [] })
  return [suppose('product_rule', 'a bundle is taxed as its principal product', principal)]
}

function customerSuppositions({ customer }: Sale, suppose: Suppose): Supposition[] {
  const consumer = { ...customer, type: 'individual' as const, vat_id: null }
  const { country } = customer.address
  const business = { ...customer, type: 'business' as const, vat_id: { country, good: true, invalid: false } }
  return [
    suppose('customer_status', 'the customer is a consumer', { customer: consumer }),
    suppose('customer_status', 'the customer is a business with a good VAT id', { customer: business }),
  ]
}

function shippingSuppositions({ shipping }: Sale, suppose: Suppose): Supposition[] {
  if (shipping === null) return []
  const { product_type } = GENERAL_GOODS
  return [
    suppose('shipping', 'shipping is not taxed', { shipping: { ...shipping, taxable: false } }),
    suppose('shipping', 'shipping is taxed as general goods', { shipping: { ...shipping, product_type } }),
  ]
}

function placeSuppositions(
  { seller, customer, ship_from, supply_address, importer }: Sale,
  suppose: Suppose,
): Supposition[] {
  const { seller: other, taxed_at } = otherSideOfThreshold(seller)
  const otherImporter = importer === 'seller' ? 'customer' : 'seller'
  const found = [
    suppose('place_of_supply', `distance sales are taxed at the place of the ${taxed_at}`, { seller: other }),
    suppose('place_of_supply', `the ${otherImporter} imports the goods`, { importer: otherImporter }),
  ]
  if (ship_from !== null)
    found.push(
      suppose('place_of_supply', 'the goods leave from the place of the seller', { ship_from: null }),
    )
  if (supply_address !== null)
    found.push(suppose('place_of_supply', 'the place of the supply is left out', { supply_address: null }))
  if (seller.address !== null) {
    const address = seller.address
    const changes = { customer: { ...customer, address }, supply_address: address }
    found.push(suppose('place_of_supply', 'the sale is taxed at the place of the seller', changes))
  }
  return found
}

function changedLines({ lines }: Sale, changes: Partial<SaleLine>): Pick<Sale, 'lines'> {
  return { lines: lines.map((line) => ({ ...line, ...changes })) }
}

function otherPrices({ lines, shipping }: Sale): Pick<Sale, 'lines' | 'shipping'> {
  const other = (line: SaleLine): SaleLine => ({
    ...line,
    tax_behavior: line.tax_behavior === 'exclusive' ? 'inclusive' : 'exclusive',
  })
  return { lines: lines.map(other), shipping: shipping === null ? null : other(shipping) }
}

/** Rates change seldom: the last few changes are enough. */
const CHANGES_MAX = 4

/** The days before the rates of the sale came into force. */
function earlierRates({ rates_used }: Assessment): string[] {
  const days = rates_used.flatMap(({ effective_from }) =>
    effective_from === null ? [] : [dayBefore(effective_from)],
  )
  return [...new Set(days)].slice(0, CHANGES_MAX)
}
