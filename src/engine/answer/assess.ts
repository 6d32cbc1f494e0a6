import type { LineInParts, Terms, Walk } from '../found/found.ts'
import type { AssessedFee, AssessedLine, Assessment, BreakdownEntry } from '../found/assessment.ts'
import type { ProductRule, Rate } from '../book/facts.ts'
import type { RateBook } from '../book/rate-book.ts'
import { addEntry, assessLines, averageRate } from './assess-lines.ts'
import { decisionOf, NO_SALES_KNOWN } from './decision.ts'
import { feesOf } from './delivery-fees.ts'
import type { chargedNumbersOf } from '../einvoice/seller-numbers.ts'
import type { invoiceDetailsOf } from '../einvoice/details-of-sale.ts'
import { partsOf } from '../parts/parts.ts'
import { Refusal } from '../ground/refusal.ts'
import type { LocalBook } from '../regimes/us-local/local-book.ts'
import type { LocalTax } from '../regimes/us-local/local-stack.ts'
import { productsOf } from '../sale/lines.ts'
import type { Sale } from '../sale/sale.ts'
import { traceOf } from './trace.ts'
import { notesOnUnused } from './unused-fields.ts'
import { beginWalk } from '../supply/walk.ts'

/** Up to this sum, every amount with its tax is exact in a double. */
const SUM_MAX = 6_500_000_000_000_000

/** What few sales ask for: their readers are in modules that a start does not evaluate. Null: not asked. */
export type AlsoRead = {
  /** For a sale with `einvoice`. */
  invoiceDetailsOf: typeof invoiceDetailsOf | null
  chargedNumbersOf: typeof chargedNumbersOf | null
}

const NOTHING_ELSE: AlsoRead = { invoiceDetailsOf: null, chargedNumbersOf: null }

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
  const lines = partsOf(walk, productsOf(sale))
  const { assessed, taxesOf } = assessLines(walk, lines)
  const { invoiceDetailsOf, chargedNumbersOf } = also
  const asked = sale.einvoice
  return summariseSale(walk, lines, assessed, {
    einvoice:
      asked === null || invoiceDetailsOf === null ? null : invoiceDetailsOf(walk, lines, taxesOf, asked),
    charged_numbers: chargedNumbersOf === null ? null : chargedNumbersOf(walk, lines),
  })
}

function refuseLargeSums({ lines, shipping }: Sale): void {
  let sum = 0
  lines.forEach(({ amount }, index) => {
    sum += Math.abs(amount)
    if (sum > SUM_MAX) throw tooLarge(`lines[${index}]`)
  })
  if (shipping !== null && sum + Math.abs(shipping.amount) > SUM_MAX) throw tooLarge('shipping')
}

function tooLarge(line: string): Refusal {
  const detail = 'the total of the sale is too large. Split the sale'
  return new Refusal('amount_out_of_range', `${line}.amount`, detail)
}

function summariseSale(
  walk: Walk,
  lines: readonly LineInParts[],
  assessed: AssessedLine[],
  { einvoice, charged_numbers }: Pick<Assessment, 'einvoice' | 'charged_numbers'>,
): Assessment {
  const { customer, sale } = walk
  const found = gather(walk, lines)
  const { terms, notes } = found
  const shipping = sale.shipping === null ? null : (assessed.at(-1) ?? null)
  const tax_breakdown: BreakdownEntry[] = []
  let subtotal = 0
  let tax_amount = 0
  for (const line of assessed) {
    subtotal += line.net_amount
    tax_amount += line.tax_amount
    for (const entry of line.tax_breakdown) addEntry(tax_breakdown, entry)
  }
  const { fees, notes: notesOnFees } = feesOf(walk, lines)
  const rate_millionths = rateOfSale(assessed, tax_amount)
  for (const fee of fees) {
    tax_amount += fee.tax_amount
    addEntry(tax_breakdown, entryOfFee(fee))
  }
  const jurisdiction_id = jurisdictionOf(walk, assessed)
  // Field by field: a spread after other fields takes ten times as long.
  return {
    jurisdiction_id,
    customer_jurisdiction_id: customer.jurisdiction_id,
    coverage: coverageOfSale(walk, jurisdiction_id, terms),
    local: found.local,
    subtotal,
    discount_amount: discountOf(lines),
    tax_amount,
    total: subtotal + tax_amount,
    rate_millionths,
    seller_registered: found.registered || isRegisteredAtCustomer(walk),
    reverse_charge: found.reverse_charge,
    lines: shipping === null ? assessed : assessed.slice(0, -1),
    shipping,
    fees,
    tax_breakdown,
    decision: decisionOf(walk, terms, NO_SALES_KNOWN),
    exemption: found.exemption,
    notes: notesOnFees.length === 0 ? notes : [...notes, ...notesOnFees],
    trace: sale.explain ? traceOf(walk, lines, assessed, fees) : null,
    einvoice,
    charged_numbers,
    rates_used: found.rates_used,
    rules_used: found.rules_used,
  }
}

function entryOfFee({ record: { jurisdiction_id }, tax_amount }: AssessedFee): BreakdownEntry {
  const kind = { tax_type: 'RETAIL_DELIVERY_FEE', levied_as: null, category: 'standard' } as const
  return { jurisdiction_id, ...kind, rate_millionths: 0, taxable_amount: 0, tax_amount }
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
  if ((there?.supplied.place ?? customer).law.localTaxes === null) return without
  if (local === null) return 'state'
  if (terms.some((each) => each.local !== null && hasLocalTax(each.local))) return 'local'
  const known = local.state(id.slice(-2))?.law.coverage
  // Where no local tax falls on the sale, none is missing.
  if (known === 'local' && without === 'full' && terms.every((each) => each.local === null)) return 'local'
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

/** What is no supply has no place, unless there is nothing else. */
function jurisdictionOf({ customer, sale }: Walk, all: readonly AssessedLine[]): string {
  const supplied = sale.rare_lines ? all.filter((line) => line.taxability_reason !== 'not_a_supply') : all
  const lines = supplied.length === 0 ? all : supplied
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

/**
 * What the lines found: their terms, each once, what any of the terms says (the first local taxes, the first
 * exemption), the records that the answer rests on, and the notes of the whole sale.
 */
type Gathered = {
  terms: Terms[]
  local: Terms['local']
  exemption: Terms['exemption']
  registered: boolean
  reverse_charge: boolean
  rates_used: Rate[]
  rules_used: ProductRule[]
  notes: string[]
}

function gather(walk: Walk, lines: readonly LineInParts[]): Gathered {
  // Lines on equal terms share them, so these are few.
  const terms: Terms[] = []
  const notes = [...walk.notes]
  const alone: Terms[] = []
  const onLines: string[] = []
  let gross = false
  for (const line of lines) {
    for (const part of line.parts) {
      if (!terms.includes(part.terms)) {
        terms.push(part.terms)
        addAllOnce(notes, part.terms.supplied.notes)
      }
      addAllOnce(notes, part.notes)
    }
    if (line.bundle !== null) alone.push(...line.bundle.alone)
    if (line.notes.length > 0) onLines.push(...line.notes)
    gross ||= isGrossWithoutTax(line)
  }
  const found: Gathered = {
    terms,
    local: null,
    exemption: null,
    registered: false,
    reverse_charge: false,
    rates_used: [],
    rules_used: [],
    notes,
  }
  for (const each of terms) {
    found.local ??= each.local
    found.exemption ??= each.exemption
    found.registered ||= each.registered
    found.reverse_charge ||= each.supplied.supply.kind === 'reverse_charge'
    addTerms(found, each)
  }
  for (const each of alone) {
    addAllOnce(notes, each.supplied.notes)
    addTerms(found, each)
  }
  addAllOnce(notes, onLines)
  if (gross) notes.push(GROSS_STAYS)
  notes.push(...notesOnUnused(walk, terms))
  return found
}

/** Adds the notes of terms, and the rates and rules of the book that they rest on. */
function addTerms({ notes, rates_used, rules_used }: Gathered, terms: Terms): void {
  addAllOnce(notes, notesOnTerms(terms))
  for (const { rule, rate, standard } of terms.treatments) {
    const used = rate ?? standard
    if (used !== null) addOnce(rates_used, used)
    if (rule !== null) addOnce(rules_used, rule)
  }
}

const GROSS_STAYS =
  'The customer accounts for the tax, so no tax was taken out of the tax-inclusive prices. ' +
  'Send net prices if the customer pays less'

/** Whether a price with tax stays as it is, because a business pays it without tax. */
function isGrossWithoutTax({ line, price, parts }: LineInParts): boolean {
  if (line.tax_behavior !== 'inclusive' || price === 0) return false
  const { supply } = parts[0].terms.supplied
  return (
    supply.kind === 'reverse_charge' ||
    (supply.kind === 'untaxed' && supply.reason === 'intra_community_supply')
  )
}

function notesOnTerms({ supplied: { supply }, notes }: Terms): readonly string[] {
  if (supply.kind === 'taxed') return notes
  const said =
    supply.kind === 'untaxed' ? supply.detail : 'Reverse charge: the customer is liable for the tax'
  return [...notes, `${said} (${supply.basis})`]
}

/** Adds an item that the list lacks. For lists so short that a set costs more. */
function addOnce<T>(list: T[], item: T): void {
  if (!list.includes(item)) list.push(item)
}

function addAllOnce<T>(list: T[], items: readonly T[]): void {
  for (const item of items) addOnce(list, item)
}
