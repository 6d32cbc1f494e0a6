import type { Jurisdiction } from '../../engine/book/facts.ts'
import { nameOfRegion } from '../../engine/regimes/list.ts'
import { Layout, ScrollTable } from './layout.tsx'

/** A place in the list, with its facts of a day in words; empty: it has none. */
export type ListedJurisdiction = {
  jurisdiction: Jurisdiction
  standard: string
  others: string
  threshold: string
  /** When its rates were seen at their sources. */
  checked: string
}

/** All jurisdictions in a table, region by region. `filter` is what the reader searches, as typed. */
export function JurisdictionsPage({
  places,
  filter,
}: {
  places: readonly ListedJurisdiction[]
  filter: string
}) {
  const wanted = filter.trim().toLowerCase()
  const found = places.filter(({ jurisdiction: { id, name } }) =>
    `${name} ${id}`.toLowerCase().includes(wanted),
  )
  const byRegion = Map.groupBy(found, ({ jurisdiction }) => jurisdiction.region)
  // A country of one place is found by its name as quickly.
  const regions = [...byRegion].filter(([, members]) => members.length > 1).map(([region]) => region)
  return (
    <Layout
      title="Jurisdictions"
      description="Standard and reduced rates of VAT, GST and sales tax, with thresholds and sources."
      current="/jurisdictions"
    >
      <h1>Jurisdictions</h1>
      <p>
        Current rates and thresholds. A place has the source of each. Checked is the day on which its rates
        were last seen at their source: “in part” if some were, “not yet” if none was, and nothing if it has
        no rate.
      </p>
      <form class="filter" method="get" action="/jurisdictions">
        <label for="q">Name or id</label>
        <input id="q" name="q" value={filter} maxlength={60} autocomplete="off" />
        <button type="submit">Filter</button>
        {wanted !== '' && <a href="/jurisdictions">Show all</a>}
      </form>
      {wanted === '' ? (
        <nav class="choices" aria-label="Regions">
          {regions.map((region) => (
            <a href={`#${region}`}>{nameOfRegion(region)}</a>
          ))}
        </nav>
      ) : (
        <p role="status">{`${found.length} of ${places.length} places`}</p>
      )}
      {[...byRegion].map(([region, members]) => (
        <section class="listed" id={region}>
          <h2>{nameOfRegion(region)}</h2>
          <Places region={nameOfRegion(region)} places={members} />
        </section>
      ))}
    </Layout>
  )
}

function Places({ region, places }: { region: string; places: readonly ListedJurisdiction[] }) {
  const inOrder = places.toSorted((a, b) => a.jurisdiction.name.localeCompare(b.jurisdiction.name, 'en'))
  return (
    <ScrollTable
      label={region}
      kind="rows"
      heads={['Place', 'Standard', 'Other rates', 'Threshold', 'Checked']}
    >
      {inOrder.map(({ jurisdiction: { id, name }, standard, others, threshold, checked }) => (
        <tr>
          <th scope="row">
            <a href={`/jurisdictions/${encodeURIComponent(id)}`}>{name}</a> <span class="quiet">{id}</span>
          </th>
          <td class={standard.endsWith('%') ? 'number figure' : 'number figure quiet'}>{standard}</td>
          <td class="number" data-head="Also">
            {others}
          </td>
          <td data-head="Threshold">{threshold}</td>
          <td class="number" data-head="Checked">
            {checked}
          </td>
        </tr>
      ))}
    </ScrollTable>
  )
}
