import Papa from 'papaparse'
import { dayOf, firstDayOf, lastDayOf, monthOf, monthsAfter } from '../src/platform/kit/calendar.ts'
import type { PublishedRates } from '../src/tax-data/records/published-rates.ts'
import { ParseError, type SourceDocument } from './collector.ts'
import { type RateSeries, readRate, type SeriesPublication, type SeriesRequest } from './series.ts'

/** The first month for which the service has a file. */
const FIRST_MONTH = '2021-01'
/** The most months of history that one run reads. */
const MONTHS_AT_ONCE = 12

const COLUMNS = ['currency code', 'currency units per £1', 'start date', 'end date'] as const

const monthly: SeriesPublication = {
  source: 'HM Revenue & Customs, monthly exchange rates',
  source_url: 'https://www.trade-tariff.service.gov.uk/exchange_rates/monthly',
  url: 'https://www.trade-tariff.service.gov.uk/api/v2/exchange_rates/files/monthly_csv_{month}.csv',
  variable: 'SOURCE_HMRC_RATES',
  requests,
  read: readMonth,
}

/** Rates for a month are published on the penultimate Thursday of the month before (VAT Notice 700, 7.7). */
export const hmrcRates: RateSeries = {
  region: 'FX-HMRC',
  series: 'hmrc',
  part: 'monthly rates',
  alternatives: [monthly],
  newest_from: (day) => firstDayOf(monthOf(day)),
  newest_to: (day) => firstDayOf(monthsAfter(monthOf(day), 1)),
  expected: {
    EUR: [900_000, 1_900_000],
    USD: [900_000, 2_200_000],
    CHF: [800_000, 2_500_000],
    JPY: [100_000_000, 350_000_000],
    AUD: [1_200_000, 3_000_000],
    CAD: [1_200_000, 2_900_000],
    NZD: [1_300_000, 3_300_000],
    SEK: [8_000_000, 20_000_000],
    PLN: [3_500_000, 8_000_000],
  },
  move_max: 0.25,
}

/** This month, the next one, and some of the earlier months that are not on file. `2026-9` has no zero. */
function requests(url: string, day: string, stored: ReadonlySet<string>): SeriesRequest[] {
  const now = monthOf(day)
  const missing: string[] = []
  for (let month = monthsAfter(now, -1); month >= FIRST_MONTH; month = monthsAfter(month, -1))
    if (!stored.has(firstDayOf(month))) missing.push(month)
  const asked = [monthsAfter(now, 1), now, ...missing.slice(0, MONTHS_AT_ONCE)]
  return asked.map((month) => ({
    url: url.replace('{month}', month.replace('-0', '-')),
    accept: 'text/csv, application/csv, text/plain, application/octet-stream',
    optional: month !== now,
  }))
}

/** A row for each country; countries with one currency must have one rate. */
function readMonth({ url, text }: SourceDocument): PublishedRates[] {
  const { data } = Papa.parse<string[]>(text.trim(), { delimiter: ',' })
  const [header = [], ...rows] = data
  const names = header.map((name) => name.trim().toLowerCase())
  const places = COLUMNS.map((name) => names.indexOf(name))
  if (places.includes(-1))
    throw new ParseError(url, `looked for a table with the columns ${COLUMNS.join(', ')}`)
  const rates: Record<string, number> = {}
  const months = new Set<string>()
  for (const cells of rows) {
    const [currency = '', rate = '', start = '', end = ''] = places.map((place) => cells[place]?.trim() ?? '')
    const day = monthOfDays(url, start, end)
    months.add(day)
    const value = readRate(url, currency, day, rate)
    if ((rates[currency] ?? value) !== value)
      throw new ParseError(url, `has two rates for ${currency}: ${rate} is one of them`)
    rates[currency] = value
  }
  const [day, ...others] = months
  if (day === undefined || others.length > 0) throw new ParseError(url, 'looked for the rates of one month')
  if (!namesMonth(url, day)) throw new ParseError(url, `was asked for another month than ${monthOf(day)}`)
  return [{ day, rates }]
}

/** The first day of a whole month, `01/11/2026` to `30/11/2026`. */
function monthOfDays(url: string, start: string, end: string): string {
  const [from, to] = [start, end].map((text) => text.replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, '$3-$2-$1'))
  if (from === undefined || !/^\d{4}-\d\d-01$/.test(from) || to !== lastDayOf(monthOf(from)))
    throw new ParseError(
      url,
      `looked for the days of a month, found ${start.slice(0, 12)} to ${end.slice(0, 12)}`,
    )
  return dayOf(new Date(from))
}

/** Whether an address asks for a month. A mirror's address may name none. */
function namesMonth(url: string, day: string): boolean {
  const named = /(\d{4})-(\d{1,2})(?=\D*$)/.exec(url)
  return named === null || `${named[1]}-${(named[2] ?? '').padStart(2, '0')}` === monthOf(day)
}
