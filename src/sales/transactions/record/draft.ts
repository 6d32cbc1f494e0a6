import type { Context } from '../../../platform/context.ts'
import { wholePieces } from '../../calculation/line-amounts.ts'
import type { KnownCustomer } from '../../../parties/customers/known-customers.ts'
import { newId } from '../../../platform/database/ids.ts'
import { fieldError } from '../../../platform/errors.ts'
import type { Assessment } from '../../../engine/found/assessment.ts'
import { MILLION } from '../../../engine/arithmetic/rounding.ts'
import type { Sale } from '../../../engine/sale/sale.ts'
import { noteOnTotal } from '../../calculation/expected-total.ts'
import type { RateBook } from '../../../engine/book/rate-book.ts'
import { feeLines } from './fee-lines.ts'
import { type CreditedSale, refuseOverCredit } from '../give-back/credited-sales.ts'
import type { CreditedLine } from '../give-back/credited-lines.ts'
import { reasonsToKeep } from './reasons-to-keep.ts'
import { keptEinvoiceOf } from './einvoice-to-keep.ts'
import { placeOfSupply, effectiveRate, recordedTax } from './recorded-tax.ts'
import type { LineRow, TransactionRow } from '../sale/rows.ts'
import { contextToStore } from '../sale/sale-context.ts'
import { saleContextOf } from './context-to-keep.ts'
import { type BesideSale, saleToRecord, type SaleToRecord } from './sale-to-record.ts'
import type { TransactionInput } from '../sale/schemas.ts'
import { keepWordsWithSale, shareWords, type StoredTexts } from './words-to-share.ts'
import { NOTE_OF_OTHER_SELLER, refuseOtherSellers } from './sold-by.ts'
import { settle, type Settlement } from '../give-back/settle.ts'

/**
 * The rows of a sale with the reasons of its tax, and what it takes off for earlier sales. `credited`: the
 * sale that a credit note corrects, as it was read. `einvoice`: the view that is asked for; null: none.
 */
export type Draft = {
  row: TransactionRow
  lines: LineRow[]
  settlements: readonly Settlement[]
  credited: CreditedSale | null
  /** What the answer tells, and the books do not keep. */
  notes: readonly string[]
  stored: StoredTexts
  einvoice: TransactionInput['einvoice'] | null
}

/** The limit of a sum of a transaction is the limit of a single amount. */
const SUM_MAX = 1_000_000_000_000_000

/**
 * The rows of a transaction. Taxes that the caller gives are recorded as given, because the books mirror the
 * invoice; else they are calculated. Throws the errors of a calculation, and invalid_request,
 * unknown_jurisdiction, amount_out_of_range, refund_exceeds_remaining.
 */
export async function draftTransaction(
  context: Context,
  book: RateBook,
  input: TransactionInput,
  known: KnownCustomer | null,
  beside: BesideSale = {},
): Promise<Draft> {
  const sold = await saleToRecord(context, book, input, known, beside)
  const own = [...lineRows(sold), ...feeLines(sold)]
  const { id, body, day } = sold
  const total = sumOfLines(own, (line) => line.net_amount + line.tax_amount)
  const settlements = settle({ id, body, day, total, lines: own }, beside.settled ?? [])
  refuseOtherSellers(sold.sold_by, settlements)
  const lines = [...own, ...settlements.flatMap((settlement) => settlement.lines)]
  const einvoice = keptEinvoiceOf(context, sold, { own, settlements })
  const said = saleContextOf(sold, { own, settlements }, context.principal.time_zone, einvoice)
  const facts = contextToStore(said)
  const row = transactionRow(context, sold, { own, lines, facts })
  if (sold.credited !== null) refuseOverCredit(sold.credited, row)
  return {
    row,
    lines,
    settlements,
    credited: sold.credited,
    notes: [
      ...notesOnTotal(input.expected_total ?? null, sold.sale, row),
      ...(row.of_other_seller === 1 ? [NOTE_OF_OTHER_SELLER] : []),
    ],
    stored: await textsToStore(context, facts, reasonsToKeep(sold)),
    einvoice: input.einvoice ?? null,
  }
}

/** `WORDS_WITH_SALES` is on for releases that could be rolled back to one that knows no shared words. */
async function textsToStore({ env }: Context, ...texts: Parameters<typeof shareWords>): Promise<StoredTexts> {
  return env.WORDS_WITH_SALES === 'on' ? keepWordsWithSale(...texts) : shareWords(...texts)
}

function notesOnTotal(expected: number | null, sale: Sale, row: TransactionRow): string[] {
  const note =
    expected === null ? null : noteOnTotal(expected, sale, { ...row, tax_rate: row.tax_rate / MILLION })
  return note === null ? [] : [note]
}

function lineRows(sold: SaleToRecord): LineRow[] {
  const seen = new Set<string>()
  return sold.body.line_items.map((line, position) => {
    const { product_type, supply = true } = line
    // What is no supply is no sale of the product.
    const opens_product = supply && !seen.has(product_type) ? 1 : 0
    if (supply) seen.add(product_type)
    return {
      transaction_id: sold.id,
      position,
      id: newId('li'),
      amount: line.amount,
      quantity: wholePieces(line.quantity ?? 1),
      product_type,
      description: line.description ?? null,
      ...recordedTax(sold, line, position),
      opens_product,
    }
  })
}

/** `own` are the lines of the supply; `lines` also those that take off what was charged before. */
type Drafted = { own: readonly LineRow[]; lines: readonly LineRow[]; facts: string }

function transactionRow(
  context: Context,
  sold: SaleToRecord,
  { own, lines, facts }: Drafted,
): TransactionRow {
  const { body, known, sale, assessment, given, credited, credited_day } = sold
  const now = context.now.toISOString()
  const subtotal = sumOfLines(lines, (line) => line.net_amount)
  const tax_amount = sumOfLines(lines, (line) => line.tax_amount)
  const own_tax = sumOfLines(own, (line) => line.tax_amount)
  if (Math.abs(subtotal + tax_amount) > SUM_MAX) throw tooLarge()
  if (credited_day !== null && subtotal + tax_amount >= 0 && !sold.credits.some(takesMoney))
    throw fieldError('invalid_request', 'credit_note_for', 'needs a negative total: a credit note credits')
  const { address } = sale.customer
  const found = foundOfSale(sold)
  const status = body.status ?? 'completed'
  return {
    id: sold.id,
    external_id: body.external_id ?? null,
    customer_id: known?.id ?? credited?.row.customer_id ?? null,
    customer_country: address.country,
    customer_region: address.region ?? null,
    customer_postal_code: address.postal_code ?? null,
    customer_vat_id:
      credited === null ? (body.customer?.vat_id ?? known?.vat_id ?? null) : credited.row.customer_vat_id,
    currency: body.currency,
    subtotal,
    tax_amount,
    total: subtotal + tax_amount,
    tax_rate: rateOfLines(own),
    tax_source: given ? 'given' : 'calculated',
    tax_variance: varianceOf(sold, own_tax, subtotal + tax_amount),
    jurisdiction_id: placeOfSupply(body, assessment),
    seller_registered: (body.seller_registered ?? found.seller_registered) ? 1 : 0,
    reverse_charge: found.reverse_charge && own_tax === 0 ? 1 : 0,
    status,
    amount_refunded: 0,
    tax_refunded: 0,
    data_version: sold.data_version,
    transaction_date: sold.transaction_date,
    completed_at: status === 'completed' ? now : null,
    voided_at: null,
    created_at: now,
    updated_at: now,
    exported_to: found.exported_to,
    day: sold.day,
    credited_day,
    facts,
    superseded_at: null,
    superseded_by: null,
    credited_sale: credited?.row.id ?? null,
    of_other_seller: sold.sold_by.of_other_seller,
  }
}

/**
 * The tax that was charged less the calculated one. Where that is recorded, the caller can say what it
 * charges: another total of the same cart has another tax. Null: nothing was compared, or nothing differs.
 */
function varianceOf(
  { given, assessment, body }: SaleToRecord,
  own_tax: number,
  total: number,
): number | null {
  if (given) return assessment === null ? null : own_tax - assessment.tax_amount
  const { expected_total } = body
  return typeof expected_total === 'number' && expected_total !== total ? expected_total - total : null
}

function takesMoney({ parts }: CreditedLine): boolean {
  return parts.some(({ net_amount }) => net_amount !== 0)
}

/** What the assessment of a sale says of the whole. A credit note has it of its sale. */
function foundOfSale({ assessment, credited, body }: SaleToRecord) {
  if (credited !== null) {
    const { seller_registered, reverse_charge, exported_to } = credited.row
    return {
      seller_registered: seller_registered === 1,
      reverse_charge: reverse_charge === 1,
      exported_to: exported_to === body.jurisdiction_id ? '' : exported_to,
    }
  }
  if (assessment === null) return { seller_registered: false, reverse_charge: false, exported_to: '' }
  const { seller_registered, reverse_charge, jurisdiction_id } = assessment
  const exported_to = exportedTo(assessment, body.jurisdiction_id ?? jurisdiction_id)
  return { seller_registered, reverse_charge, exported_to }
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

function sumOfLines(lines: readonly LineRow[], amountOf: (line: LineRow) => number): number {
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
  return effectiveRate(
    sumOfLines(taxed, (line) => line.tax_amount),
    sumOfLines(taxed, (line) => line.taxable_amount),
  )
}
