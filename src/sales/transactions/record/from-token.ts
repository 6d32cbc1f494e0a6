import type { Context } from '../../../platform/context.ts'
import { fieldError } from '../../../platform/errors.ts'
import { requestOfToken } from '../../calculation/calculation-token.ts'
import { checkTransaction } from '../sale/check-request.ts'
import type { TransactionRequested } from '../sale/schemas.ts'

/** What a token has, so that a request with one must not have it too. */
const OF_TOKEN = [
  'calculation',
  'line_items',
  'currency',
  'shipping_cost',
  'discount_amount',
  'fees',
  'customer',
  'customer_id',
  'jurisdiction_id',
] as const

/**
 * The request with the calculation and the customer of its token. A token without a saved customer may be
 * recorded for one. Throws invalid_request for a token that is old, altered or of another account, and for
 * fields that it has.
 */
export async function withTokenOpened(
  context: Context,
  { calculation_token, ...requested }: TransactionRequested & { calculation_token: string },
): Promise<TransactionRequested> {
  const held = await checkTransaction(await requestOfToken(context, calculation_token))
  const twice = OF_TOKEN.find(
    (name) =>
      (requested[name] ?? null) !== null && (name !== 'customer_id' || held.customer_id !== undefined),
  )
  if (twice !== undefined)
    throw fieldError('invalid_request', 'calculation_token', `does not go with ${twice}, which it has`)
  return { ...requested, ...held }
}
