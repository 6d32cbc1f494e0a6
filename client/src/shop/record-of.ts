import type { CalculateAnswer } from '../schema.ts'
import type { RecordedSale } from './recorded.ts'

/** A sale beside its calculation: its number, and who buys, as the request of the calculation said. */
export type SaleOfAnswer = Omit<
  RecordedSale,
  | 'calculation'
  | 'calculation_token'
  | 'line_items'
  | 'currency'
  | 'shipping_cost'
  | 'discount_amount'
  | 'fees'
>

/**
 * The record of what was calculated for a buyer: `recorder.sale` and `transactions.create` take it. It has
 * the tax that the buyer paid, whatever changed since. What only explains the answer is left out. Give the
 * `customer` and `customer_id` of the request; the answer has all else.
 */
export function recordOf(answer: CalculateAnswer, sale: SaleOfAnswer): RecordedSale {
  const {
    trace: _trace,
    in_words: _words,
    comparison: _other,
    calculation_token: _token,
    ...calculation
  } = answer
  return { ...sale, calculation }
}
