import { DAY_MS } from '../../platform/kit/calendar.ts'
import type { DayOfRuns } from '../../tax-data/status/store.ts'
import { atStart } from '../../engine/book/names.ts'
import { nameOfGroup } from '../../engine/regimes/list.ts'
import { collectedOf, isOfCountryFile, isRegionId, REGIONS } from '../../platform/regions.ts'
import type { Alarm, Health, Status } from '../../tax-data/status/schemas.ts'
import type { DataAge } from '../../tax-data/records/data-age.ts'
import { agoInWords, dayInWords } from './words.ts'
import { Layout, Moment, ScrollTable } from './layout.tsx'

const OVERALL = {
  healthy: 'All tax data is up to date',
  degraded: 'Some tax data was not refreshed as planned; it is still fresh enough',
  stale: 'Some tax data is too old; answers that use it say so',
  unknown: 'The tax data is that of the release: no collector has refreshed it yet',
  unhealthy: 'The state of the collectors cannot be read',
} as const

export const HISTORY_DAYS = 90

/** The age of the facts in force by region; null if the tax data cannot be read. */
type AgesOfRegions = ReadonlyMap<string, DataAge> | null

/**
 * The public status page. `history` contains the days on which a region's collector ran; null if it cannot be
 * read.
 */
export function StatusPage({
  status,
  history,
  ages,
  health,
  now,
}: {
  status: Status
  history: readonly DayOfRuns[] | null
  ages: AgesOfRegions
  /** Null: it cannot be read. */
  health: Health | null
  now: Date
}) {
  const unread = status.regions.filter(({ last_sync_at }) => last_sync_at === null).length
  return (
    <Layout
      title="Status"
      description="Whether the API is up, and how fresh the tax data of each region is."
      current="/status"
    >
      <h1>Status</h1>
      <ServiceState health={health} />
      <p class={`overall ${status.status}`}>{OVERALL[status.status]}</p>
      <h2>Tax data</h2>
      {unread > 0 && <ShippedNote count={unread} of={status.regions.length} ages={ages} />}
      <ScrollTable
        label="Tax data by region"
        kind="rows"
        heads={['Region', 'State', 'Records', 'Reviewed or read', 'Sources']}
      >
        {status.regions.map((region) => (
          <RegionRow region={region} age={ages?.get(region.region) ?? null} now={now} />
        ))}
      </ScrollTable>
      <Incidents history={history} />
      {status.regions.map((region) => (
        <Runs
          region={region}
          history={history === null ? null : history.filter((day) => day.region === region.region)}
          now={now}
        />
      ))}
      <KeptByHand regions={status.kept_by_hand} ages={ages} now={now} />
      <Operations health={health} />
      <p class="quiet">
        Checked at <Moment at={status.checked_at} />. As JSON: <a href="/v1/status">/v1/status</a>. Health of
        the service itself: <a href="/health">/health</a>.
      </p>
    </Layout>
  )
}

const API_STATE = {
  healthy: ['healthy', 'All systems work'],
  degraded: ['healthy', 'The API is up. The operators have a task, listed under Operations'],
  unhealthy: ['unhealthy', 'The API has trouble: some requests fail'],
  unknown: ['unhealthy', 'The state of the API cannot be read'],
} as const

/** The first question of a visitor: is there anything to worry about? */
function ServiceState({ health }: { health: Health | null }) {
  const [tone, words] = API_STATE[health?.status ?? 'unknown']
  const failed = Object.values(health?.checks ?? {}).filter((check) => check?.status === 'fail')
  return (
    <>
      <p class={`overall ${tone}`}>{words}</p>
      {failed.map((check) => (
        <p>{check?.message ?? `The check of ${check?.name} fails`}.</p>
      ))}
    </>
  )
}

const INCIDENTS_MAX = 5

/** The last days on which collectors failed, the newest first. They read the tax data; calculations go on. */
function Incidents({ history }: { history: readonly DayOfRuns[] | null }) {
  if (history === null) return <p>The runs of the collectors cannot be read.</p>
  const failed = history.filter((day) => day.failed > 0)
  const byDay = [...Map.groupBy(failed, ({ day }) => day)].toSorted(([a], [b]) => b.localeCompare(a))
  return (
    <>
      <h2>Last incidents of the collectors</h2>
      {byDay.length === 0 && <p>None in the last {HISTORY_DAYS} days.</p>}
      <ul class="changes">
        {byDay.slice(0, INCIDENTS_MAX).map(([day, regions]) => (
          <li>
            <time datetime={day}>{dayInWords(day)}</time>
            {regions.map(({ region }) => nameOfRegion(region)).join(', ')}
          </li>
        ))}
      </ul>
    </>
  )
}

function nameOfRegion(region: string): string {
  return isRegionId(region) ? `${REGIONS[region].name} (${REGIONS[region].data})` : region
}

/** A message of a source without addresses, which are long and tell a reader nothing: their host stays. */
function withoutAddresses(message: string): string {
  return message.replaceAll(/https?:\/\/([^/\s]+)\S*/g, '$1')
}

/** What the operators must look at: a database that fills up, a cache that is wrong, alarms. */
function Operations({ health }: { health: Health | null }) {
  const alarms = health?.checks.operations?.alarms ?? null
  const { database, kv } = health?.checks ?? {}
  const warned = [database, kv].flatMap((check) => (check?.status === 'warn' ? (check.message ?? []) : []))
  const raised = alarms?.filter(({ status }) => status === 'warn').map(alarmInWords) ?? []
  const all = [...warned, ...raised]
  return (
    <>
      <h2>Operations</h2>
      {alarms === null && <p>The alarms cannot be read.</p>}
      {alarms !== null && all.length === 0 && <p>Nothing needs an operator now.</p>}
      {all.length > 0 && (
        <ul>
          {all.map((message) => (
            <li>{message}.</li>
          ))}
        </ul>
      )}
    </>
  )
}

/** The message of an alarm is a sentence; one that was not measured may lack its subject. */
function alarmInWords({ name, value, message }: Alarm): string {
  const nameless = value === null && message?.startsWith('It ')
  return nameless || message === null ? `${sentenceOf(name)} could not be measured` : message
}

function sentenceOf(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** What is known of regions whose collector has never run, and how to start it. */
function ShippedNote({ count, of, ages }: { count: number; of: number; ages: AgesOfRegions }) {
  const [reviewed] = [...(ages?.values() ?? [])].flatMap(({ reviewed_on }) => reviewed_on ?? [])
  return (
    <p>
      {count === of ? 'Shipped' : `${count} of ${of} sources: shipped`} with the release
      {reviewed === undefined ? '' : `, reviewed on ${dayInWords(reviewed)}`}; not refreshed since. The
      collectors run every night once the service is deployed. To run them now:{' '}
      <a href="/docs/collectors">collectors</a>.
    </p>
  )
}

type RegionStatus = Status['regions'][number]

/** Regions that no collector reads: people keep their records. */
function KeptByHand({
  regions,
  ages,
  now,
}: {
  regions: Status['kept_by_hand']
  ages: AgesOfRegions
  now: Date
}) {
  return (
    <>
      <h2>Kept by hand</h2>
      <p>
        No collector reads these. Their records come from laws, pages of tax offices and published tables.
        Each record names its source and its day.
      </p>
      <ScrollTable label="Regions kept by hand" kind="rows" heads={['Region', 'Records', 'Reviewed']}>
        {rowsOfKept(regions, ages).map(({ name, age }) => (
          <tr>
            <th scope="row">{name}</th>
            <td class="number" data-head="Records">
              {age?.records.toLocaleString('en') ?? 'unknown'}
            </td>
            <td data-head="Reviewed">{age?.reviewed_on ? dayWithAge(age.reviewed_on, now) : 'not yet'}</td>
          </tr>
        ))}
      </ScrollTable>
    </>
  )
}

/** A row for each region, and one for all countries of data/countries: people review them together. */
function rowsOfKept(regions: Status['kept_by_hand'], ages: AgesOfRegions): KeptRow[] {
  const ids = regions.map(({ region }) => region).filter(isRegionId)
  const [together, apart] = [ids.filter(isOfCountryFile), ids.filter((id) => !isOfCountryFile(id))]
  const rows = apart.map((id): KeptRow => ({ name: REGIONS[id].name, age: ages?.get(id) ?? null }))
  const found = together.flatMap((id) => ages?.get(id) ?? [])
  const [oldest] = found.flatMap(({ reviewed_on }) => reviewed_on ?? []).toSorted()
  const records = found.reduce((sum, each) => sum + each.records, 0)
  const age = found.length === 0 ? null : { records, reviewed_on: oldest ?? null }
  return [...rows, { name: atStart(nameOfGroup('digital')), age }]
}

type KeptRow = { name: string; age: Pick<DataAge, 'records' | 'reviewed_on'> | null }

/** What is shown of a region that a collector reads. Before its first run, it has what the release ships. */
function stateInWords({ status }: RegionStatus, age: DataAge | null): string {
  if (status !== 'unknown') return status
  return age?.records === 0 ? 'no data yet' : 'shipped'
}

type RegionOf = { region: RegionStatus; now: Date }

function nameIn({ region }: RegionStatus): { name: string; data: string } {
  return isRegionId(region) ? REGIONS[region] : { name: region, data: region }
}

function RegionRow({ region, age, now }: RegionOf & { age: DataAge | null }) {
  const { name, data } = nameIn(region)
  const collected = collectedOf(region.region)
  const has_run = region.last_sync_at !== null
  return (
    <tr id={`region-${region.region}`}>
      <th scope="row">
        {name} <span class="what">{data}</span>
      </th>
      <td class="figure">
        <span class={`state capital ${region.status}`}>{stateInWords(region, age)}</span>
      </td>
      <td class="number" data-head="Records">
        {age === null ? 'unknown' : recordsInWords(age, has_run)}
      </td>
      <td>
        {has_run && collected !== null ? (
          <AgeBar days={daysSince(region.last_successful_fetch, now)} window={collected.window_days} />
        ) : age?.reviewed_on ? (
          `${dayWithAge(age.reviewed_on, now)}`
        ) : (
          ''
        )}
      </td>
      <td class="number" data-head="Sources of">
        {age === null ? '' : sourcesInWords(age)}
      </td>
    </tr>
  )
}

/** What became of the runs of a collector that has run, and what is wrong with it. */
function Runs({ region, history, now }: RegionOf & { history: readonly DayOfRuns[] | null }) {
  const { name, data } = nameIn(region)
  const { last_sync_at, last_error, records_held, fallbacks } = region
  if (last_sync_at === null && last_error === null && records_held === 0 && fallbacks.length === 0)
    return <></>
  return (
    <section class="region" aria-labelledby={`runs-${region.region}`}>
      <div>
        <h3 id={`runs-${region.region}`}>
          {name} <span class="what">{data}</span>
        </h3>
        {last_error !== null && <p>Last error: {withoutAddresses(last_error)}</p>}
        {records_held > 0 && (
          <p>
            {records_held === 1 ? '1 change waits' : `${records_held} changes wait`} for a second source or a
            person.
          </p>
        )}
        {fallbacks.map(({ part, source, since, reason }) => (
          <p>
            {part}: on fallback since <Moment at={since} />, read from {source}. {withoutAddresses(reason)}
          </p>
        ))}
      </div>
      <div>
        {history !== null && <Strip region={region.region} history={history} now={now} />}
        <details>
          <summary>{`Runs: ${name}`}</summary>
          <dl>
            <Entry term="Last sync">
              <Moment at={last_sync_at} />
            </Entry>
            <Entry term="Last success">
              <Moment at={region.last_successful_fetch} />
            </Entry>
            <Entry term="Failures in a row">{String(region.consecutive_failures)}</Entry>
          </dl>
        </details>
      </div>
    </section>
  )
}

/** The age of the last success as a part of the days until the data counts as too old. */
function AgeBar({ days, window }: { days: number | null; window: number }) {
  const words =
    days === null
      ? `not refreshed yet; the window is ${window} days`
      : `${days < 2 ? `${Math.floor(days * 24)} hours` : `${Math.floor(days)} days`} of ${window} days`
  const value = Math.min(days ?? window, window)
  return (
    <p class="age">
      <meter min="0" max={window} high={window * 0.7} optimum={0} value={value} aria-label="Age of the data">
        {words}
      </meter>{' '}
      <span class="quiet">Age: {words}</span>
    </p>
  )
}

function daysSince(moment: string | null, now: Date): number | null {
  return moment === null ? null : Math.max(0, (now.getTime() - Date.parse(moment)) / DAY_MS)
}

function Entry({ term, children }: { term: string; children: unknown }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** `195 (12 by hand)`. */
function recordsInWords({ records, by_hand }: DataAge, has_run: boolean): string {
  const count = records.toLocaleString('en')
  if (records === 0) return has_run ? 'none yet' : 'with the first run'
  return has_run && by_hand > 0 ? `${count} (${by_hand} by hand)` : count
}

/** The days of the oldest and the newest source. */
function sourcesInWords({ oldest, newest }: DataAge): string {
  if (oldest === null || newest === null) return ''
  return oldest === newest ? dayInWords(oldest) : `${dayInWords(oldest)} to ${dayInWords(newest)}`
}

function dayWithAge(day: string, now: Date): string {
  return `${agoInWords(day, now)} (${dayInWords(day)})`
}

/** The last days as bars, the oldest first. */
function Strip({ region, history, now }: { region: string; history: readonly DayOfRuns[]; now: Date }) {
  const byDay = new Map(history.map((day) => [day.day, day]))
  const days = Array.from({ length: HISTORY_DAYS }, (_, index) =>
    new Date(now.getTime() - (HISTORY_DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  )
  const outcomes = days.map((day) => ({ day, outcome: outcomeOf(byDay.get(day)) }))
  const count = (outcome: DayOutcome) => outcomes.filter((each) => each.outcome === outcome).length
  const counts = DAY_OUTCOMES.flatMap((outcome) =>
    count(outcome) === 0 ? [] : `${count(outcome)} ${WORDS[outcome]}`,
  )
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

const DAY_OUTCOMES = ['good', 'mixed', 'bad', 'none'] as const
type DayOutcome = (typeof DAY_OUTCOMES)[number]

const WORDS = {
  good: 'with good runs',
  mixed: 'with good and failed runs',
  bad: 'with failed runs',
  none: 'without a run',
} as const

const TITLES = { good: 'good', mixed: 'good and failed runs', bad: 'failed', none: 'no run' } as const

function outcomeOf(day: DayOfRuns | undefined): DayOutcome {
  if (day === undefined) return 'none'
  if (day.failed === 0) return 'good'
  return day.good > 0 ? 'mixed' : 'bad'
}
