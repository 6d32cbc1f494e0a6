import type { z } from 'zod'
import type { ObligationsAnswer } from '../../src/obligations/schemas.ts'
import { DUE_DAYS_AHEAD, DUE_DAYS_BACK } from '../../src/obligations/days-of-work.ts'
import type { ReturnsAnswer } from '../../src/reports/returns/schemas.ts'
import { homeCountry } from '../account.ts'
import { callApi } from '../api.ts'
import { readAll } from '../parts/pages.ts'
import type { Version } from './read-return.ts'

export type Obligation = z.output<typeof ObligationsAnswer>['obligations'][number]
export type WithoutDates = z.output<typeof ObligationsAnswer>['without_dates'][number]
export type Calendar = {
  obligations: Obligation[]
  without_dates: WithoutDates[]
  filed: Version[]
  filed_total: number
}

const DAY_MS = 86_400_000
const PAGES_MAX = 5

/**
 * What is due from ten months ago to three months ahead, and what was filed. The seller's own country comes
 * first, because its return is usually the largest liability. Else the first due is the first.
 */
export async function readCalendar(): Promise<Calendar> {
  const query = { status: 'filed', limit: '100' }
  const [{ obligations, without_dates }, { returns, total }] = await Promise.all([
    readDues(),
    callApi<z.output<typeof ReturnsAnswer>>('GET', '/v1/returns', { query }),
  ])
  const [own = [], others = []] = [true, false].map((wanted) =>
    obligations.filter((each) => isHome(each) === wanted),
  )
  return { obligations: [...own, ...others], without_dates, filed: returns, filed_total: total }
}

function isHome({ jurisdiction_id }: Obligation): boolean {
  return jurisdiction_id !== null && jurisdiction_id === homeCountry()
}

async function readDues(): Promise<Pick<Calendar, 'obligations' | 'without_dates'>> {
  const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)
  const query = { from: day(-DUE_DAYS_BACK), to: day(DUE_DAYS_AHEAD) }
  const rowsOf = ({ obligations }: z.output<typeof ObligationsAnswer>) => obligations
  const { first, rows } = await readAll('/v1/obligations', query, rowsOf, PAGES_MAX)
  return { obligations: rows, without_dates: first.without_dates }
}

/**
 * What is owed of these returns so far, in minor units by currency, that of the account's country first.
 * A currency without tax is only shown if all are without tax.
 */
export function sumsOf(
  obligations: readonly Pick<Obligation, 'so_far'>[],
  own: string | null,
): { currency: string; amount: number }[] {
  const all = obligations.flatMap(({ so_far }) => so_far)
  const sums = [...Map.groupBy(all, ({ currency }) => currency)]
    .map(([currency, parts]) => ({
      currency,
      amount: parts.reduce((sum, { tax_amount }) => sum + tax_amount, 0),
    }))
    .toSorted((one, other) => Number(other.currency === own) - Number(one.currency === own))
  const owed = sums.filter(({ amount }) => amount !== 0)
  return owed.length === 0 ? sums.slice(0, 1) : owed
}
