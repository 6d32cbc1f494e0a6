import { readPeriod, type PeriodCounting } from '../../calendar.ts'
import type { Context } from '../../context.ts'
import { fieldError } from '../../errors.ts'
import { invariant } from '../../tax/invariant.ts'
import { bookFor } from '../../tax-data/book-for.ts'
import { dayIn } from '../../time-zone.ts'
import { readSums } from '../../transactions/sums-store.ts'
import type { FilingQuery } from '../schemas.ts'
import { convertRows, ratesOfRequest, type UsedRate } from './exchange.ts'
import {
  type Figure,
  type FilingPeriod,
  type FilingRow,
  type Filled,
  type FilledCorrection,
  inOrder,
  ROW_COLUMNS,
  sumAfterRefunds,
  sumOf,
  TAX,
} from './figures.ts'
import type { FilingSeller, Form } from './form.ts'
import { formOf } from './forms.ts'
import { rateTypeOf } from './rate-types.ts'

/** A computed return, with the rows behind each figure. */
export type ComputedReturn = {
  form: Form
  period: FilingPeriod
  jurisdiction_id: string | null
  filled: Filled
  corrections: FilledCorrection[]
  expired: FilledCorrection[]
  /** All rows that the form counts, in its currency. */
  rows: FilingRow[]
  unconverted: FilingRow[]
  used: UsedRate[]
  data_version: string
  period_ended: boolean
}

/** Computes a return from the totals. Throws invalid_request if the form does not have such a period. */
export async function computeReturn(context: Context, query: FilingQuery): Promise<ComputedReturn> {
  const form = formOf(query.type)
  const period = periodOf(query.period, form, context.principal.periods)
  const jurisdiction_id = jurisdictionOf(form, query.jurisdiction_id)
  const seller = sellerOfReturn(context, period)
  const [book, own] = await Promise.all([bookFor(context), readRows(context, period)])
  const counted = own
    .map((row) => ({ ...row, corrects: correctedBy(form, row, period) }))
    .filter((row) => jurisdiction_id === null || row.place_of_supply === jurisdiction_id)
    .filter((row) => form.concerns(row, seller))
  const find = ratesOfRequest(query.fx_rates ?? new Map())
  const { rows, unconverted, used } =
    form.currency === null
      ? { rows: counted, unconverted: [], used: [] }
      : convertRows(counted, form.currency, find)
  const isLate = (row: FilingRow) => row.corrects !== null
  const days = [period.from, period.to]
  const filled = form.fill(
    rows.filter((row) => !isLate(row)),
    {
      period,
      seller,
      rateTypeOf: (row) => rateTypeOf(book, row.place_of_supply, row.tax_rate, days),
    },
    rows.filter(isLate),
  )
  const corrections = correctionsOf(form, rows.filter(isLate))
  const late = (each: FilledCorrection) => form.expires(each.period, period)
  return {
    form,
    period,
    jurisdiction_id,
    filled,
    corrections: corrections.filter((each) => !late(each)),
    expired: corrections.filter(late),
    rows,
    unconverted: unconverted.filter(hasAmounts),
    used,
    data_version: book.version,
    period_ended: period.to < dayIn(context.principal.time_zone, context.now),
  }
}

/** The figures of a return with their rows, for the links. */
export function figuresOf({ filled, corrections, expired }: ComputedReturn): Figure[] {
  return [
    ...filled.boxes.flatMap(({ box, rows, measure }) => (rows === null ? [] : [{ key: box, rows, measure }])),
    ...filled.supplies.map((supply) => ({ key: supplyKey(supply), rows: supply.rows, measure: TAX })),
    ...[...corrections, ...expired].map((each) => ({
      key: correctionKey(each),
      rows: each.rows,
      measure: TAX,
    })),
  ]
}

/** Names a supply in a link: `FR.goods.0.2.EUR`. */
export function supplyKey({ jurisdiction_id, kind, rate, currency }: Filled['supplies'][number]): string {
  return [jurisdiction_id, ...(kind === null ? [] : [kind]), ...(rate === null ? [] : [rate]), currency].join(
    '.',
  )
}

/** Names a correction in a link: `FR.2026-Q1.EUR`. */
export function correctionKey({ jurisdiction_id, period, currency }: FilledCorrection): string {
  return [jurisdiction_id, period, currency].join('.')
}

/** Reads the totals of a period as rows of its own. */
async function readRows(context: Context, period: FilingPeriod): Promise<FilingRow[]> {
  const rows = await readSums<FilingRow>(context, period.from, period.to, {
    columns: ROW_COLUMNS,
    counted: 'transactions',
  })
  return rows.map((row) => ({ ...row, period, corrects: null, sold_currency: row.currency }))
}

function correctedBy(form: Form, { sold_in }: FilingRow, { from }: FilingPeriod): string | null {
  return sold_in < from.slice(0, 7) ? form.correctionOf(sold_in) : null
}

function correctionsOf(form: Form, rows: readonly FilingRow[]): FilledCorrection[] {
  const periodOfRow = (row: FilingRow) => invariant(row.corrects, 'a correction has a period')
  const groups = Map.groupBy(rows, (row) =>
    [form.stateOf(row.place_of_supply), periodOfRow(row), row.currency].join(' '),
  )
  return inOrder(groups).flatMap((group) => {
    const first = invariant(group[0], 'a group has a row')
    const correction = {
      jurisdiction_id: form.stateOf(first.place_of_supply),
      period: periodOfRow(first),
      currency: first.currency,
      taxable_amount: sumAfterRefunds(group, 'taxable_amount'),
      tax_amount: sumOf(group, TAX),
      rows: group,
    }
    return [correction]
  })
}

function hasAmounts(row: FilingRow): boolean {
  return sumAfterRefunds([row], 'net_amount') !== 0 || sumAfterRefunds([row], 'tax_amount') !== 0
}

function periodOf(text: string, form: Form, counting: PeriodCounting): FilingPeriod {
  const calendar = form.type === 'uk_vat100' ? counting : { ...counting, uk_stagger: 1 }
  const period = readPeriod(text, calendar)
  if (period === null)
    throw fieldError(
      'invalid_request',
      'period',
      'must be a year 2026, a quarter 2026-Q3, a month 2026-09 or up to 12 months 2026-07..2026-12',
    )
  if (!form.periods.includes(period.kind)) {
    const kinds = form.periods.filter((kind) => kind !== 'months')
    throw fieldError('invalid_request', 'period', `must be a ${kinds.join(' or a ')} for this return`)
  }
  return { name: text, ...period }
}

function jurisdictionOf(form: Form, given: string | undefined): string | null {
  if (given !== undefined && !form.by_jurisdiction)
    throw fieldError('invalid_request', 'jurisdiction_id', 'is not possible for this return')
  return given ?? null
}

function sellerOfReturn({ principal }: Context, { from, to }: FilingPeriod): FilingSeller {
  const { registrations, seller } = principal
  return {
    country: seller?.country ?? null,
    registrations: registrations
      .filter(({ valid_from, valid_to }) => valid_from <= to && (valid_to === null || from <= valid_to))
      .map(({ id }) => id),
  }
}
