import { DAY_MS } from '../calendar.ts'
import type { DayOfRuns } from '../status/store.ts'
import { isRegionId, type RegionId, REGIONS } from '../regions.ts'
import type { Status } from '../status/schemas.ts'
import { ageInWords, type DataAge } from '../tax-data/data-age.ts'
import { Layout, Moment } from './layout.tsx'

const OVERALL = {
  healthy: 'All tax data is up to date',
  degraded: 'Some tax data was not refreshed as planned; it is still fresh enough',
  stale: 'Some tax data is too old; answers that use it say so',
  unknown: 'The tax data is that of the release: no collector has run yet',
  unhealthy: 'The state of the collectors cannot be read',
} as const

export const HISTORY_DAYS = 90

/** The age of the facts in force by region; null if the tax data cannot be read. */
export type AgesOfRegions = ReadonlyMap<string, DataAge> | null

/**
 * The public status page. `history` contains the days on which a region's collector ran; null if it cannot be
 * read.
 */
export function StatusPage({
  status,
  history,
  ages,
  now,
}: {
  status: Status
  history: readonly DayOfRuns[] | null
  ages: AgesOfRegions
  now: Date
}) {
  return (
    <Layout title={`Status: ${status.status}`}>
      <h1>Status</h1>
      <p class={`overall ${status.status}`}>{OVERALL[status.status]}</p>
      <p class="quiet">
        Checked at <Moment at={status.checked_at} />. As JSON: <a href="/v1/status">/v1/status</a>. Health of
        the service itself: <a href="/health">/health</a>.
      </p>
      {status.regions.map((region) => (
        <Region
          region={region}
          history={history === null ? null : history.filter((day) => day.region === region.region)}
          age={ages?.get(region.region) ?? null}
          now={now}
        />
      ))}
    </Layout>
  )
}

type RegionStatus = Status['regions'][number]

function Region({
  region,
  history,
  age,
  now,
}: {
  region: RegionStatus
  history: readonly DayOfRuns[] | null
  age: DataAge | null
  now: Date
}) {
  const known = isRegionId(region.region) ? region.region : null
  const has_run = region.last_sync_at !== null
  const shown = region.status === 'unknown' ? 'shipped' : region.status
  return (
    <section class="region" aria-labelledby={`region-${region.region}`}>
      <h2 id={`region-${region.region}`}>
        {region.region} <span class={`state ${region.status}`}>{shown}</span>
      </h2>
      {known !== null && <p class="quiet">{REGIONS[known].data}</p>}
      <dl>
        {has_run && (
          <Entry term="Last sync">
            <Moment at={region.last_sync_at} />
          </Entry>
        )}
        {has_run && (
          <Entry term="Last success">
            <Moment at={region.last_successful_fetch} />
          </Entry>
        )}
        {known !== null && has_run && (
          <Entry term="Age of the data">{ageAgainstWindow(known, region.last_successful_fetch, now)}</Entry>
        )}
        {has_run && <Entry term="Failures in a row">{String(region.consecutive_failures)}</Entry>}
        {age !== null && <Entry term="Records in force">{recordsInWords(age, has_run, now)}</Entry>}
        {region.records_held > 0 && (
          <Entry term="Held back">
            {`${region.records_held} changes wait for a second source or a person`}
          </Entry>
        )}
      </dl>
      {region.last_error !== null && <p>Last error: {region.last_error}</p>}
      {region.fallbacks.map(({ part, source, since, reason }) => (
        <p>
          {part}: on fallback since <Moment at={since} />, read from {source}. {reason}
        </p>
      ))}
      {history !== null && has_run && <Strip region={region.region} history={history} now={now} />}
    </section>
  )
}

function Entry({ term, children }: { term: string; children: unknown }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** How many records there are, how old they are, and how many of them a person keeps. */
function recordsInWords(age: DataAge, has_run: boolean, now: Date): string {
  const reviewed = `${age.records}, ${has_run ? '' : 'shipped with the release, '}${ageInWords(age, now)}`
  return has_run && age.by_hand > 0 ? `${reviewed}; ${age.by_hand} kept by hand` : reviewed
}

function ageAgainstWindow(region: RegionId, last_success: string | null, now: Date): string {
  const { window_days } = REGIONS[region]
  if (last_success === null) return `not refreshed yet; the window is ${window_days} days`
  const hours = Math.max(0, Math.floor((now.getTime() - Date.parse(last_success)) / 3_600_000))
  return `${hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`} of ${window_days} days`
}

/** The last days as bars, the oldest first. */
function Strip({ region, history, now }: { region: string; history: readonly DayOfRuns[]; now: Date }) {
  const byDay = new Map(history.map((day) => [day.day, day]))
  const days = Array.from({ length: HISTORY_DAYS }, (_, index) =>
    new Date(now.getTime() - (HISTORY_DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  )
  const outcomes = days.map((day) => ({ day, outcome: outcomeOf(byDay.get(day)) }))
  const count = (outcome: DayOutcome) => outcomes.filter((each) => each.outcome === outcome).length
  const counts = [
    `${count('good')} with good runs`,
    `${count('mixed')} with good and failed runs`,
    `${count('bad')} with failed runs`,
    `${count('none')} without a run`,
  ]
  const summary = `Last ${HISTORY_DAYS} days: ${counts.join(', ')}`
  return (
    <>
      <div class="strip" role="img" aria-label={`${region}. ${summary}`}>
        {outcomes.map(({ day, outcome }) => (
          <span class={outcome} title={`${day}: ${TITLES[outcome]}`}></span>
        ))}
      </div>
      <p class="quiet">{summary}</p>
    </>
  )
}

type DayOutcome = 'good' | 'mixed' | 'bad' | 'none'

const TITLES = { good: 'good', mixed: 'good and failed runs', bad: 'failed', none: 'no run' } as const

function outcomeOf(day: DayOfRuns | undefined): DayOutcome {
  if (day === undefined) return 'none'
  if (day.failed === 0) return 'good'
  return day.good > 0 ? 'mixed' : 'bad'
}
