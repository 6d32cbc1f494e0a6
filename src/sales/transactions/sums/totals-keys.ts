/** The columns that name a row of the totals of an account, in the order of the primary key. */
export const KEY = [
  'span',
  'period',
  'sold_in',
  'jurisdiction_id',
  'place_of_supply',
  'scheme',
  'currency',
  'product_type',
  'tax_rate',
  'reason',
  'exported_to',
  'exemption',
] as const

/** The same of a row of the counts. */
export const COUNT_KEY = ['span', 'period', 'jurisdiction_id', 'status'] as const
