import { fieldError } from '../errors.ts'
import type { TransactionBody } from './schemas.ts'

/** A recorded sale that a credit note names. */
export type CreditedSale = { id: string; external_id: string | null; currency: string; day: string }

/**
 * The day of the sale that a credit note corrects; null: the transaction is no credit note. Throws
 * invalid_request if the sale has another currency.
 */
export function creditedDay(
  { credit_note_for, currency }: TransactionBody,
  credited: CreditedSale | null,
): string | null {
  if (!credit_note_for) return null
  if (credited !== null && credited.currency !== currency)
    throw fieldError('invalid_request', 'currency', `must be ${credited.currency}, as in the credited sale`)
  return credited?.day ?? credit_note_for.date ?? null
}
