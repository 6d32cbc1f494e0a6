import { askedCalculation } from '../calculation/asked-calculation.ts'
import { assessRequest, saleOf } from '../calculation/sale-of-request.ts'
import type { Context } from '../context.ts'
import type { KnownCustomer } from '../customers/known-customers.ts'
import { newId } from '../database/ids.ts'
import { fieldError } from '../errors.ts'
import type { Assessment } from '../tax/assessment.ts'
import type { LocalBook } from '../tax/regimes/us-local/local-book.ts'
import type { RateBook } from '../tax/book/rate-book.ts'
import { dataVersionOf } from '../tax-data/data-version.ts'
import { dayIn, momentIn } from '../time-zone.ts'
import { creditedDay, type CreditedSale } from './credited-sales.ts'
import { Refusal } from '../tax/refusal.ts'
import { at, invariant } from '../tax/invariant.ts'
import { placeOfJurisdiction } from '../tax/place.ts'
import type { DeclaredLine } from '../tax/regimes/regime.ts'
import type { Sale } from '../tax/sale.ts'
import type { LineRow, TransactionRow } from './rows.ts'
import { completeBody } from './complete-body.ts'
import { factsOf } from './facts.ts'
import { certificateOf, proofsOf } from './proof.ts'
import type { TransactionBody, TransactionInput } from './schemas.ts'
import { discountedAmount } from '../tax/sale.ts'
import { calculatedTax, givenTax, isGiven, type LineBody, type LineTax, rateOf } from './line-tax.ts'

export type Draft = { row: TransactionRow; lines: LineRow[] }

/** The limit of a sum of a transaction is the limit of a single amount. */
const SUM_MAX = 1_000_000_000_000_000

/** What was read for a sale beside the rate book: the sale that it credits, and the local taxes. */
type BesideSale = { credited?: CreditedSale | null; local?: LocalBook | null }

/**
 * The rows of a transaction. Taxes that the caller gives are recorded as given, because the books mirror the
 * invoice; else they are calculated. Throws the errors of a calculation, and invalid_request,
 * unknown_jurisdiction, amount_out_of_range.
 */
export function draftTransaction(
  context: Context,
  book: RateBook,
  input: TransactionInput,
  known: KnownCustomer | null,
  { credited = null, local = null }: BesideSale = {},
): Draft {
  const { body: given_body, shipping } = completeBody(input)
  const body = shipping === null ? given_body : withShipping(given_body, shipping)
  const given = isTaxGiven(body)
  refuseUnknownJurisdiction(book, body)
  const zone = context.principal.time_zone
  const transaction_date = body.transaction_date
    ? momentIn(zone, body.transaction_date)
    : context.now.toISOString()
  const day = dayIn(zone, new Date(transaction_date))
  const { sale } = saleOf(
    context,
    book,
    askedCalculation({ ...given_body, shipping_cost: shipping, transaction_date: day }),
    day,
    known,
  )
  const priced = sale.shipping === null ? sale.lines : [...sale.lines, sale.shipping]
  const assessment =
    given && body.jurisdiction_id ? assessIfPossible(sale, book, local) : assessRequest(sale, book, local)
  const id = newId('txn')
  const prices = body.line_items.map((line, position) => {
    return { ...line, amount: discountedAmount(at(priced, position)) }
  })
  if (given) prices.forEach(refuseImpossibleTax)
  const lines = linesOf({ ...body, line_items: prices }, id, given, assessment, sale, book)
  return {
    row: rowOf(context, {
      body,
      known,
      sale,
      assessment,
      lines,
      id,
      transaction_date,
      credited_day: creditedDay(body, credited),
      facts: {
        ...factsOf(
          body,
          priced.map(({ discount }) => discount),
        ),
        ...proofsOf(book, sale, { body, known, zone }, lines),
      },
      given,
      version: dataVersionOf(book.version, assessment === null || assessment.local === null ? null : local),
    }),
    lines,
  }
}

/** Postage is recorded as the last line. */
function withShipping(body: TransactionBody, shipping: LineBody): TransactionBody {
  return { ...body, line_items: [...body.line_items, shipping] }
}

/** Whether the lines state their tax: all of them or no line. Throws invalid_request. */
function isTaxGiven({ line_items }: TransactionBody): boolean {
  const states = (line: LineBody) => isGiven(line.tax_amount) || isGiven(line.tax_rate)
  if (!line_items.some(states)) return false
  const silent = line_items.findIndex((line) => !isGiven(line.tax_amount))
  if (silent >= 0)
    throw fieldError(
      'invalid_request',
      `line_items[${silent}].tax_amount`,
      'is required: give the tax of every line, or of no line to have it calculated',
    )
  return true
}

/** A line of amount 0 may be a correction of tax. On other lines, tax is a part of the amount. */
function refuseImpossibleTax({ amount, tax_amount }: LineBody, index: number): void {
  if (amount === 0 || !tax_amount) return
  const path = `line_items[${index}].tax_amount`
  if (Math.abs(tax_amount) > Math.abs(amount))
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
function assessIfPossible(sale: Sale, book: RateBook, local: LocalBook | null): Assessment | null {
  try {
    return assessRequest(sale, book, local)
  } catch (thrown) {
    if (thrown instanceof Refusal) return null
    throw thrown
  }
}

/**
 * The recorded place of supply of a sale or a line. Without an assessment it is the caller's jurisdiction.
 */
function placeOfSupply(body: TransactionBody, assessed: Pick<Assessment, 'jurisdiction_id'> | null): string {
  return invariant(body.jurisdiction_id ?? assessed?.jurisdiction_id, 'a line has a place of supply')
}

/** The one-stop shop through which a line is declared; '' is the seller's own registration. */
function schemeOf(book: RateBook, line: DeclaredLine, { seller, customer }: Sale): LineRow['scheme'] {
  const place = placeOfJurisdiction(book, line.place_of_supply)
  return place === null ? '' : place.law.schemeOf(book, line, seller, customer)
}

function bearsTax({ tax_amount, taxable_amount, tax_rate }: LineTax): boolean {
  return tax_amount !== 0 || (taxable_amount !== 0 && tax_rate !== 0)
}

function linesOf(
  body: TransactionBody,
  transaction_id: string,
  given: boolean,
  assessment: Assessment | null,
  sale: Sale,
  book: RateBook,
): LineRow[] {
  const seen = new Set<string>()
  return body.line_items.map((line, position) => {
    const assessed = assessment?.lines[position] ?? assessment?.shipping ?? null
    const place_of_supply = placeOfSupply(body, assessed)
    const { product_type } = line
    const where = { place_of_supply, day: sale.day }
    const tax =
      given || assessed === null ? givenTax(book, line, body, assessed, where) : calculatedTax(book, assessed)
    const opens_product = seen.has(product_type) ? 0 : 1
    seen.add(product_type)
    return {
      transaction_id,
      position,
      id: newId('li'),
      amount: line.amount,
      quantity: line.quantity ?? 1,
      product_type,
      description: line.description ?? null,
      ...tax,
      place_of_supply,
      scheme: schemeOf(book, { place_of_supply, product_type, bears_tax: bearsTax(tax) }, sale),
      opens_product,
      // Thresholds of retail sales do not count resale.
      exemption: certificateOf(book, sale, { place_of_supply, product_type })?.exemption_type ?? '',
    }
  })
}

type Parts = {
  body: TransactionBody
  known: KnownCustomer | null
  sale: Sale
  assessment: Assessment | null
  lines: readonly LineRow[]
  id: string
  transaction_date: string
  credited_day: string | null
  facts: object
  given: boolean
  version: string
}

function rowOf(context: Context, parts: Parts): TransactionRow {
  const { body, known, sale, assessment, lines, given } = parts
  const now = context.now.toISOString()
  const subtotal = sumOf(lines, (line) => line.net_amount)
  const tax_amount = sumOf(lines, (line) => line.tax_amount)
  if (Math.abs(subtotal + tax_amount) > SUM_MAX) throw tooLarge()
  if (parts.credited_day !== null && subtotal + tax_amount >= 0)
    throw fieldError('invalid_request', 'credit_note_for', 'needs a negative total: a credit note credits')
  const { address } = sale.customer
  const status = body.status ?? 'completed'
  return {
    id: parts.id,
    external_id: body.external_id ?? null,
    customer_id: known?.id ?? null,
    customer_country: address.country,
    customer_region: address.region ?? null,
    customer_postal_code: address.postal_code ?? null,
    customer_vat_id: body.customer?.vat_id ?? known?.vat_id ?? null,
    currency: body.currency,
    subtotal,
    tax_amount,
    total: subtotal + tax_amount,
    tax_rate: rateOfLines(lines),
    tax_source: given ? 'given' : 'calculated',
    tax_variance: given && assessment !== null ? tax_amount - assessment.tax_amount : null,
    jurisdiction_id: placeOfSupply(body, assessment),
    seller_registered: (body.seller_registered ?? assessment?.seller_registered ?? false) ? 1 : 0,
    reverse_charge: assessment?.reverse_charge === true && tax_amount === 0 ? 1 : 0,
    status,
    amount_refunded: 0,
    tax_refunded: 0,
    data_version: assessment === null ? null : parts.version,
    transaction_date: parts.transaction_date,
    completed_at: status === 'completed' ? now : null,
    voided_at: null,
    created_at: now,
    updated_at: now,
    exported_to:
      assessment === null ? '' : exportedTo(assessment, body.jurisdiction_id ?? assessment.jurisdiction_id),
    day: sale.day,
    credited_day: parts.credited_day,
    facts: JSON.stringify(parts.facts),
    superseded_at: null,
    superseded_by: null,
  }
}

/**
 * The other end of an export, else ''. The thresholds of both ends count the sale: it belongs to the place
 * that it leaves, or to its destination if that place taxes it.
 */
function exportedTo({ customer_jurisdiction_id, lines }: Assessment, jurisdiction_id: string): string {
  const left = lines.find(({ exported_from }) => exported_from !== null)?.exported_from ?? null
  if (left === null) return ''
  const other = customer_jurisdiction_id === jurisdiction_id ? left : customer_jurisdiction_id
  return other === jurisdiction_id ? '' : other
}

function sumOf(lines: readonly LineRow[], amountOf: (line: LineRow) => number): number {
  let sum = 0
  for (const line of lines) {
    sum += amountOf(line)
    if (Math.abs(sum) > SUM_MAX) throw tooLarge()
  }
  return sum
}

function tooLarge(): Error {
  return fieldError(
    'amount_out_of_range',
    'line_items',
    'the sum of the amounts is over 1e15: split the transaction',
  )
}

/** The rate of all taxed lines if they have the same; else tax divided by taxable amount. */
function rateOfLines(lines: readonly LineRow[]): number {
  const taxed = lines.filter((line) => line.taxable_amount !== 0)
  const rates = new Set(taxed.map((line) => line.tax_rate))
  const [only] = rates
  if (rates.size <= 1) return only ?? 0
  return rateOf(
    sumOf(taxed, (line) => line.tax_amount),
    sumOf(taxed, (line) => line.taxable_amount),
  )
}
