import { soldKindOf } from '../rows/sold-kind.ts'
import { suppliesOf } from '../rows/figures.ts'
import { ANY_PERIOD, type Form, NETS_REFUNDS } from './form.ts'
import { fillNationalReturn, isInNationalReturn, taxOfArea } from './national-return.ts'

/**
 * All sales, by place, rate and currency, for returns without a form of their own. With the country of a main
 * return that is on file: its boxes.
 */
export const generic = {
  ...NETS_REFUNDS,
  type: 'generic',
  currency: null,
  periods: ANY_PERIOD,
  by_jurisdiction: 'country',
  tax: (row, country) => (country === null ? row.tax_amount : taxOfArea(row, country)),
  concerns: (row, seller, country) => country === null || isInNationalReturn(country, row, seller),
  fill: (rows, scope) =>
    scope.jurisdiction_id !== null
      ? fillNationalReturn(scope.jurisdiction_id, rows, scope)
      : {
          boxes: [],
          supplies: suppliesOf(rows, ['place', 'rate'], { kindOf: soldKindOf }),
          notes: [],
          totals: null,
        },
} as const satisfies Form
