import { ApiError } from '../errors.ts'

/**
 * Sums of a group of sales, minor units of one currency, without tax but where the name says tax. Refunds
 * stand apart.
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

/** Throws amount_out_of_range for a sum that a double cannot hold exactly. */
export function refuseInexact(sum: number): number {
  if (!Number.isSafeInteger(sum)) throw tooLarge()
  return sum
}

/** The error for a sum that cannot be told exactly. */
export function tooLarge(): ApiError {
  return new ApiError('amount_out_of_range', {
    message: 'The sums of these sales are too large to be told exactly: ask for a shorter time',
  })
}
