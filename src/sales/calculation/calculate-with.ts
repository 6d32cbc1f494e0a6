import type { Context } from '../../platform/context.ts'
import type { KnownCustomer } from '../../parties/customers/known-customers.ts'
import type { Answer } from '../../platform/http/answers.ts'
import type { AssessedFee, AssessedLine, Assessment, BreakdownEntry } from '../../engine/found/assessment.ts'
import type { DeliveryFee, ProductRule } from '../../engine/book/facts.ts'
import type { RateBook } from '../../engine/book/rate-book.ts'
import { at, invariant } from '../../engine/ground/invariant.ts'
import type { LocalBook } from '../../engine/regimes/us-local/local-book.ts'
import type { Sale, SaleLine } from '../../engine/sale/sale.ts'
import { dataVersionOf } from '../../tax-data/records/data-version.ts'
import { metaOfAssessment } from '../../tax-data/records/meta.ts'
import { nameOf } from '../../tax-data/records/present-facts.ts'
import type { VatIdStatus } from '../../platform/database/values/vat-statuses.ts'
import type {
  Calculation,
  LineCondition,
  SaleFee,
  ShippingTax,
  TaxBreakdownEntry,
  TaxLine,
} from './answers.ts'
import { type AskedCalculation, type AskedLine, isUsualLine } from './asked-calculation.ts'
import { dayOfRequest } from './day-of-request.ts'
import { futureNotes } from './future-notes.ts'
import type { LateModules } from './late-modules.ts'
import { wholePieces } from './line-amounts.ts'
import { presentLocal } from './present-local.ts'
import { assessRequest, saleOf, type SaleOfRequest } from './sale-of-request.ts'

export type Calculated = Answer<typeof Calculation>

/** Who asks, and when. */
type Calculating = Pick<Context, 'principal' | 'now'>

/** The rate book with the local book beside it; null: the sale needs none, or there is none. */
type Books = { book: RateBook; local: LocalBook | null; late: LateModules }

/** The sale that is asked for. It says which local taxes are needed. */
export function saleAsked(
  context: Calculating,
  { book, late }: Omit<Books, 'local'>,
  asked: AskedCalculation,
  known: KnownCustomer | null,
): SaleOfRequest {
  const day = dayOfRequest(context, asked.transaction_date)
  return saleOf(context, book, asked, day, known, {
    vat_id: late.vat_ids?.customerVatIdOf ?? null,
    scheme: late.schemes?.customerSchemeOf ?? null,
    rare_lines: late.rare_lines,
    facilitator: late.facilitator,
    open_facts: late.open_facts,
    country_alone: late.country_alone,
  })
}

/** Calculates with data that is at hand. Pure: the same context and data always give the same answer. */
export function calculateWith(
  context: Calculating,
  books: Books,
  asked: AskedCalculation,
  { sale, vat_id_status }: SaleOfRequest,
): Calculated {
  const { book, local, late } = books
  const assessment = assessRequest(sale, book, local, {
    invoiceDetailsOf: late.views?.invoiceDetailsOf ?? null,
    chargedNumbersOf: late.numbers?.chargedNumbersOf ?? null,
  })
  const plain = withDuty(
    books,
    asked,
    sale,
    presentCalculation(context, books, asked, sale, assessment, vat_id_status),
  )
  const noted = withNoteOnTotal(late, asked, sale, withLate(context, late, asked, assessment, plain))
  const answer = late.stated?.withStatedFacts(context, asked, noted) ?? noted
  if (asked.compare === null) return answer
  const { comparisonOf } = invariant(late.comparison, 'taxes can be compared')
  return { ...answer, comparison: comparisonOf(asked.compare, sale, books, assessment) }
}

/** With the customs duty that the goods bear beside their tax. */
function withDuty({ book, late }: Books, asked: AskedCalculation, sale: Sale, plain: Calculated): Calculated {
  const customs_duty = late.duties?.customsDutyOf(book, sale, asked.line_items) ?? null
  if (customs_duty === null) return plain
  return { ...plain, customs_duty, notes: [...plain.notes, customs_duty.message] }
}

function withNoteOnTotal(
  { totals }: LateModules,
  { expected_total }: AskedCalculation,
  sale: Sale,
  answer: Calculated,
): Calculated {
  if (expected_total === null) return answer
  const note = invariant(totals, 'totals can be compared').noteOnTotal(expected_total, sale, answer)
  return note === null ? answer : { ...answer, notes: [...answer.notes, note] }
}

/** The answer with what the late modules add to it. */
function withLate(
  { principal }: Calculating,
  { views, numbers }: LateModules,
  asked: AskedCalculation,
  { einvoice, charged_numbers }: Assessment,
  plain: Calculated,
): Calculated {
  const { transaction_date: day } = plain
  const numbered =
    numbers === null || charged_numbers === null
      ? plain
      : numbers.withNumbers(principal, asked.seller, charged_numbers, plain)
  return views === null || einvoice === null
    ? numbered
    : views.withView(numbered, views.viewOfCalculation(principal, asked, day, einvoice))
}

const NO_NOTES: readonly never[] = []

function presentCalculation(
  context: Calculating,
  { book, local, late }: Books,
  asked: AskedCalculation,
  sale: Sale,
  assessment: Assessment,
  vat_id_status: VatIdStatus,
): Calculated {
  const { jurisdiction_id, shipping, trace } = assessment
  const answer: Calculated = {
    currency: asked.currency,
    jurisdiction_id,
    jurisdiction_name: nameOf(book, jurisdiction_id),
    coverage: assessment.coverage,
    local: presentLocal(assessment.local),
    transaction_date: sale.day,
    customer: { jurisdiction_id: assessment.customer_jurisdiction_id, vat_id_status },
    subtotal: assessment.subtotal,
    discount_amount: assessment.discount_amount,
    tax_amount: assessment.tax_amount,
    total: assessment.total,
    tax_rate: assessment.rate_millionths / 1_000_000,
    seller_registered: assessment.seller_registered,
    reverse_charge: assessment.reverse_charge,
    line_items: assessment.lines.map((line, index) =>
      presentLine(at(asked.line_items, index), line, at(sale.lines, index)),
    ),
    shipping_cost: shipping === null ? null : presentShipping(sale, shipping),
    fees: assessment.fees.map(presentFee),
    tax_breakdown: assessment.tax_breakdown.map(presentEntry),
    decision: assessment.decision,
    exemption: assessment.exemption,
    notes: [
      ...assessment.notes,
      ...(late.vat_ids?.noteOnVatId(context, vat_id_status) ?? NO_NOTES),
      ...(late.regions?.notesOnRegions(book, sale) ?? NO_NOTES),
      ...(late.schemes?.notesOnScheme(sale, assessment) ?? NO_NOTES),
      ...(late.country_alone?.notesOnCountry(book, sale.customer.address) ?? NO_NOTES),
      ...futureNotes(sale.day, context),
    ],
    meta: metaOfAssessment(
      book,
      assessment.rates_used,
      recordsOf(assessment),
      context.now,
      dataVersionOf(book.version, assessment.local === null ? null : local),
    ),
  }
  if (trace === null) return answer
  const { assessmentInWords } = invariant(late.words, 'the words of an assessment are loaded')
  const in_words = assessmentInWords(assessment, asked.line_items, asked.currency, book)
  return { ...answer, trace, in_words }
}

/** The rules and fees that an assessment used. */
function recordsOf({ rules_used, fees }: Assessment): readonly (ProductRule | DeliveryFee)[] {
  return fees.length === 0 ? rules_used : [...rules_used, ...fees.map(({ record }) => record)]
}

function presentLine(
  given: AskedLine,
  line: AssessedLine,
  { tax_behavior }: SaleLine,
): Answer<typeof TaxLine> {
  const { net_amount, taxable, taxable_amount, tax_amount, taxability_reason, reason_detail } = line
  // Field by field: a spread after other fields takes ten times as long, and a sale may have 500 lines.
  const answer: Answer<typeof TaxLine> = {
    reference: given.reference,
    amount: given.amount,
    quantity: wholePieces(given.quantity),
    product_type: given.product_type,
    description: given.description,
    tax_behavior,
    discount: line.discount,
    net_amount,
    taxable,
    taxable_amount,
    tax_rate: line.rate_millionths / 1_000_000,
    tax_amount,
    taxability_reason,
    reason_detail,
    tax_if_registered: line.tax_if_registered,
    tax_breakdown: line.tax_breakdown.map(presentEntry),
    rule: given.code?.uncertain === true ? 'uncertain' : line.rule,
    notes: given.code?.note ? [given.code.note, ...line.notes] : line.notes,
  }
  const told = line.not_charged === null ? answer : { ...answer, ...line.not_charged }
  const full = line.conditions.length === 0 ? told : { ...told, conditions: presentConditions(line) }
  return isUsualLine(given) ? full : withUnusual(given, full)
}

function presentConditions({ conditions }: AssessedLine): Answer<typeof LineCondition>[] {
  return conditions.map((each) => ({
    fact: each.fact,
    if: each.if,
    tax_rate: each.rate_millionths / 1_000_000,
  }))
}

function withUnusual(given: AskedLine, answer: Answer<typeof TaxLine>): Answer<typeof TaxLine> {
  const { exemption, discount_funded_by, trade_in, bundle, unit_amount, quantity, exemption_reason } = given
  const { hs_code, supply_reason } = given
  return {
    ...answer,
    ...(unit_amount !== null && { unit_amount, unit_quantity: quantity }),
    ...(exemption !== null && { exemption }),
    ...(discount_funded_by !== 'seller' && { discount_funded_by }),
    ...(trade_in !== 0 && { trade_in }),
    ...(bundle.length > 0 && { bundle }),
    ...(exemption_reason !== null && { exemption_reason }),
    ...(hs_code !== null && { hs_code }),
    ...(supply_reason !== null && { supply: false as const, supply_reason }),
  }
}

function presentShipping(sale: Sale, shipping: AssessedLine): Answer<typeof ShippingTax> {
  const given = invariant(sale.shipping, 'shipping that was assessed was given')
  const { net_amount, taxable, taxable_amount, tax_amount, taxability_reason, reason_detail } = shipping
  return {
    amount: given.amount,
    tax_behavior: given.tax_behavior,
    net_amount,
    taxable,
    taxable_amount,
    tax_rate: shipping.rate_millionths / 1_000_000,
    tax_amount,
    taxability_reason,
    reason_detail,
    tax_if_registered: shipping.tax_if_registered,
    tax_breakdown: shipping.tax_breakdown.map(presentEntry),
    rule: shipping.rule,
    notes: shipping.notes,
  }
}

function presentFee({ record, tax_amount }: AssessedFee): Answer<typeof SaleFee> {
  const { jurisdiction_id, name } = record
  return { jurisdiction_id, tax_type: 'RETAIL_DELIVERY_FEE', name, tax_amount }
}

function presentEntry(entry: BreakdownEntry): Answer<typeof TaxBreakdownEntry> {
  const { jurisdiction_id, tax_type, levied_as, category, rate_millionths, taxable_amount, tax_amount } =
    entry
  const answer = {
    jurisdiction_id,
    tax_type,
    levied_as,
    category,
    rate: rate_millionths / 1_000_000,
    taxable_amount,
    tax_amount,
  }
  return entry.components === undefined ? answer : { ...answer, components: entry.components }
}
