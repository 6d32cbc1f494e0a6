import type { Answer } from '../../../platform/http/answers.ts'
import { MILLION } from '../../../engine/arithmetic/rounding.ts'
import type { RateBook } from '../../../engine/book/rate-book.ts'
import { moneyInWords } from '../../../engine/book/money-in-words.ts'
import { productInWords, productOfNoSupply } from '../../../engine/book/product-types.ts'
import {
  badgeOf,
  type LineToTell,
  type PlaceNames,
  placeInWords,
  stepInWords,
  tellLine,
  tellTax,
} from '../../../engine/words/reason-in-words.ts'
import type { LineExplanation, RefundExplanation, SaleExplanation } from '../sale/answers.ts'
import { FEE_LINE } from '../sale/fees.ts'
import { type CalculatedTax, type KeptReasons, stepsKept } from './kept-reasons.ts'
import { partsOfRefund } from '../sale/line-parts.ts'
import type { LineRow, RefundRow, StoredTax, StoredTransaction, TransactionRow } from '../sale/rows.ts'
import { readSaleContext } from '../sale/sale-context.ts'

/** What is explained: the sale, the reasons that were kept with it, and the names of places. */
type Explained = { row: TransactionRow; kept: KeptReasons; names: PlaceNames }

/** Why a sale bears its tax, from what was kept with it. `book` only gives names. */
export function explainSale(
  { row, lines, refunds }: StoredTransaction,
  kept: KeptReasons,
  book: RateBook,
): Answer<typeof SaleExplanation> {
  const explained: Explained = { row, kept, names: { book, local: kept.places ?? {} } }
  return {
    data_version: row.data_version,
    rounding: kept.rounding,
    steps: stepsKept(kept, null).map((step) => stepInWords(step, row.currency, explained.names)),
    lines: lines.map((line) => explainLine(line, explained)),
    refunds: refunds.map((refund) => explainRefund(refund, lines, row)),
  }
}

/** Why a line bears its tax, as one sentence, from what was kept with its sale. */
export function sentenceOfLine(
  line: LineRow,
  row: TransactionRow,
  kept: KeptReasons,
  book: RateBook,
): string {
  return tellKept(line, { row, kept, names: { book, local: kept.places ?? {} } })
}

function explainLine(line: LineRow, explained: Explained): Answer<typeof LineExplanation> {
  const { row, kept, names } = explained
  const told = lineToTell(line, explained)
  const place = (id: string) => ({ id, name: placeInWords(id, names) })
  const calculated = calculatedOf(line, explained)
  return {
    line_item_id: line.id,
    sentence: tellKept(line, explained),
    badge: isFee(line) ? 'Fee' : badgeOf(told),
    tax_from: sourceOfTax(line, row),
    place: place(line.place_of_supply),
    product_type: line.product_type,
    product: productInWords(told.product_type),
    taxability_reason: line.taxability_reason,
    tax_rate: line.tax_rate / MILLION,
    taxable_amount: line.taxable_amount,
    tax_amount: line.tax_amount,
    taxes: told.taxes.map((tax) => ({
      place: place(tax.jurisdiction_id),
      tax_type: tax.tax_type,
      tax_rate: tax.rate_millionths / MILLION,
      taxable_amount: tax.taxable_amount,
      tax_amount: tax.tax_amount,
    })),
    calculated: calculated === null ? null : presentCalculated(calculated),
    steps: stepsKept(kept, line.position).map((step) => stepInWords(step, row.currency, names)),
  }
}

function presentCalculated({ tax_amount, taxable_amount, rate_millionths }: CalculatedTax) {
  return { tax_amount, taxable_amount, tax_rate: rate_millionths / MILLION }
}

function sourceOfTax({ position }: LineRow, row: TransactionRow): Answer<typeof LineExplanation>['tax_from'] {
  const { lines, credits } = readSaleContext(row.facts)
  if (lines[position]?.settles !== undefined) return 'settled'
  if (credits !== undefined && row.tax_source === 'calculated') return 'credited'
  return row.tax_source
}

/** The tax that the service would have charged; null: it did calculate the tax, or it cannot. */
function calculatedOf({ position }: LineRow, { kept }: Explained): CalculatedTax | null {
  return kept.calculated?.[position] ?? null
}

function tellKept(line: LineRow, explained: Explained): string {
  const { row, names } = explained
  const told = lineToTell(line, explained)
  const name = line.description ?? productInWords(told.product_type)
  const tax = moneyInWords(line.tax_amount, row.currency)
  const source = sourceOfTax(line, row)
  if (source === 'settled') return `${name}: takes off ${tax} of tax that an earlier sale charged`
  if (source === 'credited')
    return `${name}: refunds ${moneyInWords(0 - line.tax_amount, row.currency)} tax, as it was charged`
  if (isFee(line))
    return `${name}: ${tax}, a fixed fee of ${placeInWords(line.place_of_supply, names)} on the whole sale`
  if (source === 'calculated') return tellLine(told, names)
  return `${name}: ${tellGiven(line, told, explained)}`
}

/** The tax of the caller, beside what the service would have charged. */
function tellGiven(line: LineRow, told: LineToTell, explained: Explained): string {
  const { row, names } = explained
  const calculated = calculatedOf(line, explained)
  const stated = `${moneyInWords(line.tax_amount, row.currency)} of tax, as stated with the sale`
  if (calculated === null) return `${stated}; the data of the service cannot calculate it`
  if (calculated.tax_amount === line.tax_amount)
    return `${stated}; the service agrees: ${tellTax(told, names)}`
  return `${stated}; the service would have charged ${moneyInWords(calculated.tax_amount, row.currency)}`
}

function isFee({ product_type }: LineRow): boolean {
  return product_type === FEE_LINE
}

function lineToTell(line: LineRow, { row, kept }: Explained): LineToTell {
  const taxes: StoredTax[] = JSON.parse(line.tax_breakdown)
  return {
    description: line.description,
    product_type: soldAs(line, row),
    currency: row.currency,
    net_amount: line.net_amount,
    taxable_amount: line.taxable_amount,
    tax_amount: line.tax_amount,
    rate_millionths: line.tax_rate,
    taxability_reason: line.taxability_reason,
    reason_detail: line.reason_detail,
    jurisdiction_id: line.place_of_supply,
    taxes: taxes.map(({ rate, ...tax }) => ({ ...tax, rate_millionths: Math.round(rate * MILLION) })),
    steps: stepsKept(kept, line.position),
  }
}

/** The product of a line; of what is no supply, what its money is for. */
function soldAs({ position, product_type }: LineRow, { facts }: TransactionRow): string {
  const reason = readSaleContext(facts).lines[position]?.supply_reason
  return reason === undefined ? product_type : productOfNoSupply(reason)
}

function explainRefund(
  refund: RefundRow,
  lines: readonly LineRow[],
  { currency }: TransactionRow,
): Answer<typeof RefundExplanation> {
  const money = (amount: number) => moneyInWords(amount, currency)
  const back = `Refund of ${money(refund.amount)}, of which ${money(refund.tax_amount)} tax`
  return {
    refund_id: refund.id,
    sentence: `${back}, at the rate of the sale`,
    parts: partsOfRefund(refund).map(({ position, tax_rate, net_amount, tax_amount }) => ({
      line_item_id: lines.find((line) => line.position === position)?.id ?? null,
      tax_rate: tax_rate / MILLION,
      net_amount,
      tax_amount,
    })),
  }
}
