import { PRODUCT_TYPES } from '../src/engine/book/product-types.ts'
import { openRateBook, type RateBook } from '../src/engine/book/rate-book.ts'
import { coverageOf, type ProductCoverage, taxedPlaces } from '../src/engine/answer/coverage.ts'
import type { Place } from '../src/engine/regimes/regime.ts'
import { invariant } from '../src/engine/ground/invariant.ts'
import { isLawCollected } from '../src/platform/regions.ts'
import { REGIMES } from '../src/engine/regimes/list.ts'
import { countryName } from '../src/platform/http/country-name.ts'
import { LEFT_OUT } from '../src/engine/regimes/uncovered.ts'
import { FACTS_REGIONS } from '../src/engine/book/regions.ts'
import { readFacts } from './read-facts.ts'

type Cell = { region: string; coverage: ProductCoverage }

/** docs/coverage.md, made from the shipped data as it is on the day that the data was recorded. */
export function coveragePage(): string {
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
  return [INTRODUCTION(day), totals(cells), matrix(cells), uncertain(cells), recognised(), NOT_COMPUTED].join(
    '\n',
  )
}

function regionOf(book: RateBook, { jurisdiction_id }: Place): string {
  return invariant(book.jurisdictions.get(jurisdiction_id) ?? null, `${jurisdiction_id} exists`).region
}

const INTRODUCTION = (day: string) => `# Coverage

\`npm run coverage:write\` makes this page from the data in \`data/\`. It shows the rules in the data for
${day}. \`GET /v1/metadata/coverage\` and the page \`/coverage\` show the rules of a running service.

A rule in the data is **specific**. It is **uncertain** if its confidence is low, or medium and not verified
at its source. A rule of high confidence that was not verified there is specific, but **not verified yet**.
Without a rule, the standard rate or the rule of a broader type is the **default**. \`rule\` of each line says
which one was used, \`specific\`, \`uncertain\` or \`default\`, and a note names the last two.

Rules without a first day apply from 2015-01-01 in Europe and from 2018-06-21 elsewhere; on earlier days the
default applies. Many rules come from a copy of the law of one day, \`last_verified_at\`. Exemptions of the
United States in such a copy have their first day, or are older than 2018-06-21. Otherwise they are uncertain
on the days before it (\`data/README.md\`). Goods of daily use in the European Union were compared for
2025-08-26 alone, and may have had another rate before.
`

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
  const rows = FACTS_REGIONS.map((region) => {
    const own = cells.filter((cell) => cell.region === region)
    const places = new Set(own.map(({ coverage }) => coverage.jurisdiction_id)).size
    const counts = countsOf(own)
    return `| ${REGIMES[region].name} | ${places} | ${counts.join(' | ')} |`
  })
  const counts = countsOf(cells)
  const reviewed = FACTS_REGIONS.filter((region) => !isLawCollected(region))
  const names = reviewed.map((region) => REGIMES[region].name).join(', ')
  const note =
    reviewed.length === 0 ? '' : `\nNo source is collected for ${names}. People review their data.\n`
  return `## Places and products

| Region | Places | Specific | Of it not verified yet | Uncertain | Default |
| --- | --- | --- | --- | --- | --- |
${rows.join('\n')}
| All | ${new Set(cells.map(({ coverage }) => coverage.jurisdiction_id)).size} | ${counts.join(' | ')} |
${note}`
}

/** The regions of one table: more columns than these do not fit beside each other. */
const REGIONS_OF_TABLE = 8

/** A row for each product: the places with a specific, an uncertain and a default rule, by region. */
function matrix(cells: readonly Cell[]): string {
  const tables = Array.from({ length: Math.ceil(FACTS_REGIONS.length / REGIONS_OF_TABLE) }, (_, index) =>
    tableOf(cells, FACTS_REGIONS.slice(index * REGIONS_OF_TABLE, (index + 1) * REGIONS_OF_TABLE)),
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
function recognised(): string {
  const rows = [...LEFT_OUT].map(([id, why]) => `- ${countryName(id)} (\`${id}\`): ${why}.`)
  return `## Countries that are recognised only

A sale to one of them is \`not_supported\`, and the answer has this sentence.

${rows.join('\n')}
`
}

const NOT_COMPUTED = `## What the service does not compute

- Margin schemes: second-hand goods, works of art, travel agents.
- Bad debt relief, and prepayments of tax to an office.
- Triangulation, call-off stock and chain transactions. Only the result of a plain supply is computed.
- Domestic reverse charge by product (gas, scrap, construction, telephones): art. 199 and 199a.
- Fees on bags, bottles, tyres, batteries and paint, local tourism taxes, and excise duties.
- The retail delivery fee of Colorado since 2026-07-01, whose amount is not in the data, and the taxes of its
  home-rule cities on the fee. Other retail delivery fees are computed.
- Deemed movements of own goods, and the import itself: duty and tax at the border.
- Sales tax holidays for things without a product type, and limits by purchase rather than by item. In
  Connecticut, clothing over 1,000 USD has the general rate in the week of its holiday.
- Marketplace laws on services, and the provincial sales taxes that marketplaces collect in Canada.
- Rules on sales across borders before 2021-07-01 (European Union) and 2021-01-01 (United Kingdom): a note
  says so.
- A price limit on an inclusive price is compared with the price without tax at the rate of the usual rule.
- Days without a rule although the product is one of the first twenty: e-books in Cyprus before 2023-07-21.
`
