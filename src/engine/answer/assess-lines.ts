import { taxOfCancelling, taxOfDocument, taxOfLine } from '../arithmetic/document-tax.ts'
import { MILLION, multiplyAndDivide } from '../arithmetic/rounding.ts'
import type { AssessedLine, BreakdownEntry, RuleStatus, TaxabilityReason } from '../found/assessment.ts'
import type {
  Charge,
  FoundBundle,
  LineInParts,
  Part,
  PartsOfLine,
  TaxesOf,
  Terms,
  Walk,
} from '../found/found.ts'
import { addComponents, componentsOfRate, componentsOfTax } from '../book/rate-components.ts'
import { at, invariant } from '../ground/invariant.ts'
import { termsLookedAt } from '../parts/parts.ts'
import type { Supply } from '../regimes/regime.ts'
import type { SaleLine } from '../sale/sale.ts'
import { isLowValue } from '../supply/low-value.ts'

/** Step 7: the tax of each line, and the taxes of each part of them. */
export function assessLines(
  walk: Walk,
  lines: readonly LineInParts[],
): { assessed: AssessedLine[]; taxesOf: TaxesOf } {
  const alone = roundAlone(walk)
  const taxesOf = walk.sale.rounding === 'line' ? roundLines(lines, walk, alone) : roundDocument(lines, walk)
  return { assessed: lines.map((line) => assessLine(line, taxesOf, alone)), taxesOf }
}

/** Rounds each line by itself, but prices that cancel as one sum. */
function roundLines(lines: readonly LineInParts[], walk: Walk, alone: TaxesOf): TaxesOf {
  if (!lines.some(({ price }) => price < 0)) return alone
  const cancelling = taxOfCancelling(
    lines.flatMap(({ parts }) => parts),
    unitOf(walk),
  )
  return cancelling === null ? alone : (part) => cancelling.get(part) ?? alone(part)
}

/** Rounds each sum of equal taxes of all lines. */
function roundDocument(lines: readonly LineInParts[], walk: Walk): TaxesOf {
  const document = taxOfDocument(
    lines.flatMap(({ parts }) => parts),
    unitOf(walk),
  )
  return (part) => invariant(document.get(part), 'each part is taxed')
}

/** Rounds the taxes of a line by themselves. */
function roundAlone(walk: Walk): TaxesOf {
  const unit = unitOf(walk)
  if (unit === 1) return taxOfLine
  return (taxable) => invariant(taxOfDocument([taxable], unit).get(taxable), 'the line is taxed')
}

/** The smallest tax in the currency of the sale, minor units. */
function unitOf(walk: Walk): number {
  const { sale, customer } = walk.counter ?? walk
  const { law } = customer
  return law.tax_unit?.currency === sale.currency ? law.tax_unit.minor_units : 1
}

function assessLine(inParts: LineInParts, taxesOf: TaxesOf, alone: TaxesOf): AssessedLine {
  const { line, price, parts, bundle, notes } = inParts
  const breakdown = breakdownOf(parts[0], taxesOf)
  let taxable_amount = largestBase(breakdown)
  for (let index = 1; index < parts.length; index += 1) {
    const further = breakdownOf(at(parts, index), taxesOf)
    taxable_amount += largestBase(further)
    for (const entry of further) addEntry(breakdown, entry)
  }
  let tax_amount = 0
  for (const entry of breakdown) {
    tax_amount += entry.tax_amount
    if (entry.made_of !== undefined)
      entry.components = componentsOfTax(componentsOfRate(entry.made_of), entry.tax_amount)
  }
  const terms = termsOfLargest(parts)
  const { supply } = terms.supplied
  // The terms of the only part say it themselves.
  const several = parts.length === 1 && bundle === null ? null : termsLookedAt(inParts)
  const said = several === null ? terms.notes : notesOfTerms(several)
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
    low_value: isLowValue(supply),
    not_charged: supply.kind === 'untaxed' ? (supply.not_charged ?? null) : null,
    reason_detail: tax_amount === 0 ? (terms.detail ?? 'Tax on this amount rounds to 0') : null,
    tax_if_registered: terms.reason === 'not_collecting' ? taxIfRegistered(parts, alone) : null,
    tax_breakdown: breakdown,
    rule: several === null ? terms.rule : statusOf(several, bundle),
    conditions: several === null ? terms.conditions : [],
    notes: notes.length === 0 ? said : [...said, ...notes],
  }
}

/** Why a line that is taxed at the plain rate bears less than that on its price; null: it does not. */
function reasonOfParts({ trade_in }: SaleLine, parts: PartsOfLine): TaxabilityReason | null {
  if (parts.some(isFree)) return 'portion_product_exempt'
  if (trade_in === 0) return null
  return parts.some(({ amount, base }) => Math.abs(base) < Math.abs(amount)) ? 'taxable_basis_reduced' : null
}

function notesOfTerms(looked_at: readonly Terms[]): readonly string[] {
  const all: string[] = []
  for (const { notes } of looked_at) for (const note of notes) if (!all.includes(note)) all.push(note)
  return all
}

/** Terms without a treatment have no product rule to look for: the supply is not taxed here at all. */
function statusOf(looked_at: readonly Terms[], bundle: FoundBundle | null): RuleStatus {
  if (looked_at.some(({ rule }) => rule === 'default')) return 'default'
  const doubted = bundle?.certain === false || looked_at.some(({ rule }) => rule === 'uncertain')
  return doubted ? 'uncertain' : 'specific'
}

function exportedFrom(supply: Supply): string | null {
  const origin = supply.kind === 'taxed' ? supply.at_origin : supply
  return origin?.kind === 'untaxed' && origin.reason === 'export' ? origin.place : null
}

function isFree({ terms }: Part): boolean {
  return terms.charges.length === 0
}

function sumOf(taxes: readonly number[]): number {
  let sum = 0
  for (const tax of taxes) sum += tax
  return sum
}

/** The taxes of a part. Each is of another kind. */
function breakdownOf(part: Part, taxesOf: TaxesOf): BreakdownEntry[] {
  const taxes = taxesOf(part)
  const net = part.tax_behavior === 'inclusive' ? part.base - sumOf(taxes) : part.base
  return part.components.map((charge, index) => {
    const entry = {
      jurisdiction_id: charge.jurisdiction_id,
      tax_type: charge.tax_type,
      levied_as: charge.levied_as,
      category: charge.category,
      rate_millionths: charge.rate_millionths,
      taxable_amount: shownBase(net, part, charge, taxes),
      tax_amount: at(taxes, index),
    }
    const { made_of } = charge
    return made_of === undefined ? entry : { ...entry, made_of }
  })
}

/** The largest of what the taxes of a part fall on, signed. */
function largestBase(taxes: readonly BreakdownEntry[]): number {
  let largest = 0
  for (const { taxable_amount } of taxes)
    if (Math.abs(taxable_amount) > Math.abs(largest)) largest = taxable_amount
  return largest
}

/**
 * The part of the net price that a tax falls on. Of a price with tax, the tax is rounded first. If the
 * rounded part would bear another tax, a unit more or less is shown, so that the tax is that of this base.
 */
function shownBase(
  net: number,
  { tax_behavior, components }: Part,
  { fraction_millionths }: Charge,
  taxes: readonly number[],
): number {
  if (fraction_millionths === MILLION) return net
  const part = multiplyAndDivide(net, fraction_millionths, MILLION)
  if (tax_behavior === 'exclusive') return part
  let rates = 0
  let tax = 0
  components.forEach((other, index) => {
    if (other.fraction_millionths !== fraction_millionths) return
    rates += other.rate_millionths
    tax += at(taxes, index)
  })
  return [part, part + 1, part - 1].find((base) => multiplyAndDivide(base, rates, MILLION) === tax) ?? part
}

/** Adds a tax to the entry of its kind, or a copy of it. */
export function addEntry(breakdown: BreakdownEntry[], added: BreakdownEntry): void {
  for (const entry of breakdown)
    if (isOfKind(entry, added)) {
      entry.taxable_amount += added.taxable_amount
      entry.tax_amount += added.tax_amount
      if (entry.components && added.components)
        entry.components = addComponents(entry.components, added.components)
      return
    }
  breakdown.push({ ...added })
}

function isOfKind(entry: BreakdownEntry, other: BreakdownEntry): boolean {
  const same =
    entry.rate_millionths === other.rate_millionths && entry.jurisdiction_id === other.jurisdiction_id
  return same && entry.tax_type === other.tax_type && entry.levied_as === other.levied_as
}

/** The terms that explain a line: the terms of its largest taxed part, or of its largest part. */
function termsOfLargest(parts: PartsOfLine): Terms {
  if (parts.length === 1) return parts[0].terms
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

/** The rate of several: the tax divided by what it falls on. */
export function averageRate(tax_amount: number, taxable_amount: number): number {
  if (taxable_amount === 0) return 0
  return multiplyAndDivide(tax_amount, MILLION, Math.abs(taxable_amount)) * Math.sign(taxable_amount)
}

function taxIfRegistered(parts: readonly Part[], alone: TaxesOf): number {
  let sum = 0
  for (const { base, tax_behavior, terms } of parts)
    sum += sumOf(alone({ base, tax_behavior, components: terms.uncollected }))
  return sum
}
