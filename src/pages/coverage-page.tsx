import { PRODUCT_TYPES } from '../tax/book/product-types.ts'
import type { RateBook } from '../tax/book/rate-book.ts'
import { coverageOf, COVERAGE_STATUSES, type ProductCoverage, taxedPlaces } from '../tax/coverage.ts'
import { invariant } from '../tax/invariant.ts'
import { REGIMES } from '../tax/regimes/list.ts'
import { FACTS_REGIONS } from '../tax/book/regions.ts'
import { Layout, ScrollTable } from './layout.tsx'

/** How often each status occurs, in the order of COVERAGE_STATUSES. */
type Counts = readonly number[]

/** By region and product: in how many places a rule is on file. */
export type CoverageCounts = ReadonlyMap<string, Counts>

/** Counts the places of each region and product by what the data knows on a day. */
export function countCoverage(book: RateBook, day: string): CoverageCounts {
  const counts = new Map<string, number[]>()
  for (const place of taxedPlaces(book)) {
    const jurisdiction = book.jurisdictions.get(place.jurisdiction_id) ?? null
    const { region } = invariant(jurisdiction, 'a place has a jurisdiction')
    for (const { id } of PRODUCT_TYPES) {
      const key = `${region} ${id}`
      const own = counts.get(key) ?? COVERAGE_STATUSES.map(() => 0)
      const status = COVERAGE_STATUSES.indexOf(coverageOf(book, place, id, day).status)
      own[status] = (own[status] ?? 0) + 1
      counts.set(key, own)
    }
  }
  return counts
}

/** For which products and regions rules are on file. */
export function CoveragePage({ counts, day }: { counts: CoverageCounts; day: string }) {
  return (
    <Layout title="Coverage">
      <h1>Coverage</h1>
      <p>
        The number of places with a rule on file / without one / with an uncertain one, on {day}. Without a
        rule, the standard rate or the rule of a broader product is used, and the answer says so. The page of
        each <a href="/jurisdictions">jurisdiction</a> shows its own products.
      </p>
      <ScrollTable
        label="Coverage by product and region"
        heads={['Product', ...FACTS_REGIONS.map((region) => REGIMES[region].name)]}
      >
        {PRODUCT_TYPES.map(({ id, name }) => (
          <tr>
            <th scope="row">{name}</th>
            {FACTS_REGIONS.map((region) => (
              <td class="number">{(counts.get(`${region} ${id}`) ?? []).join(' / ')}</td>
            ))}
          </tr>
        ))}
      </ScrollTable>
    </Layout>
  )
}

const WORDS: Readonly<Record<ProductCoverage['status'], string>> = {
  on_file: 'rule on file',
  default: 'no rule: default',
  uncertain: 'uncertain rule',
}

const NAMES: ReadonlyMap<string, string> = new Map(PRODUCT_TYPES.map(({ id, name }) => [id, name]))

/** What the data knows of each product in one place. */
export function ProductCoverageTable({ products }: { products: readonly ProductCoverage[] }) {
  return (
    <ScrollTable label="Products" heads={['Product', 'Rule', 'First day on file']}>
      {products.map(({ product_type, status, from }) => (
        <tr>
          <th scope="row">{NAMES.get(product_type) ?? product_type}</th>
          <td>{WORDS[status]}</td>
          <td class="number">{from ?? 'none'}</td>
        </tr>
      ))}
    </ScrollTable>
  )
}
