import { suppliesOf } from './figures.ts'
import { ANY_PERIOD, type Form } from './form.ts'

/** All sales, by place, rate and currency, for returns without a form of their own. */
export const generic = {
  type: 'generic',
  currency: null,
  periods: ANY_PERIOD,
  concerns: () => true,
  fill: (rows, period) => ({
    boxes: [],
    supplies: suppliesOf(rows, period, ['place', 'rate']),
    corrections: [],
    notes: [],
  }),
} as const satisfies Form
