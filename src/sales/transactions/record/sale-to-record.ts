import { hasNumbers } from '../../../parties/accounts/has-numbers.ts'
import { registrationNumbersOf } from '../../../parties/accounts/registration-numbers.ts'
import { daysAfter } from '../../../platform/kit/calendar.ts'
import { askedCalculation, isRareLine, mayLeaveOpen } from '../../calculation/asked-calculation.ts'
import type { TaxUnder } from '../../calculation/charged-under.ts'
import { loadModules } from '../../calculation/late-modules.ts'
import { chargedNumbersOf, taxesUnder } from '../../calculation/stored-numbers.ts'
import { assessRequest, saleOf } from '../../calculation/sale-of-request.ts'
import type { Context } from '../../../platform/context.ts'
import { customerVatIdOf } from '../../../parties/customers/customer-vat-id.ts'
import type { KnownCustomer } from '../../../parties/customers/known-customers.ts'
import { newId } from '../../../platform/database/ids.ts'
import { fieldError } from '../../../platform/errors.ts'
import { COUNTRIES } from '../../../platform/http/iso-codes.ts'
import { dataVersionOf } from '../../../tax-data/records/data-version.ts'
import { localBookFor, placesOfSale } from '../../../tax-data/records/local-book-for.ts'
import type { Assessment } from '../../../engine/found/assessment.ts'
import type { RateBook } from '../../../engine/book/rate-book.ts'
import { invoiceDetailsOf } from '../../../engine/einvoice/details-of-sale.ts'
import { at } from '../../../engine/ground/invariant.ts'
import { discountedAmount } from '../../../engine/sale/lines.ts'
import { Refusal } from '../../../engine/ground/refusal.ts'
import type { LocalBook } from '../../../engine/regimes/us-local/local-book.ts'
import type { Sale, SaleLine } from '../../../engine/sale/sale.ts'
import { dayIn, momentIn, todayIn } from '../../../platform/kit/time-zone.ts'
import { completeRequest } from './complete-request.ts'
import { type CreditedLine, creditedLines } from '../give-back/credited-lines.ts'
import {
  creditedAddress,
  creditedDay,
  creditedPlace,
  type CreditedSale,
  placesOfCredited,
} from '../give-back/credited-sales.ts'
import { FEE_LINE, type FeeToRecord, refuseUnknownFees } from '../sale/fees.ts'
import type { LineBody, TransactionBody, TransactionInput } from '../sale/schemas.ts'
import { type SoldBy, soldBy } from './sold-by.ts'
import type { WholeSale } from '../sale/rows.ts'

/** A sale with its assessment, from which its rows are drafted. */
export type SaleToRecord = Readonly<{
  id: string
  /** The lines have their prices after discounts. Postage is the last line, as in `linesOfSale`. */
  body: TransactionBody
  known: KnownCustomer | null
  sale: Sale
  /** Null: our data cannot assess the invoice, or it credits a recorded sale, whose taxes it has. */
  assessment: Assessment | null
  /** By line: the stored numbers under which its taxes are charged. Empty: the account has none. */
  taxes_under: readonly (readonly TaxUnder[])[]
  /** The lines state their tax. */
  given: boolean
  /** The fees on the whole sale: those of the invoice if it states its tax, else the calculated ones. */
  fees: readonly FeeToRecord[]
  transaction_date: string
  /** The day in the books. The law is that of `sale.day`: for a credit note, the day of its sale. */
  day: string
  credited_day: string | null
  /** The recorded sale that a credit note names, and by position what its lines credit of it. */
  credited: CreditedSale | null
  credits: readonly CreditedLine[]
  sold_by: SoldBy
  book: RateBook
  data_version: string | null
}>

/** What was read for a sale beside the rate book: the sales that it credits or settles. */
export type BesideSale = {
  credited?: CreditedSale | null
  settled?: readonly WholeSale[]
  /** The seller of the request is the account at another place. Left out: it may be any seller. */
  is_own?: true
  /** The local book at hand; null: there is none. Left out: the one in force. */
  local?: LocalBook | null
}

/**
 * The sale of a request. Throws the errors of a calculation, and invalid_request, unknown_jurisdiction,
 * amount_out_of_range.
 */
export async function saleToRecord(
  context: Context,
  book: RateBook,
  input: TransactionInput,
  known: KnownCustomer | null,
  beside: BesideSale,
): Promise<SaleToRecord> {
  const { credited = null } = beside
  const request = completeRequest(input)
  const { shipping, all_lines, given, fees } = request
  refuseUnknownJurisdiction(book, request.body)
  refuseUnknownFees(book, fees)
  const { transaction_date, day } = dateOfSale(context, request.body)
  const credited_day = creditedDay(request.body, credited, { transaction_date, day })
  const body = credited === null ? request.body : atCreditedPlaces(book, request.body, credited, given)
  const sold_by = await soldBy(context.principal, body.seller, beside, day)
  // Each sale keeps the fields of its e-invoice, because a caller may ask for them later.
  const asked = askedCalculation({
    ...refused({ ...body, seller: sold_by.numbered }),
    shipping_cost: shipping,
    transaction_date: credited_day ?? day,
    explain: true,
    einvoice: {},
  })
  const named = asked.customer?.vat_scheme ?? known?.vat_scheme
  const { schemes, rare_lines, facilitator, open_facts, country_alone } = await loadModules([
    ...(named ? (['schemes'] as const) : []),
    ...(asked.line_items.some(isRareLine) ? (['rare_lines'] as const) : []),
    ...(asked.marketplace === 'facilitator' ? (['facilitator'] as const) : []),
    ...(mayLeaveOpen(asked, (asked.customer?.address ?? known?.address)?.country)
      ? (['open_facts'] as const)
      : []),
    ...(asked.country_alone ? (['country_alone'] as const) : []),
  ])
  const { sale } = saleOf(context, book, asked, credited_day ?? day, known, {
    vat_id: customerVatIdOf,
    scheme: schemes?.customerSchemeOf ?? null,
    rare_lines,
    facilitator,
    open_facts,
    country_alone,
  })
  const prices = linesOfSale(sale).map(discountedAmount)
  const line_items = all_lines.map((line, position) => ({ ...line, amount: at(prices, position) }))
  if (given) line_items.forEach(refuseImpossibleTax)
  const priced = { ...body, line_items }
  const sold = { known, sale, given, transaction_date, day, credited_day, credited, sold_by, book }
  if (credited !== null) return { ...sold, ...mirroredSale(priced, sale, credited, { given, fees }), fees }
  // Just before the assessment: a book keeps the ZIP+4 of few places, which other requests choose too.
  const { local = await localBookFor(context, book, placesOfSale(sale)) } = beside
  const assessment = assessmentOf(context, priced, { sale, book, local, given, sold_by })
  return {
    ...sold,
    id: newId('txn'),
    body: priced,
    assessment,
    taxes_under: taxesUnder(assessment?.charged_numbers ?? [], (numbers) =>
      registrationNumbersOf(context.principal, sold_by.numbered, numbers, sale.day),
    ),
    fees: given ? fees : feesOfAssessment(assessment),
    credits: [],
    data_version:
      assessment === null ? null : dataVersionOf(book.version, assessment.local === null ? null : local),
  }
}

function dateOfSale(
  { principal, now }: Context,
  body: TransactionBody,
): Pick<SaleToRecord, 'transaction_date' | 'day'> {
  const zone = principal.time_zone
  const transaction_date = body.transaction_date ? momentIn(zone, body.transaction_date) : now.toISOString()
  const day = dayIn(zone, new Date(transaction_date))
  refuseFarDay(zone, now, day)
  return { transaction_date, day }
}

/** A credit note has the places of its sale, which say how prices are read: nobody has to repeat them. */
function atCreditedPlaces(
  book: RateBook,
  body: TransactionBody,
  credited: CreditedSale,
  given: boolean,
): TransactionBody {
  const customer = { ...body.customer, address: creditedAddress(book, body, credited, given) }
  return { ...body, customer, ...placesOfCredited(credited) }
}

/** What a credit note has of its sale, instead of an assessment. */
function mirroredSale(
  body: TransactionBody,
  sale: Sale,
  credited: CreditedSale,
  { given, fees }: Pick<SaleToRecord, 'given' | 'fees'>,
): Pick<SaleToRecord, 'id' | 'body' | 'assessment' | 'taxes_under' | 'credits' | 'data_version'> {
  const lines = linesOfSale(sale)
  const asked = body.line_items.map((line, position) => ({
    path: position === sale.lines.length ? 'shipping_cost' : `line_items[${position}]`,
    price: line.amount,
    inclusive: at(lines, position).tax_behavior === 'inclusive',
    product_type: line.product_type,
    supply: line.supply ?? true,
    reference: line.reference ?? null,
    tax_amount: given ? (line.tax_amount ?? null) : null,
    pending: body.status === 'pending',
  }))
  const ofFees = fees.map(({ tax_amount }, index) => {
    const path = `fees[${index}]`
    return { path, price: 0, inclusive: false, product_type: FEE_LINE, reference: null, tax_amount }
  })
  const credits = creditedLines(credited, [...asked, ...ofFees])
  const placed = credits.flatMap((credit) => credit.mirrored ?? credit.placed ?? [])
  return {
    id: newId('txn'),
    body: { ...body, jurisdiction_id: creditedPlace(body, credited, placed) },
    assessment: null,
    taxes_under: [],
    credits,
    data_version: credited.row.data_version,
  }
}

type ToAssess = { sale: Sale; book: RateBook; local: LocalBook | null; given: boolean; sold_by: SoldBy }

/**
 * The assessment of a sale; null: an invoice that states its tax and place, and our data cannot assess it.
 * Throws invalid_request if the request names another place than the calculated one.
 */
function assessmentOf(
  { principal }: Context,
  { jurisdiction_id }: TransactionBody,
  { sale, book, local, given, sold_by }: ToAssess,
): Assessment | null {
  const also = {
    invoiceDetailsOf,
    chargedNumbersOf: hasNumbers(principal, sold_by.numbered) ? chargedNumbersOf : null,
  }
  const assess = () => assessRequest(sale, book, local, also)
  if (given) return jurisdiction_id ? unlessRefused(assess) : assess()
  const assessment = assess()
  if (jurisdiction_id && jurisdiction_id !== assessment.jurisdiction_id) {
    const place = assessment.jurisdiction_id
    const detail =
      `is ${jurisdiction_id}, and the tax of this sale is calculated for ${place}: ` +
      'leave out jurisdiction_id, or state the tax of each line as your invoice has it'
    throw fieldError('invalid_request', 'jurisdiction_id', detail)
  }
  return assessment
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
  if (!tax_amount || (amount === 0 && line.supply !== false)) return
  const path = `line_items[${index}].tax_amount`
  if (line.supply === false) throw fieldError('invalid_request', path, 'must be 0 with supply: false')
  // What a third party pays for a discount bears tax, too.
  const taxed = Math.abs(amount) + (line.discount_funded_by === 'manufacturer' ? discount : 0)
  if (Math.abs(tax_amount) > taxed)
    throw fieldError('invalid_request', path, 'must not be larger than the amount')
  if (Math.sign(tax_amount) !== Math.sign(amount))
    throw fieldError('invalid_request', path, 'must have the sign of the amount')
}

/** A country that the data does not cover is a place of supply too. */
function refuseUnknownJurisdiction(book: RateBook, { jurisdiction_id }: TransactionBody): void {
  if (jurisdiction_id && !book.jurisdictions.has(jurisdiction_id) && !COUNTRIES.has(jurisdiction_id))
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
