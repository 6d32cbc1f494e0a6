import { countryInSentence } from '../../engine/book/names.ts'
import { lastDayOf, monthOf, monthsAfter, quarterOf, readPeriod } from '../../platform/kit/calendar.ts'
import { memberStateOf } from '../../engine/regimes/eu-member-states.ts'
import type { UnionScheme } from '../../engine/ground/schemes.ts'
import { soldKindOf } from '../rows/sold-kind.ts'
import {
  type FilingPeriod,
  type FilingRow,
  type Filled,
  type FilledSupply,
  suppliesOf,
} from '../rows/figures.ts'
import type { FilingScope, Form } from './form.ts'

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
    by_jurisdiction: false,
    exchange: ECB_AT_PERIOD_END,
    concerns: (row) => row.scheme === scheme,
    correctionOf: (sold_in) => (period === 'month' ? sold_in : quarterOf(sold_in)),
    stateOf: memberStateOf,
    expires,
    fill: fillOss,
  } as const satisfies Form
}

/**
 * The rate of the European Central Bank for the last day of the period, or for the next day of publication
 * (Directive 2006/112/EC, art. 366, 369h, 369u).
 */
const ECB_AT_PERIOD_END = { series: 'ecb', at: 'period_end' } as const

/** Sales within the Union. */
export const ossUnion = ossForm('oss_union', 'quarter')
/** Services of sellers outside the Union. */
export const ossNonUnion = ossForm('oss_non_union', 'quarter')
/** Goods imported in consignments of low value. */
export const ioss = ossForm('ioss', 'month')

function fillOss(rows: readonly FilingRow[], { rateTypeOf }: FilingScope): Filled {
  const supplies = suppliesOf(rows, ['place', 'kind', 'rate'], {
    stateOf: memberStateOf,
    typeOf: rateTypeOf,
    kindOf: soldKindOf,
  })
  return { boxes: [], supplies, notes: notesOf(supplies), totals: null }
}

function notesOf(supplies: readonly FilledSupply[]): string[] {
  const named = (of: readonly FilledSupply[]) =>
    of
      .map(({ jurisdiction_id, kind, rate }) =>
        [countryInSentence(jurisdiction_id), kind, inPercent(rate)].join(' '),
      )
      .join(', ')
  const negative = supplies.filter(({ taxable_amount, tax_amount }) => taxable_amount < 0 || tax_amount < 0)
  const unreal = supplies.filter(({ rate, rate_type }) => rate_type === null && rate !== 0)
  return [
    'If the corrections of a member state exceed its tax, nothing is due there. ' +
      'The excess is not set off against another member state',
    ...(negative.length === 0
      ? []
      : [
          `Negative supplies: ${named(negative)}. The return takes no negative supplies. ` +
            'Record a credit note with credit_note_for, so that it corrects the period of its sale',
        ]),
    ...(unreal.length === 0
      ? []
      : [`No such rate is in force: ${named(unreal)}. Portals refuse it: check the tax of these invoices`]),
  ]
}

function inPercent(rate: number | null): string {
  return `${Number(((rate ?? 0) * 100).toFixed(4))} %`
}

const YEARS_OF_CORRECTIONS = 3

/**
 * Corrections are possible for three years after the return was due, at the end of the month after its period
 * (Directive 2006/112/EC, art. 365, 369g, 369t). Later ones go to the member state itself.
 */
function expires(corrected: string, { to }: FilingPeriod): boolean {
  const period = readPeriod(corrected)
  if (period === null) return false
  const due = lastDayOf(monthsAfter(monthOf(period.to), 1 + 12 * YEARS_OF_CORRECTIONS))
  // The return of a period can be sent from the day after its end.
  return to >= due
}
