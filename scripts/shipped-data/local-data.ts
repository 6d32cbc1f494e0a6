import * as z from 'zod'
import type { RemoteSellerRate } from '../../src/engine/regimes/us-local/local-book.ts'
import { PRODUCT_TYPE_IDS } from '../../src/engine/book/product-types.ts'
import { SCHEMES } from '../../src/engine/ground/schemes.ts'
import {
  cityKey,
  LOCAL_TYPES,
  type LocalData,
  type LocalGap,
  type LocalJurisdiction,
  type LocalState,
  type OwnTax,
} from '../../src/engine/regimes/us-local/local-book.ts'

/** Products that places may tax alone. */
const OwnTaxed = z.enum(['prepared_food', 'accommodation'])

const States = z.record(
  z.string().length(2),
  z.strictObject({
    coverage: z.enum(['full', 'local', 'state']),
    city: z.enum(['adds', 'replaces', 'none']),
    zip5: z.enum(['lowest', 'largest']),
    sourcing: z.enum(['destination', 'origin', 'origin_goods', 'modified_origin']),
    cap: z.number().nullable(),
    zips_whole: z.boolean().optional(),
    every_county: z.strictObject({ least: z.number(), most: z.number() }).optional(),
    item_cap: z.int().positive().optional(),
    single_article: z.strictObject({ rate: z.number(), up_to: z.int() }).optional(),
    groceries: z.enum(['taxed', 'by_file', 'included']).optional(),
    clothing_free: z.array(z.string()).optional(),
    city_counties: z.array(z.string()).optional(),
    cities_that_are_counties: z.record(z.string(), z.string()).optional(),
    without_county: z.array(z.string()).optional(),
    places_may_tax: z.array(z.enum(PRODUCT_TYPE_IDS)).optional(),
    at_seller: z.array(z.enum(PRODUCT_TYPE_IDS)).optional(),
    place_unsure: z
      .strictObject({ product_types: z.array(z.enum(PRODUCT_TYPE_IDS)), why: z.string() })
      .optional(),
    /** Where the state says at whose place it taxes, for goods, services, leases and what is digital. */
    sourcing_law: z.strictObject({ source: z.string(), read_on: z.iso.date() }).optional(),
    remote_sellers_exempt: z.literal(true).optional(),
    /** Rates on food of places that have one. */
    food: z.record(z.string(), z.number()).optional(),
    remote_seller_rate: z
      .strictObject({
        scheme: z.enum(SCHEMES),
        name: z.string(),
        rate: z.number(),
        from: z.iso.date(),
        levied_as: z.string().nullable(),
        marketplaces: z.boolean(),
        source: z.string(),
        as_of: z.iso.date(),
      })
      .optional(),
    step: z.string(),
  }),
)

const Type = z.enum(LOCAL_TYPES).exclude(['flat'])
/** No combined rate of the United States is over 13.5 %. */
const Rate = z.number().min(0).max(0.135)
const Day = z.iso.date()

/** The texts of the files of `data/us-local`. */
type LocalFiles = {
  states: string
  jurisdictions: string
  zip_counties: string
  own_taxes: string
  gaps: string
  main_cities: string
}

/** The shipped local taxes of the United States. Throws if a record has a wrong shape. */
export function localDataOf(files: LocalFiles, version: string): LocalData {
  const states = States.parse(JSON.parse(files.states))
  const own = Map.groupBy(rowsOf(files.own_taxes), ({ state }) => state)
  const jurisdictions = rowsOf(files.jurisdictions).map((row) =>
    jurisdictionOf(row, states[row['state'] ?? '']?.food?.[row['id'] ?? '']),
  )
  const rowsOfGaps = rowsOf(files.gaps)
  const gaps = Map.groupBy(rowsOfGaps, ({ state }) => state)
  const taxing = new Set([
    ...jurisdictions.flatMap(({ type, state, name }) => (type === 'city' ? [cityKey(state, name)] : [])),
    ...rowsOfGaps.map(({ state = '', city = '' }) => cityKey(state, city)),
  ])
  const main_cities = Map.groupBy(
    rowsOf(files.main_cities).filter(({ state = '', city = '' }) => taxing.has(cityKey(state, city))),
    ({ state }) => state,
  )
  return {
    version,
    states: Object.fromEntries(
      Object.entries(states).map(([id, state]) => [
        id,
        {
          ...lawOf(state),
          own_taxes: own.get(id)?.map(ownTaxOf),
          gaps: gaps.get(id)?.map(gapOf),
          ...mainCitiesOf(main_cities.get(id) ?? []),
        },
      ]),
    ),
    jurisdictions,
    zips: zipsOf(files.zip_counties),
    boundaries: {},
    zip4: {},
  }
}

/** Where each state says at whose place it taxes. The service itself does not need it. */
export function sourcingLawsOf(states: string): [string, { source: string; read_on: string } | undefined][] {
  return Object.entries(States.parse(JSON.parse(states))).map(([id, { sourcing_law }]) => [id, sourcing_law])
}

/** The ZIPs of the cities that have a tax or a gap. The postal cities of other ZIPs decide nothing. */
function mainCitiesOf(
  rows: readonly Record<string, string>[],
): Pick<LocalState, 'main_cities' | 'within_city'> {
  const textsOf = (column: string) =>
    Object.fromEntries(
      rows.flatMap(({ city = '', [column]: zips = '' }) => (zips === '' ? [] : [[city, zips]])),
    )
  return rows.length === 0 ? {} : { main_cities: textsOf('zips'), within_city: textsOf('within') }
}

function lawOf(state: z.output<typeof States>[string]): LocalState {
  const { coverage, city, zip5, sourcing, cap, zips_whole, item_cap, single_article } = state
  return {
    coverage,
    city,
    zip5,
    sourcing,
    cap_millionths: cap === null ? null : millionths(cap),
    zips_whole: zips_whole ?? false,
    every_county: state.every_county && {
      least_millionths: millionths(state.every_county.least),
      most_millionths: millionths(state.every_county.most),
    },
    item_cap,
    single_article: single_article && {
      rate_millionths: millionths(single_article.rate),
      up_to: single_article.up_to,
    },
    groceries: state.groceries,
    clothing_free: state.clothing_free,
    city_counties: state.city_counties,
    cities_that_are_counties: state.cities_that_are_counties,
    without_county: state.without_county,
    places_may_tax: state.places_may_tax,
    at_seller: state.at_seller,
    place_unsure: state.place_unsure,
    remote_sellers_exempt: state.remote_sellers_exempt,
    remote_seller_rate: state.remote_seller_rate && remoteSellerRateOf(state.remote_seller_rate),
  }
}

function remoteSellerRateOf({
  rate,
  ...option
}: NonNullable<z.output<typeof States>[string]['remote_seller_rate']>): RemoteSellerRate {
  return { ...option, rate_millionths: millionths(rate) }
}

function millionths(fraction: number): number {
  return Math.round(fraction * 1_000_000)
}

function jurisdictionOf(row: Readonly<Record<string, string>>, food: number | undefined): LocalJurisdiction {
  const field = (name: string) => row[name] ?? ''
  return {
    id: field('id'),
    state: field('state'),
    type: Type.parse(field('type')),
    code: field('code'),
    name: field('name'),
    county_fips: field('county_fips') || null,
    rates: [
      {
        rate_millionths: millionths(Rate.parse(Number(field('rate')))),
        ...(food !== undefined && { food_millionths: millionths(Rate.parse(food)) }),
        from: null,
        to: null,
      },
    ],
    also: words(field('also')),
    zips: words(field('zips')),
    source: field('source'),
    as_of: Day.parse(field('as_of')),
  }
}

function ownTaxOf(row: Readonly<Record<string, string>>): OwnTax {
  const field = (name: string) => row[name] ?? ''
  const product_type = OwnTaxed.parse(field('product_type'))
  return {
    id: field('id'),
    name: field('name'),
    product_type,
    tax_type: product_type === 'accommodation' ? 'LODGING_TAX' : 'MEALS_TAX',
    county_fips: field('county_fips') || null,
    rate_millionths: millionths(Rate.parse(Number(field('rate')))),
    from: field('from') === '' ? null : Day.parse(field('from')),
    source: field('source'),
    as_of: Day.parse(field('as_of')),
  }
}

function gapOf({ city = '', county_fips = '', most = '' }: Readonly<Record<string, string>>): LocalGap {
  return {
    city: city || null,
    county_fips: county_fips || null,
    most_millionths: millionths(Rate.parse(Number(most))),
  }
}

function words(text: string): string[] {
  return text === '' ? [] : text.split(' ')
}

function zipsOf(csv: string): Record<string, string> {
  const lines = new Map<string, string>()
  for (const { zip5 = '', county_fips, land_permille } of rowsOf(csv))
    lines.set(zip5, `${lines.get(zip5) ?? ''} ${county_fips}:${land_permille}`)
  const byPrefix = Map.groupBy(lines, ([zip5]) => zip5.slice(0, 3))
  return Object.fromEntries(
    [...byPrefix].map(([zip3, zips]) => [zip3, zips.map(([zip5, text]) => zip5.slice(3) + text).join('\n')]),
  )
}

/** The rows of a CSV file with a header. Fields with a comma are in double quotes. */
function rowsOf(csv: string): Record<string, string>[] {
  const [head = '', ...lines] = csv.trimEnd().split('\n')
  const names = head.split(',')
  return lines.map((line) =>
    Object.fromEntries(fieldsOf(line).map((field, index) => [names[index] ?? '', field])),
  )
}

function fieldsOf(line: string): string[] {
  if (!line.includes('"')) return line.split(',')
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
  )
}
