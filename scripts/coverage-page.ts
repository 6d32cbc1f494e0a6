import { PRODUCT_TYPES } from '../src/engine/book/product-types.ts'
import { atStart } from '../src/engine/book/names.ts'
import { openRateBook, type RateBook } from '../src/engine/book/rate-book.ts'
import { coverageOf, type ProductCoverage, taxedPlaces } from '../src/engine/answer/coverage.ts'
import type { Place } from '../src/engine/regimes/regime.ts'
import { invariant } from '../src/engine/ground/invariant.ts'
import { isLawCollected } from '../src/platform/regions.ts'
import { type Provenance, SOURCE_KINDS } from '../src/engine/book/facts.ts'
import { nameOfGroup } from '../src/engine/regimes/list.ts'
import { countryName } from '../src/platform/http/country-name.ts'
import { groupOfRegion, REGION_GROUPS } from '../src/engine/book/regions.ts'
import { countryFiles } from './country-files.ts'
import { dueLooksSection } from './country-looks.ts'
import { keepersSection, readKeepers } from './keepers.ts'
import { readFacts } from './read-facts.ts'

type Cell = { region: string; coverage: ProductCoverage }

/** The tables of docs/coverage.md, made from the shipped data as it is on the day of its recording. */
export function coverageTables(): string {
  const book = openRateBook(readFacts())
  const day = book.recorded_at.slice(0, 10)
  const places = taxedPlaces(book)
  const cells = places
    .flatMap((place) =>
      PRODUCT_TYPES.map(({ id }) => ({
        region: regionOf(book, place),
        coverage: coverageOf(book, place, id, day),
      })),
    )
    .filter(({ coverage }) => coverage.status !== 'not_covered')
  return [
    `The tables show the rules of ${day}.\n`,
    totals(cells),
    sources(book),
    matrix(cells),
    uncertain(cells),
    dueLooksSection(countryFiles(), day),
    keepersSection(
      readKeepers(),
      book.facts.jurisdictions.filter(({ type }) => type === 'country').length,
      day,
    ),
  ].join('\n')
}

function regionOf(book: RateBook, { jurisdiction_id }: Place): string {
  const jurisdiction = invariant(book.jurisdictions.get(jurisdiction_id) ?? null, `${jurisdiction_id} exists`)
  return groupOfRegion(jurisdiction.region)
}

function count(cells: readonly Cell[], status: ProductCoverage['status']): number {
  return cells.filter(({ coverage }) => coverage.status === status).length
}

/** The specific rules, those of them that were seen at no source, and the others. */
function countsOf(cells: readonly Cell[]): number[] {
  const unseen = cells.filter(
    ({ coverage: { status, confidence, last_verified_at } }) =>
      status === 'on_file' && confidence !== null && last_verified_at === null,
  )
  return [count(cells, 'on_file'), unseen.length, count(cells, 'uncertain'), count(cells, 'default')]
}

function totals(cells: readonly Cell[]): string {
  const rows = REGION_GROUPS.map((region) => {
    const own = cells.filter((cell) => cell.region === region)
    const places = new Set(own.map(({ coverage }) => coverage.jurisdiction_id)).size
    const counts = countsOf(own)
    return `| ${atStart(nameOfGroup(region))} | ${places} | ${counts.join(' | ')} |`
  })
  const counts = countsOf(cells)
  const reviewed = REGION_GROUPS.filter((group) => group === 'digital' || !isLawCollected(group))
  const names = reviewed.map(nameOfGroup).join(', ')
  const note =
    reviewed.length === 0 ? '' : `\nNo source is collected for ${names}. People review their data.\n`
  return `## Places and products

| Region | Places | Specific | Of it not verified yet | Uncertain | Default |
| --- | --- | --- | --- | --- | --- |
${rows.join('\n')}
| All | ${new Set(cells.map(({ coverage }) => coverage.jurisdiction_id)).size} | ${counts.join(' | ')} |
${note}`
}

/** The records of a kind whose source is a data set, or a quotation, on a code host. */
function onCodeHost({ source, source_url }: Provenance): boolean {
  return /\bGitHub\b/.test(source) || new URL(source_url).hostname === 'github.com'
}

/** A row for each kind of record: what was read of it (`source_kind`). */
function sources({ facts: { product_rules, rates, thresholds } }: RateBook): string {
  const rows = Object.entries({ 'Product rules': product_rules, Rates: rates, Thresholds: thresholds }).map(
    ([name, records]: [string, readonly Provenance[]]) => {
      const counts = SOURCE_KINDS.map((kind) => records.filter((each) => each.source_kind === kind).length)
      const copied = records.filter((each) => each.source_kind === 'secondary' && onCodeHost(each)).length
      return `| ${name} | ${records.length} | ${counts.join(' | ')} | ${copied} |`
    },
  )
  return `## Where the records were read

\`rule_age\` of an answer has this kind of the rule that decided, and the day of its source. \`secondary\` is
a copy: a data set, a quotation, a firm or a newspaper. \`unknown\` is general knowledge, without a day.

| Records | All | ${SOURCE_KINDS.map((kind) => `\`${kind}\``).join(' | ')} | Of it on a code host |
| --- | --- |${' --- |'.repeat(SOURCE_KINDS.length + 1)}
${rows.join('\n')}
`
}

/** The regions of one table: more columns than these do not fit beside each other. */
const REGIONS_OF_TABLE = 8

/** A row for each product: the places with a specific, an uncertain and a default rule, by region. */
function matrix(cells: readonly Cell[]): string {
  const tables = Array.from({ length: Math.ceil(REGION_GROUPS.length / REGIONS_OF_TABLE) }, (_, index) =>
    tableOf(cells, REGION_GROUPS.slice(index * REGIONS_OF_TABLE, (index + 1) * REGIONS_OF_TABLE)),
  )
  return `## Each product

Each cell gives the number of places with a specific rule/an uncertain rule/the default. A product without a
row is covered in none of the countries of a table.

${tables.join('\n')}`
}

function tableOf(cells: readonly Cell[], regions: readonly string[]): string {
  const rows = PRODUCT_TYPES.flatMap(({ id }) => {
    const own = cells.filter(
      ({ region, coverage }) => coverage.product_type === id && regions.includes(region),
    )
    if (own.length === 0) return []
    const counts = regions.map((region) => {
      const here = own.filter((cell) => cell.region === region)
      return [count(here, 'on_file'), count(here, 'uncertain'), count(here, 'default')].join('/')
    })
    return [`| \`${id}\` | ${counts.join(' | ')} |`]
  })
  const head = `| Product | ${regions.join(' | ')} |`
  return `${[head, `| --- |${' --- |'.repeat(regions.length)}`, ...rows].join('\n')}
`
}

function uncertain(cells: readonly Cell[]): string {
  const rows = PRODUCT_TYPES.flatMap(({ id }) => {
    const places = cells
      .filter(({ coverage }) => coverage.product_type === id && coverage.status === 'uncertain')
      .map(({ coverage }) => coverage.jurisdiction_id)
    return places.length === 0 ? [] : [`- \`${id}\`: ${places.join(', ')}`]
  })
  return `## Uncertain rules

${rows.join('\n')}
`
}

/** Countries whose addresses are understood, and why no tax of theirs is computed. */
export function recognisedCountries(): string {
  return readFacts()
    .countries.flatMap(({ id, left_out }) =>
      left_out === undefined ? [] : [`- ${countryName(id)} (\`${id}\`): ${left_out.why}.\n`],
    )
    .join('')
}
