import type { AssessedLine, Assessment, BreakdownEntry } from './assessment.ts'
import { decisionOfSale } from './decision-of-sale.ts'
import { type TaxableLine, taxLines, taxOfLine } from './arithmetic/document-tax.ts'
import { type Part, discountedAmount, partsOf } from './parts.ts'
import type { RateBook } from './book/rate-book.ts'
import { Refusal } from './refusal.ts'
import { MILLION, multiplyAndDivide } from './arithmetic/rounding.ts'
import type { Sale, SaleLine } from './sale.ts'
import type { Charge, Terms } from './walk.ts'
import { addOnce, beginWalk, record, type Walk } from './walk.ts'

/** Sums stay exact in a double with every tax on top of them. */
const SUM_MAX = 6_500_000_000_000_000

/**
 * Assesses a sale: where, place of supply, who accounts, registered, how much, exempt, round. Pure: the same
 * sale and book always give the same answer. Throws a Refusal when the request has to be mended.
 */
export function assess(sale: Sale, book: RateBook): Assessment {
  refuseLargeSums(sale)
  const walk = beginWalk(sale, book)
  const lines = sale.shipping === null ? sale.lines : [...sale.lines, sale.shipping]
  const parts = partsOf(walk, lines)
  const taxes = taxLines(taxableOf(parts), sale.rounding)
  let next = 0
  const assessed = lines.map((line, index) => {
    const lineParts = parts[index] ?? []
    const lineTaxes = taxes.slice(next, next + lineParts.length)
    next += lineParts.length
    return assessLine(walk, line, lineParts, lineTaxes, index)
  })
  return summarise(walk, lines, parts, assessed)
}

function taxableOf(parts: readonly Part[][]): TaxableLine[] {
  const taxable: TaxableLine[] = []
  for (const lineParts of parts) for (const part of lineParts) taxable.push(part.taxable)
  return taxable
}

function refuseLargeSums(sale: Sale): void {
  let sum = Math.abs(sale.shipping?.amount ?? 0)
  for (const line of sale.lines) {
    sum += Math.abs(line.amount)
    if (sum > SUM_MAX)
      throw new Refusal(
        'amount_out_of_range',
        `${line.path}.amount`,
        'the amounts of the sale add up to more than can be counted',
      )
  }
}

function assessLine(
  walk: Walk,
  line: SaleLine,
  parts: readonly Part[],
  taxes: readonly number[][],
  index: number,
): AssessedLine {
  const breakdown: BreakdownEntry[] = []
  let tax_amount = 0
  let taxable_amount = 0
  parts.forEach((part, partIndex) => {
    const partTaxes = taxes[partIndex] ?? []
    let tax = 0
    for (const component of partTaxes) tax += component
    tax_amount += tax
    taxable_amount += addToBreakdown(breakdown, part, partTaxes, tax)
  })
  const terms = leadingTerms(parts)
  const net_amount =
    line.tax_behavior === 'inclusive' ? discountedAmount(line) - tax_amount : discountedAmount(line)
  const taxed = taxable_amount !== 0
  if (walk.trace !== null)
    record(
      walk,
      'tax',
      `${line.product_type}, ${walk.sale.rounding} rounding`,
      `${tax_amount} on ${taxable_amount}`,
      terms.supply.basis,
      index,
    )
  return {
    jurisdiction_id: terms.supply.place,
    net_amount,
    taxable: taxed,
    taxable_amount,
    rate_millionths: taxed ? rateOfLine(parts, tax_amount, taxable_amount) : 0,
    tax_amount,
    taxability_reason:
      terms.reason ??
      (parts.some((part) => part.terms.charges.length === 0) ? 'portion_product_exempt' : null),
    reason_detail: tax_amount === 0 ? (terms.detail ?? 'The tax on so small an amount rounds to 0') : null,
    tax_if_registered: terms.reason === 'not_collecting' ? taxIfRegistered(parts) : null,
    tax_breakdown: breakdown,
    notes: parts.length === 1 ? terms.notes : [...new Set(parts.flatMap((part) => part.terms.notes))],
  }
}

/** Adds the part's taxes to the line's breakdown. Returns its taxable amount. */
function addToBreakdown(
  breakdown: BreakdownEntry[],
  part: Part,
  taxes: readonly number[],
  tax: number,
): number {
  const { base, tax_behavior } = part.taxable
  const net = tax_behavior === 'inclusive' ? base - tax : base
  let taxable_amount = 0
  part.terms.charges.forEach((charge, index) => {
    const taxable =
      charge.fraction_millionths === MILLION
        ? net
        : multiplyAndDivide(net, charge.fraction_millionths, MILLION)
    if (Math.abs(taxable) > Math.abs(taxable_amount)) taxable_amount = taxable
    addEntry(breakdown, charge, taxable, taxes[index] ?? 0)
  })
  return taxable_amount
}

function addEntry(
  breakdown: BreakdownEntry[],
  tax: Pick<Charge, 'jurisdiction_id' | 'tax_type' | 'category' | 'rate_millionths'>,
  taxable_amount: number,
  tax_amount: number,
): void {
  const { jurisdiction_id, tax_type, category, rate_millionths } = tax
  for (const entry of breakdown) {
    if (
      entry.rate_millionths === rate_millionths &&
      entry.jurisdiction_id === jurisdiction_id &&
      entry.tax_type === tax_type
    ) {
      entry.taxable_amount += taxable_amount
      entry.tax_amount += tax_amount
      return
    }
  }
  breakdown.push({ jurisdiction_id, tax_type, category, rate_millionths, taxable_amount, tax_amount })
}

/** The terms that speak for a line: of its largest taxed part, else of its largest. */
function leadingTerms(parts: readonly Part[]): Terms {
  let [leading] = parts
  if (leading === undefined) throw new Error('a line has at least one part')
  for (const part of parts) {
    const taxedFirst = Number(part.terms.charges.length > 0) - Number(leading.terms.charges.length > 0)
    if (taxedFirst > 0 || (taxedFirst === 0 && Math.abs(part.amount) > Math.abs(leading.amount)))
      leading = part
  }
  return leading.terms
}

function rateOfLine(parts: readonly Part[], tax_amount: number, taxable_amount: number): number {
  let only: number | null = null
  for (const part of parts) {
    if (part.terms.charges.length === 0) continue
    let rate = 0
    for (const charge of part.terms.charges) rate += charge.rate_millionths
    if (only !== null && only !== rate) return averageRate(tax_amount, taxable_amount)
    only = rate
  }
  return only ?? averageRate(tax_amount, taxable_amount)
}

function averageRate(tax_amount: number, taxable_amount: number): number {
  return taxable_amount === 0
    ? 0
    : multiplyAndDivide(tax_amount, MILLION, Math.abs(taxable_amount)) * Math.sign(taxable_amount)
}

function taxIfRegistered(parts: readonly Part[]): number {
  let sum = 0
  for (const part of parts)
    for (const tax of taxOfLine({ ...part.taxable, components: part.terms.uncollected })) sum += tax
  return sum
}

function summarise(
  walk: Walk,
  lines: readonly SaleLine[],
  parts: readonly Part[][],
  assessed: AssessedLine[],
): Assessment {
  const tax_breakdown: BreakdownEntry[] = []
  let subtotal = 0
  let tax_amount = 0
  let discount_amount = 0
  assessed.forEach((line, index) => {
    subtotal += line.net_amount
    tax_amount += line.tax_amount
    discount_amount += (lines[index]?.discount ?? 0) * ((lines[index]?.amount ?? 0) < 0 ? -1 : 1)
    for (const entry of line.tax_breakdown)
      addEntry(tax_breakdown, entry, entry.taxable_amount, entry.tax_amount)
  })
  const terms: Terms[] = []
  for (const lineParts of parts) for (const part of lineParts) terms.push(part.terms)
  const { sale } = walk
  return {
    jurisdiction_id: jurisdictionOf(walk, assessed),
    customer_jurisdiction_id: walk.customer.jurisdiction_id,
    subtotal,
    discount_amount,
    tax_amount,
    total: subtotal + tax_amount,
    rate_millionths: rateOfSale(assessed, tax_amount),
    seller_registered:
      terms.some((each) => each.registered) ||
      (sale.seller_registered ?? walk.registrations.holds(walk.customer.jurisdiction_id)),
    reverse_charge: terms.some((each) => each.supply.kind === 'reverse_charge'),
    lines: sale.shipping === null ? assessed : assessed.slice(0, -1),
    shipping: sale.shipping === null ? null : (assessed.at(-1) ?? null),
    tax_breakdown,
    decision: decisionOfSale(walk, terms),
    exemption: terms.find((each) => each.exemption !== null)?.exemption ?? null,
    notes: notesOf(walk, terms),
    trace: walk.trace,
    rates_used: walk.rates_used,
    rules_used: walk.rules_used,
  }
}

function jurisdictionOf(walk: Walk, lines: readonly AssessedLine[]): string {
  const first = lines[0]?.jurisdiction_id ?? walk.customer.jurisdiction_id
  return lines.every((line) => line.jurisdiction_id === first) ? first : walk.customer.jurisdiction_id
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
  if (same) return single
  return averageRate(tax_amount, taxable)
}

function notesOf(walk: Walk, terms: readonly Terms[]): string[] {
  for (const { supply, notes } of terms) {
    for (const note of notes) addOnce(walk.notes, note)
    if (supply.kind === 'reverse_charge')
      addOnce(walk.notes, `Reverse charge: the customer is liable for the tax (${supply.basis})`)
    if (supply.kind === 'untaxed') addOnce(walk.notes, `${supply.detail} (${supply.basis})`)
  }
  return walk.notes
}
