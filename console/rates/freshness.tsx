import type { SyncStatusAnswer } from '../../client/src/schema.ts'
import { momentOfVersion } from '../../src/tax-data/records/data-version.ts'
import { linkTo, type RecordProps, type ViewProps } from '../address.ts'
import { read } from '../api.ts'
import { countryName, formatCount, formatDay, withDays } from '../format.ts'
import { Loaded, useLoading } from '../parts/load.tsx'
import { Badge, Bar, Day, Facts, Folded, Moment, useTitle } from '../parts/parts.tsx'
import { PlainTable, Table } from '../parts/table.tsx'
import { counted, inWords, sentence } from '../words.ts'

type Region = SyncStatusAnswer['regions'][number]

const DAY_MS = 86_400_000

/** What is not one country. */
const NAMES: Readonly<Partial<Record<Region['region'], string>>> = {
  EU: 'European Union',
  UK: 'United Kingdom',
  US: 'United States, thresholds',
  'US-TAX': 'United States, state rates',
  'US-LOCAL': 'United States, local rates',
  TAXABILITY: 'All regions, products',
  'FX-ECB': 'Exchange rates, ECB',
  'FX-HMRC': 'Exchange rates, HMRC',
  'FX-BOC': 'Exchange rates, Bank of Canada',
}

const nameOf = ({ region }: Region) => NAMES[region] ?? countryName(region)

const readStatus = () => read('/v1/metadata/sync-status')

/** How fresh the data of each region is: its age beside the days in which it counts as fresh. */
export function Freshness({ query }: ViewProps) {
  const show = ({ regions, data_version }: SyncStatusAnswer) => {
    const by_hand = regions.filter(({ freshness_window_days }) => freshness_window_days === null)
    const collected = regions.filter((region) => !by_hand.includes(region))
    return (
      <div class="stack">
        {collected.some(({ status }) => status === 'unknown') && (
          <p class="quiet">
            As shipped: no collector has read this data since the release was made. Rates that changed after
            the day beside it are missing. They come with the first run.
          </p>
        )}
        <Regions caption="Freshness by region" regions={collected} query={query} />
        {by_hand.length > 0 && (
          <Folded
            title={`${counted(by_hand.length, 'region')} that people keep by hand`}
            make={() => <Regions caption="Regions kept by hand" regions={by_hand} query={query} />}
          />
        )}
        <p class="quiet small">
          Tax data of <Moment at={momentOfVersion(data_version)} />
        </p>
      </div>
    )
  }
  return <Loaded of={useLoading(readStatus)} show={show} lines={8} />
}

function Regions({ caption, regions, query }: ViewProps & { caption: string; regions: readonly Region[] }) {
  const next = ({ next_run_at: at }: Region) => at && <Day at={at} />
  const nextRun = { head: 'Next run', keep: true, cell: next }
  return (
    <Table
      caption={caption}
      rows={regions}
      href={({ region }) => linkTo('rates', { id: region, query })}
      columns={[
        { head: 'Region', cell: nameOf },
        { head: 'State', phone: 'figure', cell: (region) => <State of={region} /> },
        { head: 'Data', cell: ({ data }) => data },
        { head: 'Age', cell: (region) => <Age {...region} /> },
        ...(regions.some(({ next_run_at }) => next_run_at !== null) ? [nextRun] : []),
      ]}
    />
  )
}

/** Before the first run of its collector, a region has what the release ships, which may be nothing. */
function State({ of: { status, records } }: { of: Region }) {
  if (status !== 'unknown') return <Badge word={status} />
  return records === 0 ? <Badge word="no data yet" tone="warn" /> : <Badge word="as shipped" />
}

/** What there is without a run: nothing, or the records of the release with their last day. */
function shippedWords({ records, newest_record }: Region): string {
  if (records === 0) return 'The release has none. They come with the first run'
  return newest_record === null ? 'Shipped, no run yet' : `Shipped with data of ${formatDay(newest_record)}`
}

function Age(region: Region) {
  const { note, last_successful_fetch, freshness_window_days } = region
  if (freshness_window_days === null) return <>{sentence(withDays(note ?? ''))}</>
  if (last_successful_fetch === null) return <>{shippedWords(region)}</>
  const days = Math.floor((Date.now() - Date.parse(last_successful_fetch)) / DAY_MS)
  const share = Math.min(1, days / freshness_window_days)
  const state = share >= 1 ? 'exceeded' : share >= 0.85 ? 'approaching' : 'registered'
  return (
    <span class="share">
      <Bar share={share} state={state} />
      {`${counted(days, 'day')} of ${freshness_window_days}`}
    </span>
  )
}

/** The last run of a region and the sources that it read. */
export function Record({ id }: RecordProps) {
  const show = ({ regions }: SyncStatusAnswer) => {
    const region = regions.find((each) => each.region === id)
    return region === undefined ? <p>There is no region {id}.</p> : <Inside region={region} />
  }
  return <Loaded of={useLoading(readStatus, [id])} show={show} />
}

function Inside({ region }: { region: Region }) {
  const { data, last_run, note, cadence_days, freshness_window_days, next_run_at } = region
  useTitle(nameOf(region), <State of={region} />, [region.status, region.records])
  if (cadence_days === null || freshness_window_days === null)
    return (
      <>
        <Facts of={[['Data', data]]} />
        <p>{sentence(withDays(note ?? ''))}</p>
      </>
    )
  return (
    <>
      <Facts
        of={[
          ['Data', data],
          ['Records', formatCount(region.records)],
          ['Newest of', formatDay(region.newest_record)],
          ['Read every', counted(cadence_days, 'day')],
          ['Fresh for', counted(freshness_window_days, 'day')],
          ['Last success', <Moment at={region.last_successful_fetch} />],
          ['Failures in a row', String(region.consecutive_failures)],
          ['Next run', next_run_at === null ? 'Not planned' : <Moment at={next_run_at} />],
        ]}
      />
      {last_run === null && <p>{`The collector has not run yet. ${shippedWords(region)}.`}</p>}
      {last_run !== null && <LastRun run={last_run} />}
    </>
  )
}

function LastRun({ run }: { run: NonNullable<Region['last_run']> }) {
  return (
    <>
      <h3>The last run</h3>
      <Facts
        of={[
          ['Started', <Moment at={run.started_at} />],
          ['Outcome', inWords(run.outcome)],
          ['Records seen', formatCount(run.records_seen)],
          ['Changed', formatCount(run.records_changed)],
          ['Added', formatCount(run.records_added)],
          ['Held for a review', formatCount(run.records_held)],
        ]}
      />
      {run.error !== null && <p class="failure">{run.error}</p>}
      {run.sources.length > 0 && (
        <PlainTable
          caption="Sources"
          heads={['Part', 'Read from', 'Others']}
          rows={run.sources.map(({ part, source, fallback, others }) => [
            part,
            `${source ?? 'No source answered'}${fallback ? ', in place of the first source' : ''}`,
            others.map((each) => `${each.source}: ${each.error}`).join('; '),
          ])}
        />
      )}
    </>
  )
}
