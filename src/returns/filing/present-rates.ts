import type * as z from 'zod'
import type { EqualAmounts } from '../../tax-data/records/published-rates.ts'
import { at } from '../../engine/ground/invariant.ts'
import type { DailyExchangeRates, UsedExchangeRate } from '../forms/answers.ts'
import type { UsedRate } from '../forms/exchange.ts'
import { inOrder } from '../rows/figures.ts'
import type { Form } from '../forms/form.ts'

/** A year has at most 262 days of publication. Refunds of older sales add more. */
export const DAYS_SHOWN_MAX = 400

type Shown = {
  exchange_rates: z.output<typeof UsedExchangeRate>[]
  daily_exchange_rates: z.output<typeof DailyExchangeRates>[]
}

/** The rates that a return used: published daily rates by currency, other rates one by one. */
export function presentRates(used: readonly UsedRate[], { exchange }: Form): Shown {
  const isDaily = ({ rate_day }: UsedRate) => exchange?.at === 'day' && rate_day !== null
  const daily = Map.groupBy(used.filter(isDaily), ({ currency }) => currency)
  return {
    exchange_rates: used
      .filter((each) => !isDaily(each))
      .map(({ amounts, ...each }) => ({ ...each, rate: rateOf(amounts) })),
    daily_exchange_rates: inOrder(daily).map(presentDaily),
  }
}

function presentDaily(rates: readonly UsedRate[]): z.output<typeof DailyExchangeRates> {
  const by_day = new Map(rates.map((each) => [each.rate_day ?? '', rateOf(each.amounts)]))
  const newest = [...by_day].toSorted(([a], [b]) => (a < b ? 1 : -1)).slice(0, DAYS_SHOWN_MAX)
  const { currency, source } = at(rates, 0)
  return {
    currency,
    source,
    days: by_day.size,
    rates: Object.fromEntries(newest.toReversed()),
  }
}

/** Units of the currency for one unit of the return's currency. */
function rateOf({ sold, filed }: EqualAmounts): number {
  return Number((sold / filed).toPrecision(9))
}
