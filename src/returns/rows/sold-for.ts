/**
 * What sales were sold for, without tax, minor units. Where the law taxes what a third party pays for a
 * discount, more is taxed than the customer paid: that is a part of the price too.
 */
export function soldFor({
  net_amount,
  taxable_amount,
}: {
  net_amount: number
  taxable_amount: number
}): number {
  return Math.abs(taxable_amount) > Math.abs(net_amount) ? taxable_amount : net_amount
}
