/**
 * Exchange rates of our own for the year 2025, and how the law of each form picks one. Like the ledger, nothing
 * here comes from the code of the service. Rates are in millionths.
 */
import { type Entry, type Period, QUARTERS, roundedQuotient } from './ledger.ts'

type Rates = Record<string, number>
type Published = { series: 'ecb' | 'hmrc' | 'boc'; day: string; rates: Rates }

const DAY = 86_400_000
const dayOf = (moment: number) => new Date(moment).toISOString().slice(0, 10)
const weekday = (day: string) => new Date(day).getUTCDay()

/** A rate that moves by up to 2 % from day to day, the same in each run. */
const moving = (base: number, day: string, of: number) =>
  base + Math.round((base / 50) * Math.sin(Date.parse(day) / DAY / 9 + of))

/** Banks publish on working days, and not on the first days of January and the last ones of December. */
const WORKING = Array.from({ length: 375 }, (_, index) => dayOf(Date.UTC(2024, 11, 28) + index * DAY)).filter(
  (day) => weekday(day) % 6 !== 0 && !['2025-01-01', '2025-03-31', '2025-12-25', '2025-12-26'].includes(day),
)

/** Units of a currency for one euro. */
const ECB = new Map(
  WORKING.map((day) => [
    day,
    {
      EUR: 1_000_000,
      USD: moving(1_131_700, day, 1),
      AUD: moving(1_752_300, day, 2),
      NZD: moving(1_905_100, day, 3),
      JPY: moving(168_330_000, day, 4),
    },
  ]),
)
/** Canadian dollars for one unit of a currency. */
const BANK_OF_CANADA = new Map(
  WORKING.map((day) => [day, { USD: moving(1_397_700, day, 5), EUR: moving(1_581_900, day, 6) }]),
)
/** Units of a currency for one pound. */
const HMRC = new Map(
  Array.from({ length: 12 }, (_, index) => {
    const day = `2025-${String(index + 1).padStart(2, '0')}-01`
    return [day, { USD: moving(1_301_300, day, 7), EUR: moving(1_187_900, day, 8) }]
  }),
)

/** All rates, as rows of the service's table. */
export const PUBLISHED: readonly Published[] = [
  ...[...ECB].map(([day, { EUR: _base, ...rates }]): Published => ({ series: 'ecb', day, rates })),
  ...[...BANK_OF_CANADA].map(([day, rates]): Published => ({ series: 'boc', day, rates })),
  ...[...HMRC].map(([day, rates]): Published => ({ series: 'hmrc', day, rates })),
]

/** The value of a currency in another one: so many minor units for so many. */
type Value = { of: bigint; is: bigint }

const units = (currency: string) => (currency === 'JPY' ? 1n : 100n)
const value = (currency: string, amount: number, home: string, home_amount: number): Value => ({
  of: BigInt(amount) * units(currency),
  is: BigInt(home_amount) * units(home),
})

function quoted(rates: Rates | undefined, currency: string): number {
  const rate = rates?.[currency]
  if (rate === undefined) throw new Error(`There is no rate of ${currency}`)
  return rate
}

const lastBefore = <Found>(rates: ReadonlyMap<string, Found>, day: string) =>
  [...rates].filter(([published]) => published <= day).at(-1)?.[1]
const firstFrom = <Found>(rates: ReadonlyMap<string, Found>, day: string) =>
  [...rates].find(([published]) => published >= day)?.[1]

/** How a form converts: which entries have one rate, and what it is. */
export type Conversion = {
  home: string
  sameRate: (entry: Entry) => string
  valueOf: (entry: Entry) => Value
}

const quarterOf = (day: string) => QUARTERS.find(({ from, to }) => from <= day && day <= to)

/** The euro reference rate of the last day of the quarter of the sale, or of the next working day. */
export const AT_THE_END_OF_THE_QUARTER: Conversion = {
  home: 'EUR',
  sameRate: ({ sold }) => quarterOf(sold)?.name ?? '',
  valueOf: ({ currency, sold }) =>
    value(currency, quoted(firstFrom(ECB, quarterOf(sold)?.to ?? ''), currency), 'EUR', 1_000_000),
}

/** HMRC's rate of the month of the sale. */
export const BY_THE_MONTH: Conversion = {
  home: 'GBP',
  sameRate: ({ sold }) => sold.slice(0, 7),
  valueOf: ({ currency, sold }) =>
    value(currency, quoted(HMRC.get(`${sold.slice(0, 7)}-01`), currency), 'GBP', 1_000_000),
}

/** The euro reference rates of both currencies on the day of the sale, or on the working day before. */
export const byTheDay = (home: 'AUD' | 'NZD'): Conversion => ({
  home,
  sameRate: ({ sold }) => sold,
  valueOf: ({ currency, sold }) => {
    const rates = lastBefore(ECB, sold)
    return value(currency, quoted(rates, currency), home, quoted(rates, home))
  },
})

/** The Bank of Canada's rate of the day of the sale, or of the working day before. */
export const BY_THE_CANADIAN_DAY: Conversion = {
  home: 'CAD',
  sameRate: ({ sold }) => sold,
  valueOf: ({ currency, sold }) =>
    value(currency, 1_000_000, 'CAD', quoted(lastBefore(BANK_OF_CANADA, sold), currency)),
}

/**
 * The year in the currency of the form. Amounts of one product, one month of sale, one period of entry and one
 * rate are added up first, and then rounded once, half away from zero; refunds apart from sales.
 */
export function inHomeCurrency(
  entries: readonly Entry[],
  conversion: Conversion,
  periods: readonly Period[],
): Entry[] {
  const periodOf = (day: string) => periods.find(({ from, to }) => from <= day && day <= to)?.name
  const groups = new Map<string, Entry[]>()
  for (const entry of entries) {
    const key = [
      JSON.stringify(entry.product),
      entry.currency,
      conversion.sameRate(entry),
      entry.sold.slice(0, 7),
      periodOf(entry.day),
      entry.late,
      entry.back,
    ].join(' ')
    groups.set(key, [...(groups.get(key) ?? []), entry])
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined || first.currency === conversion.home) return group
    const { of, is } = conversion.valueOf(first)
    const converted = (name: 'net' | 'tax' | 'provincial') => {
      const sum = group.reduce((total, entry) => total + BigInt(entry[name]), 0n)
      return roundedQuotient(sum * is, of)
    }
    const amounts = { net: converted('net'), tax: converted('tax'), provincial: converted('provincial') }
    return [{ ...first, ...amounts, currency: conversion.home }]
  })
}
