import type { Context } from '../../platform/context.ts'
import type { CalculatedOrder } from './breakdown.ts'
import { TaxJarError } from './errors.ts'

/**
 * Never the rate of the state alone in silence: an answer of TaxJar cannot say that local taxes are missing.
 * Throws if they are, unless the account accepts that.
 */
export function refuseStateRateAlone(
  { principal }: Context,
  { coverage, jurisdiction_id }: CalculatedOrder,
): void {
  if (coverage !== 'state' || principal.taxjar?.accept_state_only === true) return
  throw new TaxJarError(400, `local rates of ${jurisdiction_id.slice(3)} are not covered`)
}
