import type * as z from 'zod'
import type { RecordedAddress } from '../sale/answers.ts'
import { unitsInWords } from '../../../engine/book/money-in-words.ts'
import { fieldError } from '../../../platform/errors.ts'
import type { RateBook } from '../../../engine/book/rate-book.ts'
import { namedRegion } from '../../../engine/supply/place.ts'
import type { Address, GoodsDelivery } from '../../../engine/sale/sale.ts'
import { mostOfLines, remainderOf, settledByInWords } from './remainder.ts'
import type { LineRow, TransactionRow, WholeSale } from '../sale/rows.ts'
import type { TransactionBody } from '../sale/schemas.ts'

/** A recorded sale that a credit note names, with what takes from it, also the notes of the same batch. */
export type CreditedSale = WholeSale

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
  const { row } = credited
  if (row.currency !== currency)
    throw fieldError('invalid_request', 'currency', `must be ${row.currency}, as in the credited sale`)
  if (row.status !== 'completed' && row.status !== 'refunded')
    throw fieldError('invalid_request', 'credit_note_for', `must be a completed sale: it is ${row.status}`)
  if (row.transaction_date > note.transaction_date)
    throw fieldError('invalid_request', 'transaction_date', 'must not be before the credited sale')
  return row.day
}

/**
 * The address of the customer of a credit note is that of its sale, wherever the customer is now. Throws
 * invalid_request if the note is calculated and names another country or region.
 */
export function creditedAddress(
  book: RateBook,
  { customer }: TransactionBody,
  { row }: CreditedSale,
  given: boolean,
): Address {
  const { customer_country: country, customer_region: region, customer_postal_code: postal_code } = row
  const named = customer?.address
  const idOf = (text: string) => namedRegion(book, country, text) ?? text
  const isOther =
    named &&
    (named.country !== country || (named.region && region !== null && idOf(named.region) !== idOf(region)))
  if (isOther && !given) {
    const place = (code: string, part: string | null | undefined) => (part ? `${code}-${part}` : code)
    const must = `must be in ${place(country, region)}, as in the credited sale`
    throw fieldError('invalid_request', 'customer', `${must}: it is in ${place(named.country, named.region)}`)
  }
  return { country, region, postal_code }
}

type PlacesOfCredited = {
  ship_from: z.output<typeof RecordedAddress> | null
  delivery?: GoodsDelivery
  supply_address?: z.output<typeof RecordedAddress>
}

/** The places of a credited sale that say whether its prices contain tax. */
export function placesOfCredited({ row }: CreditedSale): PlacesOfCredited {
  const { delivery, ship_from = null, supply_address }: Partial<PlacesOfCredited> = JSON.parse(row.facts)
  return {
    ship_from,
    ...(delivery && { delivery }),
    ...(supply_address && { supply_address }),
  }
}

/**
 * The place of supply of a credit note: that of the lines that it credits, else that of its sale. Throws
 * invalid_request if the request names another place.
 */
export function creditedPlace(
  { jurisdiction_id }: TransactionBody,
  { row, lines }: CreditedSale,
  credited: readonly Pick<LineRow, 'place_of_supply'>[],
): string {
  const place = row.jurisdiction_id
  if (jurisdiction_id) {
    if (jurisdiction_id !== place && lines.every((line) => line.place_of_supply !== jurisdiction_id)) {
      const detail = `must be ${place}, the place of supply of the credited sale: leave it out`
      throw fieldError('invalid_request', 'jurisdiction_id', detail)
    }
    return jurisdiction_id
  }
  const [first, ...others] = new Set(credited.map(({ place_of_supply }) => place_of_supply))
  return first !== undefined && others.length === 0 ? first : place
}

/**
 * Throws refund_exceeds_remaining if a credit note credits more than is left of the lines of its sale: tax
 * that they did not bear, not even the least, cannot be given back.
 */
export function refuseOverCredit(
  credited: CreditedSale,
  { total, tax_amount }: Pick<TransactionRow, 'total' | 'tax_amount'>,
): void {
  const inWords = (units: number) => unitsInWords(units, credited.row.currency)
  const most = mostOfLines(remainderOf(credited).lines)
  if (-total > most.total)
    throw fieldError(
      'refund_exceeds_remaining',
      'line_items',
      `must be at most ${inWords(most.total)} with tax, what is left of the credited sale` +
        settledByInWords(credited),
    )
  if (-tax_amount > most.tax_amount)
    throw fieldError(
      'refund_exceeds_remaining',
      'line_items',
      `has more tax than ${inWords(most.tax_amount)}, the tax that is left of the credited sale`,
    )
}
