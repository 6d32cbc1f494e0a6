import type { NexusExposure, UnmeasuredPlace } from '../../client/src/schema.ts'
import { linkTo } from '../address.ts'
import { ifAllowed, read } from '../api.ts'
import { formatCount, formatDay, formatMoney, formatShare } from '../format.ts'
import { placeName, withNames } from '../names.ts'
import { Read } from '../parts/load.tsx'
import { Badge, type Empty, EmptyState } from '../parts/parts.tsx'
import { Table } from '../parts/table.tsx'
import { readRegistrations, stateOf as stateOfRegistration } from '../registrations/registration.ts'
import { NO_SALES } from '../transactions/columns.tsx'
import { sentence } from '../words.ts'
import {
  ANY_SALE,
  paceWords,
  stateOf,
  ThresholdBar,
  uncollectedWords,
  unmeasuredWords,
  WHY_UNMEASURED,
} from './exposure.tsx'
import { MAPPED_STATES, UsMap } from './us-map.tsx'

export { Record } from './record.tsx'

/** The states of a place, the most urgent first, with what they mean on the map. */
const STATES = {
  exceeded: 'over the threshold, not registered',
  present: 'physical presence, not registered',
  approaching: '85 % or more of the threshold',
  registered: 'registered',
  depends_on_turnover: 'depends on your worldwide turnover',
  below: 'under 85 %',
  coming: 'counts from next year',
  none: 'no sales that count',
} as const

type State = keyof typeof STATES

const NOTHING_SOLD: Empty = {
  title: 'No sales to measure yet',
  text:
    'With the first sale to a state or a country, its threshold appears here, and how much of it ' +
    'is reached.',
  action: NO_SALES.action,
}

/** How close sales are to each threshold: the United States as a map with a list, then all others. */
export function View() {
  return (
    <Read
      read={() => withNames(Promise.all([read('/v1/nexus'), readRegistered()]))}
      lines={10}
      show={([{ jurisdictions, not_monitored, as_of }, registered]) => {
        const american = jurisdictions.filter(({ jurisdiction_id }) => jurisdiction_id.startsWith('US-'))
        const others = jurisdictions.filter((each) => !american.includes(each))
        if (jurisdictions.length + not_monitored.length === 0) return <EmptyState {...NOTHING_SOLD} />
        return (
          <div class="stack">
            <p class="quiet">
              {`As of ${formatDay(as_of)}. Each place measures its own sales over its own period. `}
              Gross sales count. Refunds do not reduce them.
            </p>
            <h2>United States</h2>
            <div class="nexus">
              <Exposures of={american} where="United States" />
              <MapCard exposures={american} registered={registered} />
            </div>
            <h2>Other countries</h2>
            <Exposures of={others} where="Other countries" />
            <NotMonitored places={not_monitored} />
          </div>
        )
      }}
    />
  )
}

/** The ids of the places with a registration today. Empty if the key may not read them. */
async function readRegistered(): Promise<ReadonlySet<string | null>> {
  const all = (await ifAllowed(readRegistrations())) ?? []
  const valid = all.filter((each) => stateOfRegistration(each) === 'registered')
  return new Set(valid.map(({ jurisdiction_id }) => jurisdiction_id))
}

type MapCardProps = {
  exposures: readonly NexusExposure[]
  registered: ReadonlySet<string | null>
}

function MapCard({ exposures, registered }: MapCardProps) {
  const found = new Map(exposures.map((each) => [each.jurisdiction_id, each]))
  const stateAt = (code: string): State => {
    const exposure = found.get(`US-${code}`)
    if (registered.has(`US-${code}`)) return 'registered'
    if (exposure === undefined) return 'none'
    return isComing(exposure) ? 'coming' : stateOf(exposure)
  }
  const nameAt = (code: string) => placeName(`US-${code}`).replace('US-', '')
  const tileOf = (code: string) => {
    const [state, exposure] = [stateAt(code), found.get(`US-${code}`)]
    const coming = exposure !== undefined && state === 'coming' ? comingWords(exposure) : null
    const ratio = coming === null ? exposure?.progress.ratio : exposure?.next_period?.progress.ratio
    const label = ratio === undefined ? '' : formatShare(ratio)
    const told = coming ?? label
    return { state, label, title: `${nameAt(code)}: ${STATES[state]}${told === '' ? '' : `, ${told}`}` }
  }
  const open = (code: string) => (location.hash = linkTo('nexus', { id: `US-${code}` }))
  return (
    <div class="card map-card">
      <UsMap tileOf={tileOf} sentence={sentenceOf(stateAt, nameAt)} open={open} />
      <ul class="map-legend">
        {Object.entries(STATES).flatMap(([state, words]) => {
          const count = MAPPED_STATES.filter((code) => stateAt(code) === state).length
          if (count === 0) return []
          return [
            <li>
              <span class={`swatch ${state}`} aria-hidden="true" />
              {sentence(words)}: <strong class="number">{count}</strong>
            </li>,
          ]
        })}
      </ul>
    </div>
  )
}

/** Whether only the sales of the running year are there, which count from a later day on. */
function isComing({ progress, next_period, nexus_kind }: NexusExposure): boolean {
  return nexus_kind === null && progress.transaction_count === 0 && next_period !== null
}

function sentenceOf(stateAt: (code: string) => State, nameAt: (code: string) => string): string {
  const groups = (['exceeded', 'present', 'approaching', 'registered'] as const).flatMap((state) => {
    const codes = MAPPED_STATES.filter((code) => stateAt(code) === state)
    return codes.length === 0 ? [] : [`${state}: ${nameSome(codes.map(nameAt))}`]
  })
  const told = groups.length === 0 ? 'No state is near its threshold' : groups.join('; ')
  return `Map of the United States. ${told}. The list has all states with sales.`
}

type ExposuresProps = { of: readonly NexusExposure[]; where: 'United States' | 'Other countries' }

/** The unregistered first: they can ask something of the seller. Then those that reached the most. */
function Exposures({ of, where }: ExposuresProps) {
  const reached = ({ progress, next_period }: NexusExposure) =>
    progress.ratio ?? next_period?.progress.ratio ?? 0
  return (
    <Table
      caption={`${where}, the closest first`}
      rows={of.toSorted(
        (one, other) => Number(one.registered) - Number(other.registered) || reached(other) - reached(one),
      )}
      href={({ jurisdiction_id }) => linkTo('nexus', { id: jurisdiction_id })}
      empty={{
        title: `No thresholds: ${where}`,
        text: 'A place appears here with its first recorded sale that counts towards a threshold.',
      }}
      columns={[
        { head: 'Place', cell: ({ jurisdiction_name }) => jurisdiction_name },
        { head: 'Reached', phone: 'figure', cell: (each) => <Reached of={each} /> },
        { head: 'Sales', cell: (each) => <Sold of={each} /> },
        { head: 'Transactions', keep: true, cell: (each) => reachedWords(each).count },
        { head: 'State', cell: (each) => <State of={each} /> },
      ]}
    />
  )
}

function Reached({ of }: { of: NexusExposure }) {
  const { ratio } = of.progress
  return (
    <span class="share">
      <ThresholdBar ratio={ratio} state={stateOf(of)} />
      <span class="number">{formatShare(ratio)}</span>
    </span>
  )
}

function State({ of }: { of: NexusExposure }) {
  return (
    <>
      <Badge word={stateOf(of)} />
      <Later of={of} />
    </>
  )
}

/** What was sold beside the limit. */
function Sold({ of }: { of: NexusExposure }) {
  const { sold, limit, worldwide } = reachedWords(of)
  return (
    <>
      <span class="number keep">{sold}</span> {limit !== null && <span class="quiet keep">{limit}</span>}
      {worldwide !== null && <span class="quiet small block">{worldwide}</span>}
    </>
  )
}

/** What sales of this year oblige to later, when they pass the limit, and the tax that was not collected. */
function Later({ of }: { of: NexusExposure }) {
  const uncollected = uncollectedWords(of)
  const lines = [comingWords(of), paceWords(of), uncollected && `not collected: ${uncollected}`]
  return <>{lines.map((line) => line !== null && <span class="small block">{sentence(line)}</span>)}</>
}

/** Places with sales that no threshold measures, so that silence is no answer. */
function NotMonitored({ places }: { places: readonly UnmeasuredPlace[] }) {
  if (places.length === 0) return null
  return (
    <>
      <h2>Not monitored</h2>
      <Table
        caption="Places with sales in the last 12 months that no threshold measures"
        show_caption
        rows={places}
        href={({ jurisdiction_id }) => linkTo('nexus', { id: jurisdiction_id })}
        columns={[
          { head: 'Place', cell: ({ jurisdiction_name }) => jurisdiction_name },
          { head: 'Sales', phone: 'figure', cell: unmeasuredWords },
          { head: 'Why', cell: ({ why }) => WHY_UNMEASURED[why] },
        ]}
      />
    </>
  )
}

/** `$5,278.50`, `of $100,000.00`, and `or 9 of 200`. */
function reachedWords({ threshold, progress }: NexusExposure) {
  const { amount, transaction_count: limit, combinator, worldwide_amount } = threshold
  const money = (minor: number) => formatMoney(minor, threshold.currency ?? progress.currency)
  const made = formatCount(progress.transaction_count)
  return {
    sold: formatMoney(progress.amount, progress.currency),
    limit: amount === null ? null : amount === 0 ? ANY_SALE : `of ${money(amount)}`,
    worldwide:
      worldwide_amount === null ? null : `if worldwide turnover is ${money(worldwide_amount)} or more`,
    count: limit === null ? made : `${amount === null ? '' : `${combinator ?? 'or'} `}${made} of ${limit}`,
  }
}

/** Places in words: `California, Texas and 3 more`. */
function nameSome(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ')
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown
}

/** `from 2027: $11,028.00 so far`, for a threshold that looks at the year before. Null: it has none. */
function comingWords({ next_period }: NexusExposure): string | null {
  if (next_period === null || next_period.progress.amount === 0) return null
  const { progress, obliges_from } = next_period
  return `from ${obliges_from.slice(0, 4)}: ${formatMoney(progress.amount, progress.currency)} so far`
}
