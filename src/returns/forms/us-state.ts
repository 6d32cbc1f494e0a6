import { isWithin } from '../../engine/book/product-types.ts'
import { FEE_LINE } from '../../sales/transactions/sale/fees.ts'
import { soldKindOf } from '../rows/sold-kind.ts'
import { type FilingRow, type Filled, isSuppliedIn, NET, sumOf, suppliesOf } from '../rows/figures.ts'
import type { FilingSupply } from '../rows/figure-answers.ts'
import { ANY_PERIOD, type FilingScope, type Form, NETS_REFUNDS } from './form.ts'
import { isDeclaredAsSsut } from './us-al-ssut.ts'

/**
 * The figures of state sales tax returns, a return for each state: gross, exempt and taxable sales, and tax.
 * The tax of a state contains its local taxes, which the return lists by jurisdiction beside.
 */
export const usState = {
  ...NETS_REFUNDS,
  type: 'us_state',
  currency: 'USD',
  periods: ANY_PERIOD,
  by_jurisdiction: true,
  lists_taxes: true,
  concerns: (row, seller, jurisdiction_id) =>
    isSuppliedIn('US', row) &&
    !isDeclaredAsSsut(row, seller) &&
    (jurisdiction_id === null || row.place_of_supply === jurisdiction_id),
  fill: fillUsState,
} as const satisfies Form

function fillUsState(all: readonly FilingRow[], { seller }: FilingScope): Filled {
  const taxed = new Set(all.filter(({ tax_amount }) => tax_amount !== 0).map((row) => row.place_of_supply))
  const registered = new Set(seller.registrations)
  const rows = all.filter(
    ({ place_of_supply }) => registered.has(place_of_supply) || taxed.has(place_of_supply),
  )
  const others = [...new Set(all.map((row) => row.place_of_supply))].filter(
    (place) => !registered.has(place) && !taxed.has(place),
  )
  const fees = rows.filter(isFee)
  return {
    boxes: [],
    supplies: [
      ...suppliesIn(rows.filter((row) => !isFee(row))),
      ...suppliesIn(fees).map((supply) => ({ ...supply, tax_type: 'RETAIL_DELIVERY_FEE' as const })),
    ],
    notes: [
      ...(fees.length === 0 ? [] : [FEES_APART]),
      'Refunds made in the period are subtracted',
      ...(others.length === 0
        ? []
        : [`Sales in states without a registration are not in the return: ${others.toSorted().join(', ')}`]),
    ],
    totals: null,
  }
}

const FEES_APART =
  'Retail delivery fees are rows of their own: they go into another return than the sales tax ' +
  '(Colorado: DR 1786; Minnesota: the tax type Retail Delivery Fee)'

function isFee({ product_type }: FilingRow): boolean {
  return product_type === FEE_LINE
}

function suppliesIn(rows: readonly FilingRow[]): Filled['supplies'] {
  return suppliesOf(rows, ['place'], { byReason: exemptByReason, kindOf: soldKindOf })
}

function exemptByReason(rows: readonly FilingRow[]): FilingSupply['exempt_by_reason'] {
  const sums = { resale: 0, government: 0, nonprofit: 0, food: 0, export: 0, marketplace: 0, other: 0 }
  for (const row of rows)
    sums[reasonOf(row)] += sumOf([row], (each) => NET(each) - each.taxable_amount - each.uncollected_amount)
  return sums
}

function reasonOf({
  reason,
  exemption,
  product_type,
}: FilingRow): keyof NonNullable<FilingSupply['exempt_by_reason']> {
  if (reason === 'export') return 'export'
  if (reason === 'marketplace_collects') return 'marketplace'
  // A seller that was not registered yet collected nothing, and its customer was exempt all the same.
  if (reason === 'customer_exempt' || (reason === 'not_collecting' && exemption !== ''))
    return exemption === 'resale' || exemption === 'government' || exemption === 'nonprofit'
      ? exemption
      : 'other'
  return isWithin(product_type, 'groceries') ? 'food' : 'other'
}
