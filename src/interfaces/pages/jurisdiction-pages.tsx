import type { Jurisdiction, Provenance, Rate, Threshold } from '../../engine/book/facts.ts'
import { dayInWords, percentOf, rateWords } from './words.ts'
import { componentsOfRate } from '../../engine/book/rate-components.ts'
import { Layout, ScrollTable, SourceLink } from './layout.tsx'
import { percentInWords } from '../../engine/book/figures-in-words.ts'
import type { ProductRate } from './product-rates.ts'
import { ProductRatesTable } from './product-rates-table.tsx'
import type { RateSeries } from './rate-changes.ts'
import { RateHistory } from './rate-history.tsx'
import { LocalTaxes, type ZipView } from './local-taxes.tsx'
import { IsThisWrong } from './wrong-page.tsx'

/**
 * What is not computed in a place: its parts levy the tax (or a part of it), the data has no rate of it, or
 * only `what` is covered there.
 */
export type JurisdictionGap = { kind: 'parts' } | { kind: 'uncovered' } | { kind: 'only'; what: string }

type JurisdictionView = {
  jurisdiction: Jurisdiction
  parent: Jurisdiction | null
  rates: readonly Rate[]
  announced: readonly Rate[]
  thresholds: readonly { threshold: Threshold; limit: string }[]
  /** Null: all is covered. */
  gap: JurisdictionGap | null
  products: readonly ProductRate[]
  /** Local taxes come on top of these rates. */
  local: boolean
  /** The rates that have changed, with all their periods. */
  history: readonly RateSeries[]
  /** The parts of the jurisdiction with data of their own. */
  children: readonly Jurisdiction[]
  /** Null: the place has no local taxes. */
  zip: ZipView | null
  day: string
  data_version: string
}

/**
 * One jurisdiction: the rates and thresholds in force on a day, with their sources and verification dates.
 */
export function JurisdictionPage({
  jurisdiction,
  parent,
  rates,
  announced,
  thresholds,
  gap,
  products,
  local,
  history,
  children,
  zip,
  day,
  data_version,
}: JurisdictionView) {
  return (
    <Layout
      title={`${jurisdiction.name}: rates and thresholds`}
      description={`Tax rates, products and thresholds of ${jurisdiction.name}, with their sources.`}
      current="/jurisdictions"
    >
      <h1>{jurisdiction.name}</h1>
      <Place jurisdiction={jurisdiction} parent={parent} />
      {gap !== null && <p>{gapInWords(gap, jurisdiction.name)}</p>}
      <h2>Rates in force on {dayInWords(day)}</h2>
      {rates.length === 0 ? <p>No rate of its own is in the data.</p> : <Rates label="Rates" rates={rates} />}
      {rates.some(({ last_verified_at }) => last_verified_at === null) && (
        <p class="quiet">Not yet verified: the rate is used, but nobody has compared it with its source.</p>
      )}
      {announced.length > 0 && (
        <>
          <h2>Announced rates</h2>
          <Rates label="Announced rates" rates={announced} />
        </>
      )}
      {history.length > 0 && <RateHistory series={history} day={day} />}
      {zip !== null && <LocalTaxes state={jurisdiction} zip={zip} />}
      <h2>Thresholds for registration</h2>
      {thresholds.length === 0 ? <p>No thresholds are recorded.</p> : <Thresholds thresholds={thresholds} />}
      {products.length > 0 && (
        <>
          <h2 id="products">Products</h2>
          <p class="quiet">
            {local ? 'Rates of the state; local taxes come on top where there are any. ' : ''}
            {gap?.kind === 'only' ? 'Sold to a consumer by a seller abroad. ' : 'Sold to a consumer. '}
            <sup>d</sup> no rule in the data, so the rate is the default; <sup>?</sup> the rule is uncertain.
          </p>
          <ProductRatesTable rates={products} />
        </>
      )}
      {children.length > 0 && <Parts children={children} />}
      <p class="quiet">
        As JSON, with an API key: <code>{`/v1/metadata/jurisdictions/${jurisdiction.id}`}</code>
        {' · '}
        <IsThisWrong place={jurisdiction.id} day={day} data_version={data_version} />
      </p>
    </Layout>
  )
}

function gapInWords(gap: JurisdictionGap, name: string): string {
  switch (gap.kind) {
    case 'parts':
      return 'Its parts levy the tax, or a tax beside the national one. Choose one of the parts below.'
    case 'uncovered':
      return 'This service does not cover the tax of this place. It computes no tax here, but tax may be due.'
    case 'only':
      return `In ${name}, this service covers only ${gap.what}. Tax may be due on other sales.`
  }
}

/** What kind of place it is, its currency, and the place that contains it. */
function Place({
  jurisdiction: { id, type, currency },
  parent,
}: Pick<JurisdictionView, 'jurisdiction' | 'parent'>) {
  return (
    <p class="quiet">
      {`${type.charAt(0).toUpperCase()}${type.slice(1)}`}
      {parent !== null && (
        <>
          {' of '}
          <a href={`/jurisdictions/${encodeURIComponent(parent.id)}`}>{parent.name}</a>
        </>
      )}
      {` · amounts in ${currency} · id `}
      <code>{id}</code>
    </p>
  )
}

function Parts({ children }: Pick<JurisdictionView, 'children'>) {
  return (
    <>
      <h2>Parts with a page of their own</h2>
      <ul class="columns">
        {children.map(({ id, name }) => (
          <li>
            <a href={`/jurisdictions/${encodeURIComponent(id)}`}>{name}</a>
          </li>
        ))}
      </ul>
    </>
  )
}

function Rates({ label, rates }: { label: string; rates: readonly Rate[] }) {
  return (
    <ScrollTable label={label} kind="rows" heads={['Tax', 'Rate', 'Since', ...PROVENANCE]}>
      {rates.map((rate) => (
        <tr>
          <th scope="row">
            {rateWords(rate)}
            {rate.made_of && <span class="quiet"> {componentWords(rate.made_of)}</span>}
          </th>
          <td class="number figure">{percentInWords(rate.rate_millionths)}</td>
          <td class="number" data-head="Since">
            {dayInWords(rate.effective_from)}
          </td>
          <ProvenanceCells of={rate} />
        </tr>
      ))}
    </ScrollTable>
  )
}

/** `VAT 15 % + NHIL 2.5 %`. */
function componentWords(made_of: string): string {
  return componentsOfRate(made_of)
    .map(({ name, rate }) => `${name} ${percentOf(rate)}`)
    .join(' + ')
}

function Thresholds({ thresholds }: Pick<JurisdictionView, 'thresholds'>) {
  return (
    <ScrollTable label="Thresholds" kind="rows" heads={['Threshold', 'Limit', 'Since', ...PROVENANCE]}>
      {thresholds.map(({ threshold, limit }) => (
        <tr>
          <th scope="row">{nameOfThreshold(threshold)}</th>
          <td class="figure">
            {limit}
            <PeriodOf threshold={threshold} />
          </td>
          <td class="number" data-head="Since">
            {threshold.effective_from === null ? '' : dayInWords(threshold.effective_from)}
          </td>
          <ProvenanceCells of={threshold} />
        </tr>
      ))}
    </ScrollTable>
  )
}

/** The sales of which days count: a limit without them says little. */
function PeriodOf({ threshold: { measurement_period } }: { threshold: Threshold }) {
  if (measurement_period === null || measurement_period === 'none') return <></>
  return <span class="quiet"> {measurement_period.replaceAll('_', ' ')}</span>
}

/** `REMOTE_SELLER_NEXUS` and its scope as words. */
function nameOfThreshold({ threshold_type, scope }: Threshold): string {
  const words = (text: string) =>
    text
      .toLowerCase()
      .replaceAll('_', ' ')
      .replace(/\b(vat|gst|pst|qst)\b/, upper)
  const name = scope === 'all' ? words(threshold_type) : `${words(threshold_type)}, ${words(scope)}`
  return name.charAt(0).toUpperCase() + name.slice(1)
}

function upper(text: string): string {
  return text.toUpperCase()
}

const PROVENANCE = ['Source', 'Verified']

function ProvenanceCells({ of }: { of: Provenance }) {
  return (
    <>
      <td class="source">
        <SourceLink source={of.source} source_url={of.source_url} />
      </td>
      <td class="number" data-head="Verified">
        {of.last_verified_at === null ? 'not yet' : dayInWords(of.last_verified_at)}
      </td>
    </>
  )
}
