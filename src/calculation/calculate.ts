import { hasNumbers } from '../accounts/registration-numbers.ts'
import { dayOfRequest } from './day-of-request.ts'
import { fieldError } from '../errors.ts'
import type { Context } from '../context.ts'
import { hasVatId } from '../customers/has-vat-id.ts'
import {
  customerOf,
  type KnownCustomer,
  loadCustomerOf,
  loadCustomers,
} from '../customers/known-customers.ts'
import type { Answer } from '../http/answers.ts'
import { itemErrors, toApiError } from '../http/error-response.ts'
import { limitLines } from '../http/line-limit.ts'
import { validate } from '../http/validate.ts'
import type { AssessedFee, AssessedLine, Assessment, BreakdownEntry } from '../tax/assessment.ts'
import type { RateBook } from '../tax/book/rate-book.ts'
import { at, invariant } from '../tax/invariant.ts'
import type { Sale, SaleLine } from '../tax/sale.ts'
import { bookFor } from '../tax-data/book-for.ts'
import { dataVersionOf } from '../tax-data/data-version.ts'
import type { LocalBook } from '../tax/regimes/us-local/local-book.ts'
import { heldLocalBook } from '../tax-data/current-local-book.ts'
import { localBookFor, needsLocalBook, zip4Missing } from '../tax-data/local-book-for.ts'
import { heldRateBook } from '../tax-data/current-rate-book.ts'
import { nameOf } from '../tax-data/present-facts.ts'
import { metaOfAssessment } from '../tax-data/meta.ts'
import type { VatIdStatus } from '../vat/statuses.ts'
import { withOwnTypes } from '../product-codes/product-of-code.ts'
import { noteUnmapped } from '../product-codes/unmapped.ts'
import { presentLocal } from './present-local.ts'
import { futureNotes } from './future-notes.ts'
import { heldModules, type LateModules, loadModules, type NeededModules } from './late-modules.ts'
import type {
  CalculateBatchAnswer,
  Calculation,
  SaleFee,
  ShippingTax,
  TaxBreakdownEntry,
  TaxLine,
} from './answers.ts'
import { type AskedCalculation, type AskedLine, askedCalculation } from './asked-calculation.ts'
import { type CalculateBody, CalculateRequest, type CalculateRequested } from './schemas.ts'
import { wholePieces, withAmounts } from './line-amounts.ts'
import { assessmentInWords } from '../words/assessment-in-words.ts'
import { comparisonOf } from './comparison.ts'
import { assessRequest, placesOfSale, saleOf } from './sale-of-request.ts'

type Calculated = Answer<typeof Calculation>

/**
 * Calculates the tax of a sale. With a book in memory and no `customer_id`, it reads neither D1 nor KV.
 * Throws unknown_product_code if the account refuses such codes.
 */
export function calculateTax(
  context: Context,
  requested: CalculateRequested,
): Promise<Calculated> | Calculated {
  const lines = withOwnTypes(withAmounts(requested.line_items))
  return lines instanceof Promise
    ? lines.then((line_items) => calculateOwn(context, { ...requested, line_items }))
    : calculateOwn(context, { ...requested, line_items: lines })
}

/** Calculates the tax of a sale whose products are types of ours. */
export function calculateOwn(context: Context, body: CalculateBody): Promise<Calculated> | Calculated {
  noteUnmapped(context, body.line_items)
  const asked = askedCalculation(body)
  const late = heldModules(modulesFor(context, asked, null))
  const alone = asked.customer_id === null && asked.data_version === null
  const book = alone && late !== null ? heldRateBook(context) : null
  if (book === null || late === null) return calculateWithData(context, asked)
  const places = placesOfSale(context, asked, null)
  const local = needsLocalBook(book, places) ? heldLocalBook(context) : null
  return local === undefined || (local !== null && zip4Missing(local, places).length > 0)
    ? calculateWithData(context, asked)
    : calculateWith(context, { book, local, late }, asked, null)
}

function modulesFor(
  { principal }: Context,
  { customer, einvoice, seller }: AskedCalculation,
  known: KnownCustomer | null,
): NeededModules {
  return {
    views: einvoice !== null,
    numbers: hasNumbers(principal, seller),
    vat_ids: hasVatId(customer, known),
  }
}

async function calculateWithData(context: Context, asked: AskedCalculation): Promise<Calculated> {
  const book = await bookFor(context, asked.data_version)
  const known = await loadCustomerOf(context, asked)
  const local = await localBookFor(context, book, placesOfSale(context, asked, known), asked.data_version)
  const late = await loadModules(modulesFor(context, asked, known))
  return calculateWith(context, { book, local, late }, asked, known)
}

/** Up to 100 calculations. One that fails does not affect the others. Their customers are read together. */
export async function calculateBatch(
  context: Context,
  calculations: readonly unknown[],
): Promise<Answer<typeof CalculateBatchAnswer>> {
  limitLines('calculations', calculations)
  const customers = await loadCustomers(context, calculations.flatMap(customerIdOf))
  const errorOf = itemErrors()
  const books = new Map<string | null, Promise<RateBook>>()
  let succeeded = 0
  const results = []
  for (const [index, calculation] of calculations.entries()) {
    try {
      const requested = validate(CalculateRequest, calculation)
      const line_items = await withOwnTypes(withAmounts(requested.line_items))
      noteUnmapped(context, line_items)
      const asked = askedCalculation({ ...requested, line_items })
      const book = await bookOfBatch(context, books, asked.data_version)
      const known = customerOf(asked, customers)
      const places = placesOfSale(context, asked, known)
      const local = await localBookFor(context, book, places, asked.data_version)
      const late = await loadModules(modulesFor(context, asked, known))
      const data = calculateWith(context, { book, local, late }, asked, known)
      results.push({ index, success: true, data })
      succeeded += 1
    } catch (thrown) {
      const error = toApiError(thrown)
      if (error.reason === 'internal_error') throw thrown
      results.push({ index, success: false, error: errorOf(error) })
    }
  }
  return {
    results,
    summary: { total: calculations.length, succeeded, failed: calculations.length - succeeded },
  }
}

/** Reading one book costs more than all calculations of a batch. */
const BOOKS_MAX = 4

async function bookOfBatch(
  context: Context,
  books: Map<string | null, Promise<RateBook>>,
  version: string | null,
): Promise<RateBook> {
  const known = books.get(version)
  if (known !== undefined) return known
  if (books.size >= BOOKS_MAX)
    throw fieldError('invalid_request', 'data_version', `use at most ${BOOKS_MAX} versions in a batch`)
  const book = bookFor(context, version)
  books.set(version, book)
  return book
}

/**
 * The customer_id of a calculation that is not validated yet. If it is missing or not a text, nothing has to
 * be read.
 */
function customerIdOf(calculation: unknown): string[] {
  const named = typeof calculation === 'object' && calculation !== null && 'customer_id' in calculation
  return named && typeof calculation.customer_id === 'string' ? [calculation.customer_id] : []
}

/** The rate book with the local book beside it; null: the sale needs none, or there is none. */
type Books = { book: RateBook; local: LocalBook | null; late: LateModules }

function calculateWith(
  context: Context,
  books: Books,
  asked: AskedCalculation,
  known: KnownCustomer | null,
): Calculated {
  const { book, local, late } = books
  const day = dayOfRequest(context, asked.transaction_date)
  const { sale, vat_id_status } = saleOf(
    context,
    book,
    asked,
    day,
    known,
    late.vat_ids?.customerVatIdOf ?? null,
  )
  const assessment = assessRequest(sale, book, local, {
    invoiceFactsOf: late.views?.invoiceFactsOf ?? null,
    chargedNumbersOf: late.numbers?.chargedNumbersOf ?? null,
  })
  const plain = presentCalculation(context, books, asked, sale, assessment, vat_id_status)
  const answer = withLate(context, late, asked, assessment, plain)
  if (asked.compare === null) return answer
  return { ...answer, comparison: comparisonOf(asked.compare, sale, books, assessment) }
}

/** The answer with what the late modules add to it. */
function withLate(
  { principal }: Context,
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

function presentCalculation(
  context: Context,
  { book, local }: Books,
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
    notes: [...assessment.notes, ...futureNotes(sale.day, context)],
    meta: metaOfAssessment(
      book,
      assessment.rates_used,
      [...assessment.rules_used, ...assessment.fees.map(({ record }) => record)],
      context.now,
      dataVersionOf(book.version, assessment.local === null ? null : local),
    ),
  }
  if (trace === null) return answer
  return { ...answer, trace, in_words: assessmentInWords(assessment, asked.line_items, asked.currency, book) }
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
  return isUsual(given) ? answer : withUnusual(given, answer)
}

/** Whether the answer repeats nothing of the line that few lines have. */
function isUsual(given: AskedLine): boolean {
  const { exemption, discount_funded_by, trade_in, bundle, unit_amount, exemption_reason } = given
  const plain = exemption === null && discount_funded_by === 'seller' && unit_amount === null
  return plain && trade_in === 0 && bundle.length === 0 && exemption_reason === null
}

function withUnusual(given: AskedLine, answer: Answer<typeof TaxLine>): Answer<typeof TaxLine> {
  const { exemption, discount_funded_by, trade_in, bundle, unit_amount, quantity, exemption_reason } = given
  return {
    ...answer,
    ...(unit_amount !== null && { unit_amount, unit_quantity: quantity }),
    ...(exemption !== null && { exemption }),
    ...(discount_funded_by !== 'seller' && { discount_funded_by }),
    ...(trade_in !== 0 && { trade_in }),
    ...(bundle.length > 0 && { bundle }),
    ...(exemption_reason !== null && { exemption_reason }),
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
  return {
    jurisdiction_id,
    tax_type,
    levied_as,
    category,
    rate: rate_millionths / 1_000_000,
    taxable_amount,
    tax_amount,
  }
}
