import * as z from 'zod'
import { nameOfCountry } from '../src/engine/book/names.ts'
import { COUNTRIES } from '../src/platform/http/iso-codes.ts'
import { dayAfter } from '../src/platform/kit/calendar.ts'
import { REVIEWED_ON } from '../src/tax-data/records/review-day.ts'
import { type CountryFile, CountryReturnsRecord } from './shipped-data/country-file.ts'

/** What each record of a country has that a check looks at. */
const Sourced = z.object({
  source: z.string(),
  source_url: z.string(),
  confidence: z.string(),
  verified_at: z.string().nullable(),
  notes: z.string().nullish(),
})
const PartlySourced = Sourced.partial()
const Rate = z.object({
  rate_category: z.string(),
  effective_from: z.string(),
  effective_to: z.string().nullable(),
})
const Format = z.object({
  country: z.string(),
  regex: z.string(),
  example: z.string(),
  validators: z.array(z.string()),
})
const Rules = z.object({ jurisdiction_id: z.string(), rules: z.array(PartlySourced) })
const Place = z.object({ id: z.string(), name: z.string(), region: z.string(), currency: z.string() })

/** What a file of data/countries lacks, as sentences. Empty: nothing. */
export function lacksOfCountry(file: CountryFile): string[] {
  const named = COUNTRIES.has(file.country) ? [] : [`${file.country} is no country of the interface`]
  if (file.law === null) return [...named, ...lacksOfLeftOut(file)]
  return [
    ...named,
    ...(file.looked_on === undefined ? ['looked_on is missing'] : []),
    ...lacksOfRecords(file),
    ...lacksOfPlace(file),
    ...lacksOfRates(file),
    ...lacksOfFormats(file),
  ]
}

function lacksOfLeftOut({ left_out, records }: CountryFile): string[] {
  return [
    ...(left_out === undefined ? ['law is null, so left_out has to say why'] : []),
    ...(Object.keys(records).length > 0 ? ['law is null, so records has to be empty'] : []),
  ]
}

/** Each record names this country and an address, and a record of low confidence says why. */
function lacksOfRecords({ country, records, left_out }: CountryFile): string[] {
  const sourced = Object.entries(records).flatMap(([name, rows]) =>
    name === 'exchange-rates' ? [] : rows.map((row) => ({ name, row })),
  )
  return [
    ...(left_out === undefined ? [] : ['it has a law, so left_out has to go']),
    ...sourced.flatMap(({ name, row }) => {
      const rows = name === 'product-rules' ? Rules.parse(row).rules : [sourcedRow(name, row)]
      return rows.flatMap((each) => [
        ...faultsOfSource(each).map((fault) => `${name}: ${fault}`),
        ...(ownerOf(row) === country ? [] : [`${name}: a record is of ${ownerOf(row)}`]),
      ])
    }),
  ]
}

/** The notes of the returns of a country are those of their frequencies. */
function sourcedRow(name: string, row: unknown): z.output<typeof PartlySourced> {
  if (name !== 'filing-calendar') return PartlySourced.parse(row)
  const { returns, ...rest } = CountryReturnsRecord.parse(row)
  return { ...rest, notes: returns.map(({ notes }) => notes).find((notes) => notes !== null) }
}

const Owned = z.object({
  jurisdiction_id: z.string().optional(),
  id: z.string().optional(),
  country: z.string().optional(),
  region: z.string().optional(),
  place: z.string().optional(),
})

function ownerOf(row: unknown): string | undefined {
  const { jurisdiction_id, id, country, region, place } = Owned.parse(row)
  return jurisdiction_id ?? id ?? country ?? region ?? place
}

function faultsOfSource(row: z.output<typeof PartlySourced>): string[] {
  const { source_url, confidence, verified_at, notes } = row
  return [
    ...(source_url?.startsWith('https://') === false ? [`${source_url} is no https address`] : []),
    ...((verified_at ?? '') > REVIEWED_ON ? [`${verified_at} is after the review of ${REVIEWED_ON}`] : []),
    ...(confidence === 'low' && !notes ? ['a record of low confidence has no note'] : []),
  ]
}

function lacksOfPlace({ country, law, records }: CountryFile): string[] {
  const [place, ...others] = z.array(Place).parse(records.jurisdictions ?? [])
  if (place === undefined || others.length > 0) return ['jurisdictions has to have one record']
  const currencies = z.array(z.object({ currency: z.string() })).parse(records['exchange-rates'] ?? [])
  return [
    ...(place.region === country ? [] : ['the region is another one']),
    ...(place.name === law?.name ? [] : ['law and place have different names']),
    ...(nameOfCountry(country) === law?.name ? [] : [`${nameOfCountry(country)} is its usual name`]),
    ...(currencies.every(({ currency }) => currency === place.currency)
      ? []
      : ['exchange-rates has another currency than the country']),
    ...['rates', 'product-rules'].flatMap((name) =>
      Object.hasOwn(records, name) ? [] : [`${name} is missing`],
    ),
  ]
}

/** The first day for which the shipped data is checked. */
const CHECKED_FROM = '2018-06-21'

/** The standard rate has no gap, and is known on each day since the law or the data begins. */
function lacksOfRates({ law, records }: CountryFile): string[] {
  const rates = z.array(Rate).parse(records.rates ?? [])
  const standard = rates
    .filter(({ rate_category }) => rate_category === 'standard')
    .toSorted((a, b) => (a.effective_from < b.effective_from ? -1 : 1))
  const gaps = standard.slice(1).filter(({ effective_from }, index) => {
    const end = standard[index]?.effective_to ?? null
    return end === null || dayAfter(end) !== effective_from
  })
  const since = law !== null && law.since > CHECKED_FROM ? law.since : CHECKED_FROM
  return [
    ...gaps.map(({ effective_from }) => `the rate before ${effective_from} does not end on the day before`),
    ...((standard[0]?.effective_from ?? '9999') > since ? [`there is no standard rate on ${since}`] : []),
    ...(standard.at(-1)?.effective_to === null ? [] : ['the last standard rate ends']),
  ]
}

function lacksOfFormats({ records }: CountryFile): string[] {
  return z
    .array(Format)
    .parse(records['vat-formats'] ?? [])
    .flatMap(({ regex, example }) => (new RegExp(regex).test(example) ? [] : [`${example} has not the form`]))
}
