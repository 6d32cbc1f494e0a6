import { moneyInWords } from '../src/engine/book/money-in-words.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LISTS, MEMBER_STATES, WATCHED } from '../collectors/us-local/sources.ts'
import type { LocalJurisdiction, LocalState } from '../src/engine/regimes/us-local/local-book.ts'
import { readLocalData, readSourcingLaws } from './read-local-data.ts'

/** The table of docs/us-local-taxes.md, made from data/us-local and from the list of the collector. */
export function localTable(): string {
  const { states, jurisdictions } = readLocalData('page')
  const byState = Map.groupBy(jurisdictions, ({ state }) => state)
  const rows = Object.entries(states).map(([id, law]) => rowOf(id, law, byState.get(id) ?? []))
  return table(['State', 'Shipped', 'By ZIP and city', 'Official file', 'Rules'], rows)
}

/** The table of the place that decides, of each state with local taxes. */
export function sourcingTable(): string {
  const laws = readSourcingLaws()
  const rows = Object.entries(readLocalData('page').states)
    .filter(([, { coverage }]) => coverage === 'local')
    .map(([id, law]) => [
      id,
      [SOURCING[law.sourcing], ...placesOf(law)].join('; '),
      law.remote_sellers_exempt === true ? 'no local tax' : 'buyer',
      laws.get(id)?.source ?? 'no law was found',
      laws.get(id)?.read_on ?? '',
    ])
  return table(['State', 'Seller in the state', 'Seller elsewhere', 'Law', 'Read on'], rows)
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`
  return `${line(head)}${line(head.map(() => '---'))}${rows.map(line).join('')}`
}

function rowOf(id: string, law: LocalState, own: readonly LocalJurisdiction[]): string[] {
  if (law.coverage === 'full')
    return [id, 'no local tax on general goods', '`full`', '', ownTaxesOf(law).join('; ')]
  return [id, shippedOf(own), precisionOf(id, law), fileOf(id), rulesOf(law).join('; ')]
}

function shippedOf(own: readonly LocalJurisdiction[]): string {
  const count = (type: LocalJurisdiction['type']) => own.filter((each) => each.type === type).length
  const parts = [
    [count('county'), 'counties'],
    [count('city'), 'cities'],
    [count('district'), 'districts'],
  ] as const
  const shown = parts.flatMap(([number, name]) => (number === 0 ? [] : [`${number} ${name}`]))
  const sources = [...new Set(own.map(({ source }) => source.replace(/ \(.*\)/, '')))]
  return own.length === 0 ? 'nothing' : `${shown.join(', ')} (${sources.join('; ')})`
}

function precisionOf(id: string, { city }: LocalState): string {
  const shipped = city === 'none' ? 'ZIP decides' : 'city decides if it is named'
  return MEMBER_STATES.includes(id) ? `${shipped}; after collection ZIP+4` : shipped
}

function fileOf(id: string): string {
  if (MEMBER_STATES.includes(id)) return 'rate and boundary files of the Streamlined board'
  const list = LISTS.find(({ state }) => state === id)
  if (list !== undefined) return list.source
  const watched = WATCHED.find(({ state }) => state === id)
  return watched === undefined ? 'kept by hand' : `${watched.source}, watched`
}

const SOURCING: Readonly<Record<LocalState['sourcing'], string>> = {
  destination: 'buyer',
  origin: 'seller',
  origin_goods: 'goods: seller; others: buyer',
  modified_origin: 'buyer (every seller is taken to be engaged in all districts)',
}

function placesOf({ at_seller, place_unsure }: LocalState): string[] {
  const named = (types: readonly string[]) => types.map((type) => `\`${type}\``).join(', ')
  return [
    ...(at_seller === undefined ? [] : [`at the seller: ${named(at_seller)}`]),
    ...(place_unsure === undefined
      ? []
      : [`not sure, as the line says: ${named(place_unsure.product_types)}`]),
  ]
}

function ownTaxesOf({ places_may_tax, own_taxes = [], gaps = [] }: LocalState): string[] {
  const products = places_may_tax?.map((product) => `\`${product}\``).join(' and ')
  const in_data =
    own_taxes.length === 0 ? 'such taxes are not in the data' : `${own_taxes.length} of them are in the data`
  return [
    ...(products === undefined
      ? []
      : [`places may tax ${products}, so their \`coverage\` is never \`full\`; ${in_data}`]),
    ...(gaps.length === 0 ? [] : [`places whose tax is not in the data, as the answer says: ${gaps.length}`]),
  ]
}

const GROCERIES = {
  taxed: 'local tax on groceries',
  by_file: 'local tax on groceries by the official file',
  included: "the state's rate on groceries contains the local tax",
} as const

function rulesOf(law: LocalState): string[] {
  const {
    cap_millionths,
    item_cap,
    single_article,
    groceries,
    clothing_free,
    remote_seller_rate,
    every_county,
  } = law
  return [
    ...(cap_millionths === null ? [] : [`at most ${cap_millionths / 10_000} % in all`]),
    ...(item_cap === undefined ? [] : [`on the first ${moneyInWords(item_cap, 'USD')} of an item of goods`]),
    ...(single_article === undefined
      ? []
      : [
          `further state tax of ${single_article.rate_millionths / 10_000} % ` +
            `up to ${moneyInWords(single_article.up_to, 'USD')}`,
        ]),
    ...(groceries === undefined ? [] : [GROCERIES[groceries]]),
    ...(remote_seller_rate === undefined
      ? []
      : [
          `${remote_seller_rate.rate_millionths / 10_000} % for remote sellers that are registered for ` +
            `\`${remote_seller_rate.scheme}\``,
        ]),
    ...ownTaxesOf(law),
    ...(every_county === undefined
      ? []
      : ['every county levies a tax; `coverage` is `state` if it is not in the data']),
    ...(clothing_free === undefined ? [] : ['clothing under $110 is exempt in some counties']),
  ]
}

type Miss = { state: string; city: string; zip5: string; expected: number; why: string }

/** Cases of another project that the shipped data answers otherwise. A test holds the list. */
export function readMisses(): Miss[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../data/us-local/misses.json'), 'utf8'))
}

/** The misses as a section of docs/us-local-taxes.md. */
export function missesSection(): string {
  const rows = readMisses().map(({ state, city, zip5, expected, why }) => [
    state,
    city,
    zip5,
    `${Math.round(expected * 1_000_000) / 10_000} %`,
    why,
  ])
  return `Of 283 addresses that open-sales-tax lists (Apache-2.0), the shipped data agrees on
${283 - rows.length}. The others differ, and each answer has a note:

${table(['State', 'City', 'ZIP', 'Listed there', 'Why'], rows)}`
}
