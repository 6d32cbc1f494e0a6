import { unitsInWords } from '../../engine/book/money-in-words.ts'
import { fieldError } from '../../platform/errors.ts'
import type { EarlierSale, LineOfEarlier } from './einvoice-of-earlier.ts'
import type { LineRow, TransactionRow } from './rows.ts'
import type { TransactionBody } from './schemas.ts'

/** A recorded sale that a credit note names, with what refunds and earlier credit notes leave of it. */
export type CreditedSale = Pick<
  TransactionRow,
  'id' | 'external_id' | 'currency' | 'day' | 'transaction_date' | 'jurisdiction_id' | 'status'
> & {
  total_left: number
  tax_left: number
  /** Its lines, as JSON: `CreditedLine`. */
  lines: string
  /** The view that was kept with it, as JSON; null: none. */
  einvoice: string | null
}

type CreditedLine = LineOfEarlier & Pick<LineRow, 'place_of_supply'>

/** What the invoice of a credited sale says. */
export function earlierOf({ einvoice, lines }: CreditedSale): EarlierSale {
  return { kept: einvoice === null ? null : JSON.parse(einvoice), lines: JSON.parse(lines) }
}

/**
 * The day of the sale that a credit note corrects; null: the transaction is no credit note. Throws
 * invalid_request if the sale has another currency, does not count, or is later than the credit note.
 */
export function creditedDay(
  { credit_note_for, currency }: TransactionBody,
  credited: CreditedSale | null,
  note: { transaction_date: string; day: string },
): string | null {
  if (!credit_note_for) return null
  if (credited === null) {
    const { date = null } = credit_note_for
    if (date !== null && date > note.day)
      throw fieldError('invalid_request', 'credit_note_for.date', 'must not be after the credit note')
    return date
  }
  if (credited.currency !== currency)
    throw fieldError('invalid_request', 'currency', `must be ${credited.currency}, as in the credited sale`)
  if (credited.status !== 'completed' && credited.status !== 'refunded')
    throw fieldError(
      'invalid_request',
      'credit_note_for',
      `must be a completed sale: it is ${credited.status}`,
    )
  if (credited.transaction_date > note.transaction_date)
    throw fieldError('invalid_request', 'transaction_date', 'must not be before the credited sale')
  return credited.day
}

/**
 * The place of supply of a credit note is that of its sale, or of some of its lines. Null: the assessed place
 * is right. Throws invalid_request if the request or the customer's address is of another place.
 */
export function creditedPlace(
  { jurisdiction_id }: TransactionBody,
  credited: CreditedSale | null,
  assessed: string | null,
  given: boolean,
): string | null {
  if (credited === null) return null
  const place = credited.jurisdiction_id
  const ofLines: CreditedLine[] = JSON.parse(credited.lines)
  const isOfSale = (id: string) =>
    id === place || ofLines.some(({ place_of_supply }) => place_of_supply === id)
  const must = `must be ${place}, the place of supply of the credited sale`
  if (jurisdiction_id && !isOfSale(jurisdiction_id))
    throw fieldError('invalid_request', 'jurisdiction_id', must)
  if (assessed !== null && isOfSale(assessed)) return null
  // An invoice states its tax, so its place is that of the sale. A tax that is calculated is of another
  // place.
  if (!given) throw fieldError('invalid_request', 'customer', `${must}: it is ${assessed ?? 'unknown'}`)
  return jurisdiction_id ?? place
}

/**
 * Throws refund_exceeds_remaining if a credit note credits more than refunds and other credit notes leave of
 * its sale. Each line may round its tax by itself.
 */
export function refuseOverCredit(
  credited: CreditedSale,
  { total, tax_amount }: Pick<TransactionRow, 'total' | 'tax_amount'>,
  lines: readonly LineRow[],
): void {
  const inWords = (left: number) => unitsInWords(Math.max(left, 0), credited.currency)
  if (-total > credited.total_left)
    throw fieldError(
      'refund_exceeds_remaining',
      'line_items',
      `must be at most ${inWords(credited.total_left)} with tax, what is left of the credited sale`,
    )
  if (-tax_amount > credited.tax_left + lines.length)
    throw fieldError(
      'refund_exceeds_remaining',
      'line_items',
      `has more tax than ${inWords(credited.tax_left)}, what is left of the tax of the credited sale`,
    )
}
