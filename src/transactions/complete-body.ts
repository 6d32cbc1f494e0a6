import { fieldError } from '../errors.ts'
import type { TransactionBody, TransactionInput } from './schemas.ts'

/** A request with all its lines. `shipping` is a line of its own, after the others. */
export type CompleteBody = { body: TransactionBody; shipping: TransactionBody['line_items'][number] | null }

/**
 * Completes a request: a calculation that was given back becomes lines with their tax. Throws
 * invalid_request if lines or currency are missing, or are given twice.
 */
export function completeBody(input: TransactionInput): CompleteBody {
  const { calculation, shipping_cost: own_shipping, ...rest } = input
  if (calculation !== undefined) refuseBoth(input)
  const line_items = rest.line_items ?? calculation?.line_items.map(lineOfCalculation)
  const currency = rest.currency ?? calculation?.currency
  if (line_items === undefined) throw fieldError('invalid_request', 'line_items', 'is required')
  if (currency === undefined) throw fieldError('invalid_request', 'currency', 'is required')
  const shipping = own_shipping ?? calculation?.shipping_cost ?? null
  return {
    body: {
      ...rest,
      line_items,
      currency,
      jurisdiction_id: rest.jurisdiction_id ?? calculation?.jurisdiction_id,
      transaction_date: rest.transaction_date ?? calculation?.transaction_date,
    },
    shipping:
      shipping === null
        ? null
        : {
            amount: shipping.amount,
            product_type: 'shipping',
            tax_behavior: shipping.tax_behavior,
            tax_rate: shipping.tax_rate,
            tax_amount: shipping.tax_amount,
          },
  }
}

function refuseBoth(input: TransactionInput): void {
  for (const name of ['line_items', 'currency', 'shipping_cost', 'discount_amount'] as const)
    if (input[name] !== undefined)
      throw fieldError('invalid_request', name, 'does not go with calculation, which has its own')
}

/** Of a calculated line, the fields that a recorded line has. */
function lineOfCalculation(
  line: NonNullable<TransactionInput['calculation']>['line_items'][number],
): TransactionBody['line_items'][number] {
  return {
    amount: line.amount,
    quantity: line.quantity,
    product_type: line.product_type,
    description: line.description,
    reference: line.reference,
    discount: line.discount,
    tax_behavior: line.tax_behavior,
    tax_rate: line.tax_rate,
    tax_amount: line.tax_amount,
  }
}
