import type * as z from 'zod'
import { daysAfter } from '../../platform/kit/calendar.ts'
import type { Context } from '../../platform/context.ts'
import { type FilingRow, isSuppliedIn } from '../rows/figures.ts'
import { isDeclared } from '../forms/form.ts'
import { FILING_TYPES, formOf } from '../forms/forms.ts'
import { lateRuleOf } from '../forms/late-rules.ts'
import { taxAreaOf } from '../forms/national-return.ts'
import { readReturnsOfSale, type ReturnOfSale } from '../archive/returns-of-sale-store.ts'
import { invariant } from '../../engine/ground/invariant.ts'
import { isScheme } from '../../engine/ground/schemes.ts'
import { partsOfLine } from '../../sales/transactions/sale/line-parts.ts'
import type { StoredTransaction } from '../../sales/transactions/sale/rows.ts'
import { type DueReturn, dueReturns } from '../due/due-returns.ts'
import { filedReturnOf, jurisdictionFiled, jurisdictionOfReturn } from '../due/filed.ts'
import { filingPlaces } from '../due/filing-calendar.ts'
import type { SaleReturn } from './schemas.ts'
import { type FiledPeriod, readFiledPeriods, readFilingRegistrations } from '../due/store.ts'

type OfSale = z.output<typeof SaleReturn>

/** A late entry waits for the first open period of these days. */
const DAYS_OF_LATE_ENTRIES = 1_200

/** Statuses of sales that returns count. */
const COUNTED: ReadonlySet<string> = new Set(['completed', 'refunded'])

/**
 * The returns that a sale and its refunds are in, those that declare its tax first: those that are kept, and
 * the open ones that would declare them, by the registrations of the account. A return whose due dates are
 * not in the data is not among the open ones.
 */
export async function returnsOfSale(context: Context, sale: StoredTransaction): Promise<OfSale[]> {
  const { row, refunds } = sale
  const counts = COUNTED.has(row.status) && row.of_other_seller === 0
  const [kept, registrations, filed] = await Promise.all([
    readReturnsOfSale(context, sale),
    counts ? readFilingRegistrations(context.env.DB, context.principal.account_id) : [],
    counts ? readFiledPeriods(context.books, [context.principal.account_id], row.day) : [],
  ])
  const entries = [{ id: '', day: row.day }, ...refunds.map(({ id, day }) => ({ id, day }))]
  const open = entries.flatMap(({ id, day }) => {
    const own = kept.filter(({ refund_id }) => refund_id === id)
    const due = registrations.flatMap((registration) => {
      const to = daysAfter(day, DAYS_OF_LATE_ENTRIES)
      const coming = dueReturns([registration], context.principal.periods, day, to).due
      const first = firstOpen(coming, day, filed)
      return first === null || own.some((each) => isSameForm(each, first)) ? [] : [first]
    })
    return due
      .filter((each) => declares(context, each, sale))
      .map((each) => ({ due: each, refund_id: id, day }))
  })
  const returns = [...presentKept(kept, sale), ...presentOpen(open, sale, filed)]
  return returns.toSorted((a, b) => Number(b.declares_tax) - Number(a.declares_tax))
}

/** The return that covers a day; if it is filed, the first open one after it, if that one corrects it. */
function firstOpen(due: readonly DueReturn[], day: string, filed: readonly FiledPeriod[]): DueReturn | null {
  const inOrder = due
    .filter(({ to_date }) => to_date >= day)
    .toSorted((a, b) => (a.from_date < b.from_date ? -1 : 1))
  const [covering] = inOrder
  if (covering === undefined || covering.from_date > day) return null
  // Some offices want the old return amended, and the next one has nothing of it.
  const type = covering.place.return_type ?? ''
  if (lateRuleOf(type, jurisdictionOfReturn(covering)).where === 'amend') return covering
  return inOrder.find((each) => filedReturnOf(each, filed) === null) ?? null
}

function isSameForm({ type, jurisdiction_id }: ReturnOfSale, due: DueReturn): boolean {
  return type === due.place.return_type && jurisdiction_id === (jurisdictionOfReturn(due) ?? '')
}

/** Whether the form of a return counts a line of the sale. */
function declares({ principal }: Context, due: DueReturn, sale: StoredTransaction): boolean {
  const type = due.place.return_type
  if (type === null) return false
  const seller = {
    country: principal.seller?.country ?? null,
    registrations: principal.registrations
      .filter(
        ({ valid_from, valid_to }) => valid_from <= due.to_date && (valid_to ?? '9999') >= due.from_date,
      )
      .map(({ id }) => id),
  }
  const jurisdiction_id = jurisdictionOfReturn(due)
  return rowsOf(sale, due).some((row) => isDeclared(formOf(type), row, seller, jurisdiction_id))
}

/** The parts of the lines of a sale, as returns count them. */
function rowsOf({ row, lines }: StoredTransaction, { period, from_date, to_date }: DueReturn): FilingRow[] {
  return lines.flatMap((line) =>
    partsOfLine(line).map((part) => ({
      sold_in: (row.credited_day ?? row.day).slice(0, 7),
      place_of_supply: line.place_of_supply,
      scheme: line.scheme,
      currency: row.currency,
      product_type: line.product_type,
      exemption: line.exemption,
      exported_to: row.exported_to,
      period: { name: period, kind: 'months' as const, from: from_date, to: to_date },
      corrects: null,
      sold_currency: row.currency,
      sold_on: null,
      transactions: 1,
      refunds: 0,
      uncollected_amount: line.uncollected_amount,
      provincial_tax_amount: line.provincial_tax_amount,
      refunded_net_amount: 0,
      refunded_taxable_amount: 0,
      refunded_tax_amount: 0,
      refunded_provincial_tax_amount: 0,
      ...part,
    })),
  )
}

/** Whether a return of a place or scheme declares tax of a sale. Others list it as a supply elsewhere. */
function declaresTax(type: string | null, place: string, { lines }: StoredTransaction): boolean {
  return lines.some(({ scheme, place_of_supply }) =>
    isScheme(scheme) || isScheme(place)
      ? scheme === type
      : taxAreaOf(place).some((country) => isSuppliedIn(country, { place_of_supply })),
  )
}

/** The place or scheme whose registration files a kept return. */
function placeOf({ type, jurisdiction_id }: ReturnOfSale): string {
  if (jurisdiction_id !== '') return jurisdiction_id
  const own = filingPlaces().find(
    (each) => each.return_type === type && jurisdictionFiled(each, each.place) === null,
  )
  return own?.place ?? ''
}

function presentKept(kept: readonly ReturnOfSale[], sale: StoredTransaction): OfSale[] {
  return [...Map.groupBy(kept, ({ id }) => id).values()].map((rows) => {
    const first = invariant(rows[0], 'a group has a row')
    return {
      return_id: first.id,
      version: first.version,
      type: invariant(
        FILING_TYPES.find((type) => type === first.type),
        'a return has a form',
      ),
      jurisdiction_id: first.jurisdiction_id === '' ? null : first.jurisdiction_id,
      period: first.period,
      from_date: first.from_date,
      to_date: first.to_date,
      due_date: null,
      last_date: null,
      state: first.state ?? 'filed',
      number: first.number,
      day: first.day,
      has_sale: rows.some(({ refund_id }) => refund_id === ''),
      refunds: rows.flatMap(({ refund_id }) => (refund_id === '' ? [] : [refund_id])),
      late: false,
      declares_tax: declaresTax(first.type, placeOf(first), sale),
    }
  })
}

type OpenEntry = { due: DueReturn; refund_id: string; day: string }

function presentOpen(
  open: readonly OpenEntry[],
  sale: StoredTransaction,
  filed: readonly FiledPeriod[],
): OfSale[] {
  const groups = Map.groupBy(open, ({ due }) => `${due.registration.id} ${due.period}`)
  return [...groups.values()].map((entries) => {
    const { due } = invariant(entries[0], 'a group has an entry')
    const { jurisdiction_id, scheme } = due.registration
    return {
      return_id: null,
      version: null,
      type: invariant(due.place.return_type, 'a return has a form'),
      jurisdiction_id: jurisdictionOfReturn(due),
      period: due.period,
      from_date: due.from_date,
      to_date: due.to_date,
      due_date: due.due_date,
      last_date: due.last_date,
      state: 'open' as const,
      number: null,
      day: null,
      has_sale: entries.some(({ refund_id }) => refund_id === ''),
      refunds: entries.flatMap(({ refund_id }) => (refund_id === '' ? [] : [refund_id])),
      late: entries.some(({ day }) => day < due.from_date) || filedReturnOf(due, filed) !== null,
      declares_tax: declaresTax(
        due.place.return_type,
        jurisdictionOfReturn(due) ?? jurisdiction_id ?? scheme ?? '',
        sale,
      ),
    }
  })
}
