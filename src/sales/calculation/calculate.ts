import { hasNumbers } from '../../parties/accounts/has-numbers.ts'
import { fieldError } from '../../platform/errors.ts'
import type { Context } from '../../platform/context.ts'
import { hasVatId } from '../../parties/customers/has-vat-id.ts'
import {
  customerOf,
  type KnownCustomer,
  loadCustomerOf,
  loadCustomers,
} from '../../parties/customers/known-customers.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { endsRequest, itemErrors, toApiError } from '../../platform/http/error-response.ts'
import { limitLines } from '../../platform/http/line-limit.ts'
import type { RateBook } from '../../engine/book/rate-book.ts'
import { passesCustoms } from '../../engine/regimes/customs-area.ts'
import { bookFor } from '../../tax-data/records/book-for.ts'
import { heldLocalBook } from '../../tax-data/records/current-local-book.ts'
import {
  localBookFor,
  needsLocalBook,
  placesOfSale,
  zip4Missing,
} from '../../tax-data/records/local-book-for.ts'
import { heldRateBook } from '../../tax-data/records/current-rate-book.ts'
import { withOwnTypes } from '../../tax-data/product-codes/product-of-code.ts'
import { noteUnmapped } from '../../tax-data/product-codes/unmapped.ts'
import { hasFreeRegion } from './free-regions.ts'
import { heldModules, type LateName, loadModules } from './late-modules.ts'
import type { CalculateBatchAnswer } from './answers.ts'
import { type AskedCalculation, askedCalculation, isRareLine, mayLeaveOpen } from './asked-calculation.ts'
import { checkCalculation } from './check-request.ts'
import type { CalculateBody, CalculateRequested } from './schemas.ts'
import { withAmounts } from './line-amounts.ts'
import { type Calculated, calculateWith, saleAsked } from './calculate-with.ts'

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
  const alone = asked.customer_id === null && asked.data_version === null && !asked.calculation_token
  const book = alone && late !== null ? heldRateBook(context) : null
  if (book === null || late === null) return calculateWithData(context, asked)
  const sold = saleAsked(context, { book, late }, asked, null)
  const places = placesOfSale(sold.sale)
  const local = needsLocalBook(book, places) ? heldLocalBook(context) : null
  return local === undefined || (local !== null && zip4Missing(local, places).length > 0)
    ? calculateWithData(context, asked)
    : calculateWith(context, { book, local, late }, asked, sold)
}

function modulesFor(
  { principal }: Context,
  asked: AskedCalculation,
  known: KnownCustomer | null,
): readonly LateName[] {
  const { customer, seller, ship_from, supply_address } = asked
  const needed: LateName[] = []
  if (asked.einvoice !== null) needed.push('views')
  if (hasNumbers(principal, seller)) needed.push('numbers')
  if (hasVatId(customer, known)) needed.push('vat_ids')
  if (customer?.vat_scheme ?? known?.vat_scheme) needed.push('schemes')
  const address = customer?.address ?? known?.address
  if (hasFreeRegion([address, seller ?? principal.seller, ship_from, supply_address])) needed.push('regions')
  if (passesCustoms(address, ship_from ?? seller ?? principal.seller)) needed.push('duties')
  if (asked.marketplace === 'facilitator') needed.push('facilitator')
  if (asked.compare !== null) needed.push('comparison')
  if (asked.expected_total !== null) needed.push('totals')
  if (asked.explain) needed.push('words')
  if (asked.calculation_token) needed.push('tokens')
  if (asked.line_items.some(isRareLine)) needed.push('rare_lines')
  if (asked.country_alone) needed.push('country_alone')
  if (statesFacts(asked)) needed.push('stated')
  if (mayLeaveOpen(asked, address?.country)) needed.push('open_facts')
  return needed
}

/** Whether a request says what its answer shows only as a fact of the request. */
function statesFacts(asked: AskedCalculation): boolean {
  const { seller, ship_from, importer, delivery, marketplace, supply_address, line_items } = asked
  const place = seller ?? ship_from ?? importer ?? delivery ?? marketplace ?? supply_address
  const choice = asked.seller_registered ?? asked.rounding ?? asked.local_fallback
  return (
    (place ?? choice) !== null ||
    asked.country_alone ||
    line_items.some(
      (line) => !line.taxable || line.live || line.business_only || line.discount_funded_by !== 'seller',
    )
  )
}

async function calculateWithData(context: Context, asked: AskedCalculation): Promise<Calculated> {
  const book = await bookFor(context, asked.data_version)
  return calculateFor(context, book, asked, await loadCustomerOf(context, asked))
}

async function calculateFor(
  context: Context,
  book: RateBook,
  asked: AskedCalculation,
  known: KnownCustomer | null,
): Promise<Calculated> {
  const late = await loadModules(modulesFor(context, asked, known))
  const sold = saleAsked(context, { book, late }, asked, known)
  const local = await localBookFor(context, book, placesOfSale(sold.sale), asked.data_version)
  const answer = calculateWith(context, { book, local, late }, asked, sold)
  return late.tokens?.withToken(context, asked, known, answer) ?? answer
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
      const requested = await checkCalculation(calculation)
      const line_items = await withOwnTypes(withAmounts(requested.line_items))
      noteUnmapped(context, line_items)
      const asked = askedCalculation({ ...requested, line_items })
      const book = await bookOfBatch(context, books, asked.data_version)
      const data = await calculateFor(context, book, asked, customerOf(asked, customers))
      results.push({ index, success: true, data })
      succeeded += 1
    } catch (thrown) {
      const error = toApiError(thrown)
      if (endsRequest(error)) throw thrown
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
