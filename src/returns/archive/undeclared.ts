import { dayAfter } from '../../platform/kit/calendar.ts'
import type { Context } from '../../platform/context.ts'
import { GROUPED, SUMMED } from '../../sales/transactions/sums/sums.ts'
import { type DaySums, readSumsByDay } from '../../sales/transactions/sums/sums-by-day-store.ts'
import { readSums } from '../../sales/transactions/sums/sums-store.ts'
import type { FilingPeriod, FilingRow } from '../rows/figures.ts'
import type { FilingSeller } from '../forms/form.ts'
import { groupKeyOf } from '../rows/line-entry.ts'
import { type LiveReturn, readDeclared } from './returns-store.ts'

/**
 * Which rows a return declares (of filed days for the seller that filed them, null: the seller of today), and
 * in which currencies it needs no days: in that of the form, or in all.
 */
type UndeclaredOf = {
  count: (row: FilingRow, filed_by: FilingSeller | null) => boolean
  by_day_except: string | null
}

/** What a return has to declare, and which filed returns declare lines of the same days. */
type Undeclared = { rows: FilingRow[]; declared_by: readonly string[] }

/**
 * The sums of a period that no filed return declares, and those of late entries: sales and refunds of filed
 * periods that were recorded after their return. Late entries belong to the first open period after theirs.
 */
export async function readUndeclared(
  context: Context,
  period: FilingPeriod,
  live: readonly LiveReturn[],
  { count, by_day_except }: UndeclaredOf,
): Promise<Undeclared> {
  const late = live.filter((each) => each.late === 1 && isFirstOpen(period, each, live))
  const periods = [period, ...late.map(periodOfReturn)]
  const names = new Set(periods.map(({ name }) => name))
  const declaring = live.filter(
    (each) => late.includes(each) || each.corrects.some((name) => names.has(name)),
  )
  const [declared, ...totals] = await Promise.all([
    readDeclared(
      context,
      declaring.map(({ id }) => id),
    ),
    ...periods.map((each) => readRows(context, each, by_day_except)),
  ])
  const taken = sumsByKey(declared)
  const sellers = new Map(late.map((each) => [each.period, each.seller]))
  const counted = totals.flat().filter((row) => count(row, sellers.get(row.period.name) ?? null))
  const rows = wholeIfDeclaredWhole(counted, taken).map((row) => minus(row, taken))
  return { rows: rows.filter(hasAny), declared_by: declaring.map(({ id }) => id) }
}

type SpanOfReturn = Pick<LiveReturn, 'from_date' | 'to_date'>

/** Whether all days between a filed return and the period are filed. `live` is in the order of days. */
export function isFirstOpen(
  period: Pick<FilingPeriod, 'from'>,
  filed: SpanOfReturn,
  live: readonly SpanOfReturn[],
): boolean {
  const before = live.filter(({ to_date }) => to_date < period.from)
  return dayAfter(coveredFrom(filed, before).to_date) === period.from
}

/** The last of the filed returns whose days follow those of one without a gap. `live` is in their order. */
export function coveredFrom<Filed extends SpanOfReturn>(filed: Filed, live: readonly Filed[]): Filed {
  let last = filed
  for (const each of live)
    if (each.from_date <= dayAfter(last.to_date) && each.to_date > last.to_date) last = each
  return last
}

function periodOfReturn({ period, from_date, to_date }: LiveReturn): FilingPeriod {
  return { name: period, kind: 'months', from: from_date, to: to_date }
}

/**
 * Reads the totals of a period as rows of its own. Rows in other currencies than `by_day_except` are of one
 * day of sale each.
 */
async function readRows(
  context: Context,
  period: FilingPeriod,
  by_day_except: string | null,
): Promise<FilingRow[]> {
  const rows = await readSums<FilingRow>(context, period.from, period.to, {
    columns: GROUPED,
    counted: 'transactions',
  })
  const own = rows.filter(({ currency }) => by_day_except === null || currency === by_day_except)
  const by_day =
    by_day_except === null || own.length === rows.length
      ? []
      : await readSumsByDay<FilingRow & DaySums>(context, { ...period, except: by_day_except })
  const whole = own.map((row) => ({ ...row, sold_on: null }))
  return [...whole, ...by_day].map((row) => ({
    ...row,
    period,
    corrects: null,
    sold_currency: row.currency,
  }))
}

const COUNTED = [...SUMMED, 'transactions', 'refunds'] as const

function rowKeyOf(row: FilingRow): string {
  return `${wholeKeyOf(row)} ${row.sold_on ?? ''}`
}

/** Names the row that contains all days. */
function wholeKeyOf(row: FilingRow): string {
  return `${row.period.name} ${groupKeyOf(row)}`
}

/** Adds up days that a return of an earlier release declared in one sum. Only a request can convert them. */
function wholeIfDeclaredWhole(
  rows: readonly FilingRow[],
  taken: ReadonlyMap<string, FilingRow>,
): FilingRow[] {
  const declaredWhole = (row: FilingRow) => taken.has(`${wholeKeyOf(row)} `)
  const added = rows.map((row) => (declaredWhole(row) ? { ...row, sold_on: null } : row))
  return [...sumsByKey(added).values()]
}

function sumsByKey(rows: readonly FilingRow[]): Map<string, FilingRow> {
  const sums = new Map<string, FilingRow>()
  for (const row of rows) {
    const sum = sums.get(rowKeyOf(row))
    if (sum === undefined) sums.set(rowKeyOf(row), { ...row })
    else for (const name of COUNTED) sum[name] += row[name]
  }
  return sums
}

function minus(row: FilingRow, taken: ReadonlyMap<string, FilingRow>): FilingRow {
  const declared = taken.get(rowKeyOf(row))
  if (declared === undefined) return row
  const rest = { ...row }
  for (const name of COUNTED) rest[name] -= declared[name]
  return rest
}

function hasAny(row: FilingRow): boolean {
  return COUNTED.some((name) => row[name] !== 0)
}
