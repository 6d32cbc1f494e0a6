import { ApiError } from '../../../platform/errors.ts'

/**
 * Sums of a group of sales, in minor units of one currency. Amounts are without tax, except those of tax.
 * Refunds have columns of their own.
 */
export type Sums = {
  transactions: number
  refunds: number
  net_amount: number
  taxable_amount: number
  uncollected_amount: number
  tax_amount: number
  provincial_tax_amount: number
  refunded_net_amount: number
  refunded_taxable_amount: number
  refunded_tax_amount: number
  refunded_provincial_tax_amount: number
}

/** The columns of `Sums` that are money. */
export const SUMMED = [
  'net_amount',
  'taxable_amount',
  'uncollected_amount',
  'tax_amount',
  'provincial_tax_amount',
  'refunded_net_amount',
  'refunded_taxable_amount',
  'refunded_tax_amount',
  'refunded_provincial_tax_amount',
] as const

/** Throws amount_out_of_range if the sum is too large to be exact in a double. */
export function refuseInexact(sum: number): number {
  if (!Number.isSafeInteger(sum)) throw tooLarge()
  return sum
}

/** The error for a sum that is too large to be exact. */
export function tooLarge(): ApiError {
  return new ApiError('amount_out_of_range', {
    message: 'The sums of these sales are too large to report exactly; request a shorter period',
  })
}

/** What the sums of a return are grouped by. */
export const GROUPED = [
  'sold_in',
  'place_of_supply',
  'scheme',
  'currency',
  'product_type',
  'tax_rate',
  'reason',
  'exemption',
  'exported_to',
] as const
