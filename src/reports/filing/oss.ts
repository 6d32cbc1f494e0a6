import { quarterOf } from '../../calendar.ts'
import type { UnionScheme } from '../../tax/schemes.ts'
import {
  type Correction,
  type FilingPeriod,
  type FilingRow,
  inOrder,
  sumAfterRefunds,
  type Return,
  suppliesOf,
  transactionsUrl,
} from './figures.ts'
import type { Form } from './form.ts'

/**
 * The returns of the one-stop shops (Directive 2006/112/EC, art. 365, 369g, 369t; Implementing Regulation
 * (EU) 2020/194, annex III): by member state of consumption, by goods or services, by rate. Corrections of
 * earlier periods are separate (Implementing Regulation 282/2011, art. 61).
 */
function ossForm<Scheme extends UnionScheme>(scheme: Scheme, period: 'month' | 'quarter') {
  return {
    type: scheme,
    currency: 'EUR',
    periods: [period],
    concerns: (row) => row.scheme === scheme,
    fill: (rows, days) => fill(scheme, rows, days),
  } as const satisfies Form
}

/** Sales within the Union. */
export const ossUnion = ossForm('oss_union', 'quarter')
/** Services of sellers outside the Union. */
export const ossNonUnion = ossForm('oss_non_union', 'quarter')
/** Goods imported in consignments of low value. */
export const ioss = ossForm('ioss', 'month')

function fill(scheme: UnionScheme, declared: readonly FilingRow[], period: FilingPeriod): Return {
  const earlier = declared.filter((row) => row.sold_in < period.from.slice(0, 7))
  const current = declared.filter((row) => row.sold_in >= period.from.slice(0, 7))
  return {
    boxes: [],
    supplies: suppliesOf(current, period, ['place', 'kind', 'rate'], { scheme }, memberStateOf),
    corrections: correctionsOf(scheme, earlier, period),
    notes: [
      'If the corrections of a member state exceed its tax, nothing is due there. ' +
        'The excess is not set off against another member state',
    ],
  }
}

function correctionsOf(scheme: UnionScheme, rows: readonly FilingRow[], period: FilingPeriod): Correction[] {
  const periodOf = (row: FilingRow) => (scheme === 'ioss' ? row.sold_in : quarterOf(row.sold_in))
  const groups = Map.groupBy(rows, (row) =>
    [memberStateOf(row.place_of_supply), periodOf(row), row.currency].join(' '),
  )
  return inOrder(groups).flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const jurisdiction_id = memberStateOf(first.place_of_supply)
    return [
      {
        jurisdiction_id,
        period: periodOf(first),
        currency: first.currency,
        taxable_amount: sumAfterRefunds(group, 'taxable_amount'),
        tax_amount: sumAfterRefunds(group, 'tax_amount'),
        transactions_url: transactionsUrl(period, {
          from_date: null,
          to_date: null,
          refunded_from: period.from,
          refunded_to: period.to,
          scheme,
          place_of_supply: jurisdiction_id,
        }),
      },
    ]
  })
}

/** A region with rates of its own is declared with its member state. */
function memberStateOf(place: string): string {
  return place.slice(0, 2)
}
