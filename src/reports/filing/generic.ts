import { soldKindOf } from '../sold-kind.ts'
import { suppliesOf } from './figures.ts'
import { ANY_PERIOD, type Form, NETS_REFUNDS } from './form.ts'

/** All sales, by place, rate and currency, for returns without a form of their own. */
export const generic = {
  ...NETS_REFUNDS,
  type: 'generic',
  currency: null,
  periods: ANY_PERIOD,
  concerns: () => true,
  fill: (rows) => ({
    boxes: [],
    supplies: suppliesOf(rows, ['place', 'rate'], { kindOf: soldKindOf }),
    notes: [],
    totals: null,
  }),
} as const satisfies Form
