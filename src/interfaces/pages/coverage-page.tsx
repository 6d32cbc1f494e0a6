import { PRODUCT_TYPES } from '../../engine/book/product-types.ts'
import type { RateBook } from '../../engine/book/rate-book.ts'
import {
  coverageOf,
  COVERAGE_STATUSES,
  type ProductCoverage,
  taxedPlaces,
} from '../../engine/answer/coverage.ts'
import { invariant } from '../../engine/ground/invariant.ts'
import { nameOfGroup } from '../../engine/regimes/list.ts'
import { groupOfRegion, REGION_GROUPS, type RegionGroup } from '../../engine/book/regions.ts'
import { dayInWords } from './words.ts'
import { Layout, ScrollTable } from './layout.tsx'
import { IsThisWrong } from './wrong-page.tsx'

/** How often each status occurs, in the order of COUNTED. */
type Counts = readonly number[]

/** `not_verified`: a rule is on file that was not seen at a source. */
const COUNTED = [...COVERAGE_STATUSES, 'not_verified'] as const

/** A rule counts as on file only if it was seen at a source. What is no supply has no rule, but a law. */
function countedAs({ status, confidence, last_verified_at }: ProductCoverage): (typeof COUNTED)[number] {
  return status === 'on_file' && confidence !== null && last_verified_at === null ? 'not_verified' : status
}

/** By region and product: in how many places a rule is on file. */
type CoverageCounts = ReadonlyMap<string, Counts>

/** Counts the places of each region and product by what the data knows on a day. */
export function countCoverage(book: RateBook, day: string): CoverageCounts {
  const counts = new Map<string, number[]>()
  for (const place of taxedPlaces(book)) {
    const jurisdiction = book.jurisdictions.get(place.jurisdiction_id) ?? null
    const { region } = invariant(jurisdiction, 'a place has a jurisdiction')
    for (const { id } of PRODUCT_TYPES) {
      const key = `${groupOfRegion(region)} ${id}`
      const own = counts.get(key) ?? COUNTED.map(() => 0)
      const status = COUNTED.indexOf(countedAs(coverageOf(book, place, id, day)))
      own[status] = (own[status] ?? 0) + 1
      counts.set(key, own)
    }
  }
  return counts
}

/** For which products and regions rules are on file, a mark for each. */
export function CoveragePage({
  counts,
  day,
  data_version,
}: {
  counts: CoverageCounts
  day: string
  data_version: string
}) {
  return (
    <Layout
      title="Coverage"
      description="For which products and regions the data has a tax rule."
      current="/coverage"
    >
      <h1>Coverage</h1>
      <p>
        Whether the data has a rule for a product, on {dayInWords(day)}. Without a rule, the standard rate or
        the rule of a broader product is used, and the answer says so. The page of each{' '}
        <a href="/jurisdictions">jurisdiction</a> shows its own products with their rates.
      </p>
      <p>
        In regions with several places, the number beside a mark counts the places with a rule. The line below
        the table has their totals. Uncertain rules are counted in brackets.
      </p>
      <ul class="legend">
        {Object.values(MARKS).map(({ mark, words }) => (
          <li>
            {mark} {words}
          </li>
        ))}
      </ul>
      <ScrollTable label="Coverage by product and region" kind="marks" heads={['Product', ...REGION_GROUPS]}>
        {PRODUCT_TYPES.map(({ id, name }) => (
          <tr>
            <th scope="row">{name}</th>
            {REGION_GROUPS.map((region) => (
              <CoverageCell region={region} counts={counts.get(`${region} ${id}`) ?? []} />
            ))}
          </tr>
        ))}
      </ScrollTable>
      <p class="quiet">{REGION_GROUPS.map((region) => regionWords(counts, region)).join(' · ')}</p>
      <p class="quiet">
        <IsThisWrong place="" day={day} data_version={data_version} />
      </p>
    </Layout>
  )
}

/** Marks are letters of the page and no classes, because it has more than a thousand cells. */
const MARKS = {
  all: { mark: '●', words: 'a rule in every place, seen at a source' },
  unseen: { mark: '◍', words: 'a rule in every place, not verified yet in some' },
  part: { mark: '◐', words: 'a rule in some places' },
  none: { mark: '○', words: 'no rule: the default' },
  open: { mark: '◇', words: 'uncertain rules' },
  out: { mark: '–', words: 'not covered' },
} as const

/** `EU European Union, 38 places`: all products have the same places. */
function regionWords(counts: CoverageCounts, region: RegionGroup): string {
  const places = totalOf(counts.get(`${region} ${PRODUCT_TYPES[0]?.id ?? ''}`) ?? [])
  return `${region} ${nameOfGroup(region)}${places > 1 ? `, ${places} places` : ''}`
}

function totalOf(counts: Counts): number {
  return counts.reduce((sum, count) => sum + count, 0)
}

/** The mark of a region, and in how many of its places a rule is on file if it has several. */
function CoverageCell({ region, counts }: { region: RegionGroup; counts: Counts }) {
  const [verified = 0, , uncertain = 0, not_covered = 0, not_verified = 0] = counts
  const on_file = verified + not_verified
  const total = totalOf(counts)
  const lacking = not_covered === total ? 'out' : uncertain > 0 ? 'open' : 'none'
  const complete = verified === total ? 'all' : 'unseen'
  const kind = on_file === total ? complete : on_file > 0 ? 'part' : lacking
  const { mark } = MARKS[kind]
  // A phone shows no heads of columns: it names the region in the cell, and leaves out what is not covered.
  const of = kind === 'out' ? {} : { 'data-in': region }
  if (total === 1) return <td {...of}>{mark}</td>
  return (
    <td {...of}>
      {mark}
      <i>{uncertain > 0 ? `${on_file} (${uncertain}?)` : on_file}</i>
    </td>
  )
}
