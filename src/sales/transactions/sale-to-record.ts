import { hasNumbers, registrationNumbersOf } from '../../parties/accounts/registration-numbers.ts'
import { daysAfter } from '../../platform/kit/calendar.ts'
import { askedCalculation } from '../calculation/asked-calculation.ts'
import type { TaxUnder } from '../calculation/charged-under.ts'
import { chargedNumbersOf, taxesUnder } from '../calculation/stored-numbers.ts'
import { assessRequest, saleOf } from '../calculation/sale-of-request.ts'
import type { Context } from '../../platform/context.ts'
import { customerVatIdOf } from '../../parties/customers/customer-vat-id.ts'
import type { KnownCustomer } from '../../parties/customers/known-customers.ts'
import { newId } from '../../platform/database/ids.ts'
import { fieldError } from '../../platform/errors.ts'
import { dataVersionOf } from '../../tax-data/records/data-version.ts'
import type { Assessment } from '../../engine/found/assessment.ts'
import type { RateBook } from '../../engine/book/rate-book.ts'
import { invoiceDetailsOf } from '../../engine/einvoice/details-of-sale.ts'
import { at } from '../../engine/ground/invariant.ts'
import { discountedAmount } from '../../engine/sale/lines.ts'
import { Refusal } from '../../engine/ground/refusal.ts'
import type { LocalBook } from '../../engine/regimes/us-local/local-book.ts'
import type { Sale, SaleLine } from '../../engine/sale/sale.ts'
import { dayIn, momentIn, todayIn } from '../../platform/kit/time-zone.ts'
import { completeRequest } from './complete-request.ts'
import { creditedDay, creditedPlace, type CreditedSale, earlierOf } from './credited-sales.ts'
import { numbersOfEarlier } from './einvoice-of-earlier.ts'
import { type FeeToRecord, refuseUnknownFees } from './fees.ts'
import type { LineBody, TransactionBody, TransactionInput } from './schemas.ts'
import type { SettledSale } from './settle.ts'

/** A sale with its assessment, from which its rows are drafted. */
export type SaleToRecord = Readonly<{
  id: string
  /** The lines have their prices after discounts. Postage is the last line, as in `linesOfSale`. */
  body: TransactionBody
  known: KnownCustomer | null
  sale: Sale
  /** Null: our data cannot assess the invoice. */
  assessment: Assessment | null
  /** By line: the stored numbers under which its taxes are charged. Empty: the account has none. */
  taxes_under: readonly (readonly TaxUnder[])[]
  /** The lines state their tax. */
  given: boolean
  /** The fees on the whole sale: those of the invoice if it states its tax, else the calculated ones. */
  fees: readonly FeeToRecord[]
  transaction_date: string
  credited_day: string | null
  /** The recorded sale that a credit note names. */
  credited: CreditedSale | null
  book: RateBook
  data_version: string | null
}>

/** What was read for a sale beside the rate book: the sales that it credits or settles, and local taxes. */
export type BesideSale = {
  credited?: CreditedSale | null
  local?: LocalBook | null
  settled?: readonly SettledSale[]
}

/**
 * The sale of a request. Throws the errors of a calculation, and invalid_request, unknown_jurisdiction,
 * amount_out_of_range.
 */
export function saleToRecord(
  context: Context,
  book: RateBook,
  input: TransactionInput,
  known: KnownCustomer | null,
  { credited = null, local = null }: BesideSale,
): SaleToRecord {
  const { body, shipping, all_lines, given, fees } = completeRequest(input)
  refuseUnknownJurisdiction(book, body)
  refuseUnknownFees(book, fees)
  const zone = context.principal.time_zone
  const transaction_date = body.transaction_date
    ? momentIn(zone, body.transaction_date)
    : context.now.toISOString()
  const day = dayIn(zone, new Date(transaction_date))
  refuseFarDay(zone, context.now, day)
  // What its invoice says is kept with each sale: nobody knows yet who will ask for it.
  const asked = askedCalculation({
    ...refused(body),
    shipping_cost: shipping,
    transaction_date: day,
    explain: true,
    einvoice: {},
  })
  const { sale } = saleOf(context, book, asked, day, known, customerVatIdOf)
  const { principal } = context
  const also = {
    invoiceDetailsOf,
    chargedNumbersOf: hasNumbers(principal, body.seller) ? chargedNumbersOf : null,
  }
  const assess = () => assessRequest(sale, book, local, also)
  const assessment = given && body.jurisdiction_id ? unlessRefused(assess) : assess()
  const prices = linesOfSale(sale).map(discountedAmount)
  const line_items = all_lines.map((line, position) => ({ ...line, amount: at(prices, position) }))
  if (given) line_items.forEach(refuseImpossibleTax)
  const place = creditedPlace(body, credited, assessment?.jurisdiction_id ?? null, given)
  return {
    id: newId('txn'),
    body: { ...body, line_items, ...(place !== null && { jurisdiction_id: place }) },
    known,
    sale,
    assessment,
    taxes_under: taxesUnder(
      assessment?.charged_numbers ?? [],
      credited === null
        ? (numbers) => registrationNumbersOf(principal, body.seller, numbers, day)
        : numbersOfEarlier(earlierOf(credited)),
    ),
    given,
    fees: given ? fees : feesOfAssessment(assessment),
    transaction_date,
    credited_day: creditedDay(body, credited, { transaction_date, day }),
    credited,
    book,
    data_version:
      assessment === null ? null : dataVersionOf(book.version, assessment.local === null ? null : local),
  }
}

function feesOfAssessment(assessment: Assessment | null): FeeToRecord[] {
  return (assessment?.fees ?? []).map(({ record: { jurisdiction_id }, tax_amount }) => ({
    jurisdiction_id,
    tax_amount,
  }))
}

/**
 * A VAT id that the authority called invalid frees no sale, whatever its form (Implementing Regulation (EU)
 * 282/2011, art. 18). Throws invalid_request if the request says that the same id was validated.
 */
function refused(body: TransactionBody): TransactionBody {
  const { vat_proof, customer } = body
  if (vat_proof?.valid !== false) return body
  if (customer?.vat_id_validated === true)
    throw fieldError('invalid_request', 'vat_proof.valid', 'contradicts customer.vat_id_validated')
  return { ...body, customer: { ...customer, vat_id_validated: false } }
}

/**
 * An invoice may be dated ahead. A later day is a typing error, and its sale would be in no return for years.
 */
const DAYS_AHEAD_MAX = 366

function refuseFarDay(zone: string, now: Date, day: string): void {
  const last = daysAfter(todayIn(zone, now), DAYS_AHEAD_MAX)
  if (day > last)
    throw fieldError('invalid_request', 'transaction_date', `must not be after ${last}, a year from now`)
}

/** All lines of a sale, postage last. */
export function linesOfSale({ lines, shipping }: Sale): readonly SaleLine[] {
  return shipping === null ? lines : [...lines, shipping]
}

/** A line of amount 0 may be a correction of tax. On other lines, tax is a part of the amount. */
function refuseImpossibleTax(line: LineBody, index: number): void {
  const { amount, tax_amount, discount = 0 } = line
  if (amount === 0 || !tax_amount) return
  const path = `line_items[${index}].tax_amount`
  // What a third party pays for a discount bears tax, too.
  const taxed = Math.abs(amount) + (line.discount_funded_by === 'manufacturer' ? discount : 0)
  if (Math.abs(tax_amount) > taxed)
    throw fieldError('invalid_request', path, 'must not be larger than the amount')
  if (Math.sign(tax_amount) !== Math.sign(amount))
    throw fieldError('invalid_request', path, 'must have the sign of the amount')
}

function refuseUnknownJurisdiction(book: RateBook, { jurisdiction_id }: TransactionBody): void {
  if (jurisdiction_id && !book.jurisdictions.has(jurisdiction_id))
    throw fieldError(
      'unknown_jurisdiction',
      'jurisdiction_id',
      `there is no jurisdiction ${JSON.stringify(jurisdiction_id)}`,
    )
}

/** An invoice of another system is recorded even if our data cannot assess it. */
function unlessRefused(assess: () => Assessment): Assessment | null {
  try {
    return assess()
  } catch (thrown) {
    if (thrown instanceof Refusal) return null
    throw thrown
  }
}
