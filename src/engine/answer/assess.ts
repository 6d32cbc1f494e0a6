import type { Charge, FoundBundle, LineInParts, Part, PartsOfLine, Terms, Walk } from '../found/found.ts'
import { type Tax, type TaxableLine, taxOfDocument, taxOfLine } from '../arithmetic/document-tax.ts'
import { MILLION, multiplyAndDivide } from '../arithmetic/rounding.ts'
import type {
  AssessedFee,
  AssessedLine,
  Assessment,
  BreakdownEntry,
  RuleStatus,
  TaxabilityReason,
} from '../found/assessment.ts'
import type { ProductRule, Rate } from '../book/facts.ts'
import type { RateBook } from '../book/rate-book.ts'
import { decisionOf, NO_SALES_KNOWN } from './decision.ts'
import { feesOf } from '../parts/delivery-fees.ts'
import type { chargedNumbersOf } from '../einvoice/charged-numbers.ts'
import type { invoiceFactsOf } from '../einvoice/facts-of-sale.ts'
import { at, invariant } from '../ground/invariant.ts'
import { partsOf, termsLookedAt } from '../parts/parts.ts'
import { Refusal } from '../ground/refusal.ts'
import { ruleStatusOf } from '../terms/rule-status.ts'
import type { Supply } from '../regimes/regime.ts'
import type { LocalBook } from '../regimes/us-local/local-book.ts'
import type { LocalTax } from '../regimes/us-local/local-stack.ts'
import type { Sale, SaleLine } from '../sale/sale.ts'
import { traceOf } from './trace.ts'
import { notesOnUnused } from '../parts/unused-fields.ts'
import { beginWalk } from '../supply/walk.ts'

/** Up to this sum, every amount with its tax is exact in a double. */
const SUM_MAX = 6_500_000_000_000_000

/** What few sales ask for: their readers are in modules that a start does not evaluate. Null: not asked. */
export type AlsoRead = {
  /** For a sale with `einvoice`. */
  invoiceFactsOf: typeof invoiceFactsOf | null
  chargedNumbersOf: typeof chargedNumbersOf | null
}

const NOTHING_ELSE: AlsoRead = { invoiceFactsOf: null, chargedNumbersOf: null }

/**
 * Assesses a sale in seven steps: place, place of supply, who accounts for the tax, registration, rates,
 * exemptions, rounding. Pure: the same sale and book always give the same answer. Throws a Refusal if the
 * caller has to change the request.
 */
export function assessSale(
  sale: Sale,
  book: RateBook,
  local: LocalBook | null = null,
  also: AlsoRead = NOTHING_ELSE,
): Assessment {
  refuseLargeSums(sale)
  const walk = beginWalk(sale, book, local)
  const lines = partsOf(walk)
  const taxesOf = roundTaxes(lines, walk)
  const alone = roundAlone(walk)
  const assessed = lines.map((line) => assessLine(line, taxesOf, alone))
  const { invoiceFactsOf, chargedNumbersOf } = also
  const asked = sale.einvoice
  return summariseSale(walk, lines, assessed, {
    einvoice: asked === null || invoiceFactsOf === null ? null : invoiceFactsOf(walk, lines, taxesOf, asked),
    charged_numbers: chargedNumbersOf === null ? null : chargedNumbersOf(walk, lines),
  })
}

function refuseLargeSums({ lines, shipping }: Sale): void {
  let sum = 0
  for (const [index, { amount }] of lines.entries()) {
    sum += Math.abs(amount)
    if (sum > SUM_MAX) throw tooLarge(`lines[${index}]`)
  }
  if (shipping !== null && sum + Math.abs(shipping.amount) > SUM_MAX) throw tooLarge('shipping')
}

function tooLarge(line: string): Refusal {
  const detail = 'the sum of the amounts of the sale is too large: split the sale'
  return new Refusal('amount_out_of_range', `${line}.amount`, detail)
}

/** The taxes on the taxed amount of a part. */
type TaxesOf = (taxable: TaxableLine<Charge>) => readonly Tax<Charge>[]

/** Step 7. `line` rounding rounds each tax by itself; `document` rounding rounds each sum of equal taxes. */
function roundTaxes(lines: readonly LineInParts[], walk: Walk): TaxesOf {
  if (walk.sale.rounding === 'line') return roundAlone(walk)
  const taxed = lines.flatMap(({ parts }) => parts.map(({ taxable }) => taxable))
  const document = taxOfDocument(taxed, unitOf(walk))
  return (taxable) => invariant(document.get(taxable), 'each part is taxed')
}

/** Rounds the taxes of a line by themselves. */
function roundAlone(walk: Walk): TaxesOf {
  const unit = unitOf(walk)
  if (unit === 1) return taxOfLine
  return (taxable) => invariant(taxOfDocument([taxable], unit).get(taxable), 'the line is taxed')
}

/** The smallest tax in the currency of the sale, minor units. */
function unitOf({ sale, customer: { law } }: Walk): number {
  return law.tax_unit?.currency === sale.currency ? law.tax_unit.minor_units : 1
}

function assessLine(inParts: LineInParts, taxesOf: TaxesOf, alone: TaxesOf): AssessedLine {
  const { line, price, parts, notes, bundle } = inParts
  const looked = termsLookedAt(inParts)
  const breakdown: BreakdownEntry[] = []
  let tax_amount = 0
  let taxable_amount = 0
  for (const part of parts) {
    const taxes = taxesOf(part.taxable)
    const tax = sumOf(taxes)
    tax_amount += tax
    taxable_amount += addToBreakdown(breakdown, part, taxes, tax)
  }
  const terms = termsOfLargest(parts)
  const { supply } = terms.supplied
  const taxed = taxable_amount !== 0
  return {
    discount: line.discount,
    jurisdiction_id: supply.place,
    exported_from: exportedFrom(supply),
    net_amount: line.tax_behavior === 'inclusive' ? price - tax_amount : price,
    taxable: taxed,
    taxable_amount,
    rate_millionths: taxed ? rateOfLine(parts, tax_amount, taxable_amount) : 0,
    tax_amount,
    taxability_reason: terms.reason ?? reasonOfParts(line, parts),
    reason_detail: tax_amount === 0 ? (terms.detail ?? 'Tax on this amount rounds to 0') : null,
    tax_if_registered: terms.reason === 'not_collecting' ? taxIfRegistered(parts, alone) : null,
    tax_breakdown: breakdown,
    rule: statusOf(looked, bundle),
    notes: notes.length === 0 ? notesOfTerms(looked) : [...notesOfTerms(looked), ...notes],
  }
}

/** Why a line that is taxed at the plain rate bears less than that on its price; null: it does not. */
function reasonOfParts({ trade_in }: SaleLine, parts: PartsOfLine): TaxabilityReason | null {
  if (parts.some(isFree)) return 'portion_product_exempt'
  if (trade_in === 0) return null
  return parts.some(({ amount, taxable }) => Math.abs(taxable.base) < Math.abs(amount))
    ? 'taxable_basis_reduced'
    : null
}

function notesOfTerms(looked: readonly Terms[]): readonly string[] {
  return looked.length === 1 ? at(looked, 0).notes : [...new Set(looked.flatMap(({ notes }) => notes))]
}

/** Terms without a treatment have no product rule to look for: the supply is not taxed here at all. */
function statusOf(looked: readonly Terms[], bundle: FoundBundle | null): RuleStatus {
  const status = ruleStatusOf(
    looked.length === 1 ? at(looked, 0).treatments : looked.flatMap(({ treatments }) => treatments),
  )
  return status === 'specific' && bundle?.certain === false ? 'uncertain' : status
}

function exportedFrom(supply: Supply): string | null {
  const origin = supply.kind === 'taxed' ? supply.at_origin : supply
  return origin?.kind === 'untaxed' && origin.reason === 'export' ? origin.place : null
}

function isFree({ terms }: Part): boolean {
  return terms.charges.length === 0
}

function sumOf(taxes: readonly Tax<Charge>[]): number {
  let sum = 0
  for (const { tax_amount } of taxes) sum += tax_amount
  return sum
}

/** Adds the part's taxes to the line's breakdown. Returns its taxable amount. */
function addToBreakdown(
  breakdown: BreakdownEntry[],
  { taxable: { base, tax_behavior } }: Part,
  taxes: readonly Tax<Charge>[],
  tax: number,
): number {
  const net = tax_behavior === 'inclusive' ? base - tax : base
  let taxable_amount = 0
  for (const { component, tax_amount } of taxes) {
    const taxable = shownBase(net, tax_behavior, component, taxes)
    if (Math.abs(taxable) > Math.abs(taxable_amount)) taxable_amount = taxable
    addEntry(breakdown, component, taxable, tax_amount)
  }
  return taxable_amount
}

/**
 * The part of the net price that a tax falls on. Of a price with tax, the tax is rounded first. If the
 * rounded part would bear another tax, a unit more or less is shown, so that the tax is that of this base.
 */
function shownBase(
  net: number,
  tax_behavior: TaxableLine['tax_behavior'],
  { fraction_millionths }: Charge,
  taxes: readonly Tax<Charge>[],
): number {
  if (fraction_millionths === MILLION) return net
  const part = multiplyAndDivide(net, fraction_millionths, MILLION)
  if (tax_behavior === 'exclusive') return part
  const onPart = taxes.filter(({ component }) => component.fraction_millionths === fraction_millionths)
  const rates = onPart.reduce((sum, { component }) => sum + component.rate_millionths, 0)
  const tax = sumOf(onPart)
  return [part, part + 1, part - 1].find((base) => multiplyAndDivide(base, rates, MILLION) === tax) ?? part
}

type EntryOf = Pick<Charge, 'jurisdiction_id' | 'tax_type' | 'levied_as' | 'category' | 'rate_millionths'>

function addEntry(
  breakdown: BreakdownEntry[],
  { jurisdiction_id, tax_type, levied_as, category, rate_millionths }: EntryOf,
  taxable_amount: number,
  tax_amount: number,
): void {
  for (const entry of breakdown) {
    const same = entry.rate_millionths === rate_millionths && entry.jurisdiction_id === jurisdiction_id
    if (same && entry.tax_type === tax_type && entry.levied_as === levied_as) {
      entry.taxable_amount += taxable_amount
      entry.tax_amount += tax_amount
      return
    }
  }
  breakdown.push({
    jurisdiction_id,
    tax_type,
    levied_as,
    category,
    rate_millionths,
    taxable_amount,
    tax_amount,
  })
}

/** The terms that explain a line: the terms of its largest taxed part, or of its largest part. */
function termsOfLargest(parts: PartsOfLine): Terms {
  let [largest] = parts
  for (const part of parts) {
    const taxedFirst = Number(!isFree(part)) - Number(!isFree(largest))
    if (taxedFirst > 0 || (taxedFirst === 0 && Math.abs(part.amount) > Math.abs(largest.amount)))
      largest = part
  }
  return largest.terms
}

function rateOfLine(parts: readonly Part[], tax_amount: number, taxable_amount: number): number {
  let only: number | null = null
  for (const { terms } of parts) {
    if (terms.charges.length === 0) continue
    let rate = 0
    for (const charge of terms.charges) rate += charge.rate_millionths
    if (only !== null && only !== rate) return averageRate(tax_amount, taxable_amount)
    only = rate
  }
  return only ?? averageRate(tax_amount, taxable_amount)
}

function averageRate(tax_amount: number, taxable_amount: number): number {
  if (taxable_amount === 0) return 0
  return multiplyAndDivide(tax_amount, MILLION, Math.abs(taxable_amount)) * Math.sign(taxable_amount)
}

function taxIfRegistered(parts: readonly Part[], alone: TaxesOf): number {
  let sum = 0
  for (const { taxable, terms } of parts)
    for (const { tax_amount } of alone({ ...taxable, components: terms.uncollected })) sum += tax_amount
  return sum
}

function summariseSale(
  walk: Walk,
  lines: readonly LineInParts[],
  assessed: AssessedLine[],
  { einvoice, charged_numbers }: Pick<Assessment, 'einvoice' | 'charged_numbers'>,
): Assessment {
  const { customer, sale } = walk
  const { terms, alone, notes } = gather(walk, lines)
  const shipping = sale.shipping === null ? null : (assessed.at(-1) ?? null)
  const tax_breakdown: BreakdownEntry[] = []
  let subtotal = 0
  let tax_amount = 0
  for (const line of assessed) {
    subtotal += line.net_amount
    tax_amount += line.tax_amount
    for (const entry of line.tax_breakdown)
      addEntry(tax_breakdown, entry, entry.taxable_amount, entry.tax_amount)
  }
  const { fees, notes: notesOnFees } = feesOf(walk, lines)
  const rate_millionths = rateOfSale(assessed, tax_amount)
  for (const fee of fees) {
    tax_amount += fee.tax_amount
    addEntry(tax_breakdown, entryOfFee(fee), 0, fee.tax_amount)
  }
  const jurisdiction_id = jurisdictionOf(walk, assessed)
  return {
    jurisdiction_id,
    customer_jurisdiction_id: customer.jurisdiction_id,
    coverage: coverageOfSale(walk, jurisdiction_id, terms),
    local: terms.find((each) => each.local !== null)?.local ?? null,
    subtotal,
    discount_amount: discountOf(lines),
    tax_amount,
    total: subtotal + tax_amount,
    rate_millionths,
    seller_registered: terms.some((each) => each.registered) || isRegisteredAtCustomer(walk),
    reverse_charge: terms.some((each) => each.supplied.supply.kind === 'reverse_charge'),
    lines: shipping === null ? assessed : assessed.slice(0, -1),
    shipping,
    fees,
    tax_breakdown,
    decision: decisionOf(walk, terms, NO_SALES_KNOWN),
    exemption: terms.find((each) => each.exemption !== null)?.exemption ?? null,
    notes: [...notes, ...notesOnFees],
    trace: sale.explain ? traceOf(walk, lines, assessed, fees) : null,
    einvoice,
    charged_numbers,
    ...recordsUsed(alone.length === 0 ? terms : [...terms, ...alone]),
  }
}

function entryOfFee({ record: { jurisdiction_id } }: AssessedFee): EntryOf {
  const tax_type = 'RETAIL_DELIVERY_FEE'
  return { jurisdiction_id, tax_type, levied_as: null, category: 'standard', rate_millionths: 0 }
}

/**
 * `local`: the local taxes of the place are in the answer; `state`: they are missing; `full`: it has none.
 */
function coverageOfSale(
  { local, customer }: Walk,
  id: string,
  terms: readonly Terms[],
): Assessment['coverage'] {
  const there = terms.find(({ supplied }) => supplied.supply.place === id)
  const without = terms.some(({ lacks_local }) => lacks_local) ? 'state' : 'full'
  if ((there?.supplied.place ?? customer).law.localTax === null) return without
  if (local === null) return 'state'
  const levied = terms.flatMap((each) => each.local ?? [])
  if (levied.some(hasLocalTax)) return 'local'
  const known = local.states.get(id.slice(-2))?.coverage
  // Where no local tax falls on the sale, none is missing.
  if (known === 'local' && levied.length === 0 && without === 'full') return 'local'
  return known === 'full' ? without : 'state'
}

/** Whether the taxes of the address are in the answer, as far as they are known to exist. */
function hasLocalTax({ precision, incomplete }: LocalTax): boolean {
  return precision !== 'none' && !incomplete
}

function isRegisteredAtCustomer({ book, customer, registrations, sale }: Walk): boolean {
  const ids = customer.law.registrationsAt(book, customer.jurisdiction_id)
  return sale.seller_registered ?? ids.some(registrations.holds)
}

function discountOf(lines: readonly LineInParts[]): number {
  let sum = 0
  for (const { line } of lines) sum += line.amount < 0 ? -line.discount : line.discount
  return sum
}

function jurisdictionOf({ customer }: Walk, lines: readonly AssessedLine[]): string {
  const id = lines[0]?.jurisdiction_id ?? customer.jurisdiction_id
  return lines.every((line) => line.jurisdiction_id === id) ? id : customer.jurisdiction_id
}

function rateOfSale(lines: readonly AssessedLine[], tax_amount: number): number {
  let single: number | null = null
  let same = true
  let taxable = 0
  for (const line of lines) {
    if (!line.taxable) continue
    taxable += line.taxable_amount
    if (single === null) single = line.rate_millionths
    else if (single !== line.rate_millionths) same = false
  }
  if (single === null) return 0
  return same ? single : averageRate(tax_amount, taxable)
}

type Gathered = { terms: readonly Terms[]; alone: readonly Terms[]; notes: string[] }

/**
 * What the parts of all lines found: their terms, each once, and the notes of the whole sale. `alone` are the
 * terms that the products of bundles have by themselves.
 */
function gather(walk: Walk, lines: readonly LineInParts[]): Gathered {
  // Lines on equal terms share them, so these are few.
  const terms: Terms[] = []
  const notes = [...walk.notes]
  for (const { parts } of lines)
    for (const part of parts) {
      if (!terms.includes(part.terms)) {
        terms.push(part.terms)
        for (const note of part.terms.supplied.notes) addOnce(notes, note)
      }
      if (part.notes.length > 0) for (const note of part.notes) addOnce(notes, note)
    }
  const alone: Terms[] = []
  for (const { bundle } of lines) if (bundle !== null) alone.push(...bundle.alone)
  for (const each of terms) for (const note of notesOnTerms(each)) addOnce(notes, note)
  for (const each of alone)
    for (const note of [...each.supplied.notes, ...notesOnTerms(each)]) addOnce(notes, note)
  for (const line of lines) for (const note of line.notes) addOnce(notes, note)
  notes.push(...notesOnUnused(walk, terms))
  return { terms, alone, notes }
}

function notesOnTerms({ supplied: { supply }, notes }: Terms): readonly string[] {
  if (supply.kind === 'taxed') return notes
  const said =
    supply.kind === 'untaxed' ? supply.detail : 'Reverse charge: the customer is liable for the tax'
  return [...notes, `${said} (${supply.basis})`]
}

/** The rates and rules of the book that the answer rests on, for its provenance. */
function recordsUsed(terms: readonly Terms[]): Pick<Assessment, 'rates_used' | 'rules_used'> {
  const rates_used: Rate[] = []
  const rules_used: ProductRule[] = []
  for (const { treatments } of terms)
    for (const { rule, rate, standard } of treatments) {
      const used = rate ?? standard
      if (used !== null) addOnce(rates_used, used)
      if (rule !== null) addOnce(rules_used, rule)
    }
  return { rates_used, rules_used }
}

/** Adds an item that the list lacks. For lists so short that a set costs more. */
function addOnce<T>(list: T[], item: T): void {
  if (!list.includes(item)) list.push(item)
}
