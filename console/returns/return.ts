import type { FiledReturn, FilingAnswer, Obligation, ObligationsAnswer } from '../../client/src/schema.ts'
import { DUE_DAYS_AHEAD } from '../../src/returns/obligations/days-of-work.ts'
import { homeCountry } from '../account.ts'
import { linkTo } from '../address.ts'
import { type Query, read, readAll } from '../api.ts'
import { placeName } from '../names.ts'
import { periodWords } from '../words.ts'

export type Figures = Omit<FilingAnswer, 'queried_at'>

/**
 * A return with what is known of it. `filed` is the version whose figures these are; null: it is open.
 * `versions` are all that were filed of the period, the newest first.
 */
export type TaxReturn = { figures: Figures; filed: FiledReturn | null; versions: FiledReturn[] }

/** Reads the return that an address names. With `version`, that version of a filed return. */
export async function readReturn(asked: Query, version: string | null): Promise<TaxReturn> {
  const [figures, versions] = await Promise.all([readFigures(asked, version), readVersions(asked)])
  const id = figures.filed?.return_id ?? null
  return { figures, versions, filed: versions.find((each) => each.id === id) ?? null }
}

export async function readFigures(asked: Query, version: string | null): Promise<Figures> {
  if (version === null) return read('/v1/reports/filing', asked)
  return (await read('/v1/returns/{id}', { id: version })).figures
}

async function readVersions(asked: Query): Promise<FiledReturn[]> {
  const { type = null, period = null, jurisdiction_id = null } = asked
  const { returns } = await read('/v1/returns', { type, period, jurisdiction_id, limit: '100' })
  return returns.filter((each) => each.jurisdiction_id === jurisdiction_id)
}

/** A figure with a link to its rows. Amounts in minor units; `net` is told beside the tax of all sales. */
export type Figure = {
  key: string
  name: string
  amount: number
  net: number | null
  currency: string
  url: string
}

/** The figures of a return that add up rows. */
export function figuresWithRows(figures: Figures): Figure[] {
  const { boxes, supplies, jurisdiction_taxes, corrections, expired_corrections } = figures
  const own = figures.currency ?? supplies[0]?.currency ?? ''
  const taxes = [
    ...supplies.map((each) => ({
      ...each,
      net: figures.type === 'generic' ? each.gross_sales : null,
      name: `Tax of ${placeName(each.jurisdiction_id)}`,
    })),
    ...(jurisdiction_taxes ?? []).map((each) => ({ ...each, net: null, name: `Tax of ${each.name}` })),
    ...[...corrections, ...expired_corrections].map((each) => ({
      ...each,
      net: null,
      name: `Correction of ${periodWords(each.period)}, ${placeName(each.jurisdiction_id)}`,
    })),
  ]
  const found = [
    ...boxes.map((box) => ({ ...box, net: null, name: `Box ${box.box}: ${box.name}`, currency: own })),
    ...taxes.map((each) => ({ ...each, amount: each.tax_amount })),
  ]
  return found.flatMap(({ transactions_url: url, amount, net, name, currency }) => {
    const key = figureOf(url)
    return key === null || url === null || amount === null ? [] : [{ key, name, amount, net, currency, url }]
  })
}

/** The name of a figure in its link. */
export function figureOf(url: string | null): string | null {
  return url === null ? null : new URLSearchParams(url.split('?')[1]).get('figure')
}

/** The form itself shows `form_amount`, so a note about this field says nothing more. */
export function notesToTell({ notes }: Figures): string[] {
  return notes.filter((note) => !note.includes('form_amount'))
}

/** Whether the tax office has a kept return. Else it is only frozen, and still due. */
export function isFiled({ submission: { state } }: FiledReturn): boolean {
  return state === 'filed' || state === 'paid'
}

/** A return of a period. */
export type ReturnOfPeriod = { type: string; period: string; jurisdiction_id: string | null }

/** The query of a return, as the API takes it. */
export type PeriodQuery = Query & ReturnOfPeriod

type LinkedPart = { figure?: string; version?: string | null; fx_rates?: string | null }

/** The link to a return, or with `figure` to the rows of one of its figures. */
export function linkToReturn(of: ReturnOfPeriod, { figure, version, fx_rates }: LinkedPart = {}): string {
  const { type, period, jurisdiction_id } = of
  const query = new URLSearchParams({
    type,
    period,
    ...(jurisdiction_id && { jurisdiction_id }),
    ...(version && { version }),
    ...(fx_rates && { fx_rates }),
  })
  return linkTo('returns', { id: figure ?? null, query })
}

/** The query of the period that an address names; null: it names no return. */
export function periodQuery(query: URLSearchParams): PeriodQuery | null {
  const [type, period] = [query.get('type'), query.get('period')]
  if (type === null || period === null) return null
  return { type, period, jurisdiction_id: query.get('jurisdiction_id'), fx_rates: query.get('fx_rates') }
}

type WithReturn = { type: string | null; period: string; filing_url: string | null }

/** The return that an obligation asks for; null: this service has no form of it. */
export function returnOf({ type, period, filing_url }: WithReturn): ReturnOfPeriod | null {
  const asked = new URLSearchParams(filing_url?.split('?')[1])
  return type === null ? null : { type, period, jurisdiction_id: asked.get('jurisdiction_id') }
}

export type Calendar = Pick<ObligationsAnswer, 'obligations' | 'without_dates' | 'total'> & {
  filed: FiledReturn[]
  filed_total: number
  set_aside: Obligation[]
  set_aside_total: number
}

const DAY_MS = 86_400_000
const PAGES_MAX = 5

/**
 * What is still to be filed, what is due in the next three months, and what was filed. The seller's own
 * country comes first, because its return is usually the largest liability. Else the first due is the first.
 */
export async function readCalendar(): Promise<Calendar> {
  const [{ obligations, without_dates, total }, { returns, total: filed_total }, aside] = await Promise.all([
    readDues(),
    read('/v1/returns', { status: 'filed', limit: '100' }),
    read('/v1/obligations', { status: 'set_aside', to: lastDue(), limit: '100' }),
  ])
  const [own = [], others = []] = [true, false].map((wanted) =>
    obligations.filter((each) => each.status !== 'set_aside' && isHome(each) === wanted),
  )
  return {
    obligations: [...own, ...others],
    without_dates,
    total,
    filed: returns,
    filed_total,
    set_aside: aside.obligations,
    set_aside_total: aside.total,
  }
}

function isHome({ jurisdiction_id }: Obligation): boolean {
  return jurisdiction_id !== null && jurisdiction_id === homeCountry()
}

function lastDue(): string {
  return new Date(Date.now() + DUE_DAYS_AHEAD * DAY_MS).toISOString().slice(0, 10)
}

/** All obligations until the last day on which the console looks. */
export async function readDues(): Promise<Pick<Calendar, 'obligations' | 'without_dates' | 'total'>> {
  const query = { to: lastDue() }
  const { first, rows } = await readAll('/v1/obligations', query, (answer) => answer.obligations, PAGES_MAX)
  return { obligations: rows, without_dates: first.without_dates, total: first.total }
}

/**
 * What is owed of these returns so far, in minor units by currency: that of the account's country, and then
 * the largest amount.
 * A currency without tax is only shown if all are without tax.
 */
export function sumsOf(obligations: readonly Pick<Obligation, 'so_far'>[], own: string | null) {
  const all = obligations.flatMap(({ so_far }) => so_far)
  const sums = [...Map.groupBy(all, ({ currency }) => currency)]
    .map(([currency, parts]) => ({
      currency,
      amount: parts.reduce((sum, { tax_amount }) => sum + tax_amount, 0),
    }))
    .toSorted(
      (one, other) =>
        Number(other.currency === own) - Number(one.currency === own) || other.amount - one.amount,
    )
  const owed = sums.filter(({ amount }) => amount !== 0)
  return owed.length === 0 ? sums.slice(0, 1) : owed
}
