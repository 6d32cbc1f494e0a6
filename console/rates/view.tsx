import type { RateHistoryAnswer } from '../../client/src/schema.ts'
import { rateWords } from '../../src/interfaces/pages/words.ts'
import { homeCountry } from '../account.ts'
import { linkTo, type ViewProps } from '../address.ts'
import { read } from '../api.ts'
import { formatDay, formatRate } from '../format.ts'
import { jurisdictions, placeName, withNames } from '../names.ts'
import { Choice, Form, type Typed } from '../parts/form.tsx'
import { List, Loaded, Read, useLoading } from '../parts/load.tsx'
import { Badge, Bar, Day, EmptyState, Section, Source } from '../parts/parts.tsx'
import { Table } from '../parts/table.tsx'
import { Freshness } from './freshness.tsx'

export { Record } from './freshness.tsx'

const PLACE = 'Country, state or province'

/** The rates of the place of the address, or of the seller's country, and how fresh each region is. */
export function View({ query }: ViewProps) {
  const place = query.get('place') ?? homeCountry()
  const lists = useLoading(() => withNames(jurisdictions()))
  const show = async (typed: Typed) => {
    const chosen = typed.chosen('place', PLACE, lists.value ?? []) ?? ''
    location.hash = linkTo('rates', { query: new URLSearchParams({ place: chosen }) })
  }
  return (
    <div class="stack">
      <Loaded
        of={lists}
        show={(options) => (
          <>
            <section class="card inline" aria-label="Rates of a place">
              <Form name="Show its rates" send={show}>
                <Choice label={PLACE} name="place" options={options} chosen={place ?? ''} required />
              </Form>
            </section>
            {place !== null && <PlaceRates id={place} known={options.some(({ value }) => value === place)} />}
          </>
        )}
      />
      <h2>Freshness by region</h2>
      <Freshness query={query} />
    </div>
  )
}

type Rate = RateHistoryAnswer['rates'][number]

/** The rates of a place in force, announced ones, and their history. `id` is that of the jurisdiction. */
function PlaceRates({ id, known }: { id: string; known: boolean }) {
  if (!known) return <EmptyState title="Unknown place" text={`We have no rates for ${placeName(id)}.`} />
  const readRates = () => read('/v1/metadata/jurisdictions/{id}/rates', { id, limit: '500' })
  return <Read read={readRates} of={[id]} show={({ rates }) => <Periods id={id} rates={rates} />} />
}

function Periods({ id, rates }: { id: string; rates: readonly Rate[] }) {
  const today = new Date().toISOString().slice(0, 10)
  const isOver = ({ effective_to }: Rate) => effective_to !== null && effective_to < today
  const announced = rates.filter(({ effective_from }) => effective_from > today)
  const now = rates.filter((rate) => !announced.includes(rate) && !isOver(rate))
  const series = Map.groupBy(rates, (rate) =>
    [rate.jurisdiction_id, rate.tax_type, rate.category, rate.name].join(' '),
  )
  const histories = [...series.values()].filter((each) => each.length > 1).toSorted(byLatestRate)
  const sinceOf = ({ effective_from }: Rate) => formatDay(effective_from)
  const daysOf = (rate: Rate) => {
    const from = sinceOf(rate)
    if (announced.includes(rate)) return `announced, from ${from}`
    return isOver(rate) ? `${from} to ${formatDay(rate.effective_to)}` : `Since ${from}`
  }
  return (
    <>
      <RatesNow caption={`${placeName(id)}: in force today`} rates={now} />
      {announced.length > 0 && (
        <Section title="Announced" card>
          <List
            lines={announced.map(
              (rate) => `${rateWords(rate)}: ${formatRate(rate.rate)} from ${sinceOf(rate)}`,
            )}
          />
        </Section>
      )}
      {histories.length === 0 ? (
        <p class="quiet">No earlier rates.</p>
      ) : (
        <>
          <h2>History</h2>
          <div class="history">
            {histories.map((periods) => (
              <History periods={periods} daysOf={daysOf} />
            ))}
          </div>
        </>
      )}
    </>
  )
}

/** The highest first, as in the table of what is in force. */
function byLatestRate([a]: readonly Rate[], [b]: readonly Rate[]): number {
  return (b?.rate ?? 0) - (a?.rate ?? 0)
}

function RatesNow({ caption, rates }: { caption: string; rates: readonly Rate[] }) {
  if (rates.length === 0)
    return <EmptyState title="No rates of its own" text="The parts of this place have their own rates." />
  const [first] = rates
  const shared = rates.every(({ source_url }) => source_url === first?.source_url) ? first : undefined
  const source = ({ source, source_url }: Rate) => <Source url={source_url} name={source} />
  return (
    <Table
      caption={caption}
      show_caption
      rows={rates.toSorted((a, b) => b.rate - a.rate)}
      columns={[
        { head: 'Rate', cell: (rate) => <NameOfRate of={rate} /> },
        { head: 'Levied by', keep: 'wide', cell: ({ jurisdiction_id }) => placeName(jurisdiction_id) },
        { head: 'Percent', number: true, phone: 'figure', cell: ({ rate }) => formatRate(rate) },
        { head: 'Since', keep: true, cell: ({ effective_from }) => formatDay(effective_from) },
        ...(shared ? [] : [{ head: 'Source', cell: source }]),
        { head: 'Verified', keep: true, cell: verified },
      ]}
      foot={
        <>
          {shared && (
            <p class="table-foot">
              <span>Source: {source(shared)}</span>
            </p>
          )}
          {rates.some(({ last_verified_at }) => last_verified_at === null) && (
            <p class="table-foot">
              Not yet: the rate is used, but nobody has compared it with its source. Check it before you file.
            </p>
          )}
        </>
      }
    />
  )
}

function verified({ last_verified_at }: Rate) {
  return last_verified_at === null ? <Badge word="not yet" tone="warn" /> : <Day at={last_verified_at} />
}

/** The name of a rate, and the taxes that it is made of. */
function NameOfRate({ of }: { of: Rate }) {
  return (
    <>
      {rateWords(of)}
      {of.components && (
        <span class="quiet small block">
          {of.components.map(({ name, rate }) => `${name} ${formatRate(rate)}`).join(' + ')}
        </span>
      )}
    </>
  )
}

/** The periods of one rate, the latest first, with a bar for each. */
function History({ periods, daysOf }: { periods: readonly Rate[]; daysOf: (rate: Rate) => string }) {
  const highest = Math.max(...periods.map(({ rate }) => rate), 0.000001)
  const [latest] = periods
  const cell = ({ rate }: Rate) => (
    <span class="share">
      <Bar share={rate / highest} state="below" track={false} />
      <span class="number">{formatRate(rate)}</span>
    </span>
  )
  return (
    <Table
      caption={latest === undefined ? '' : rateWords(latest)}
      show_caption
      rows={periods}
      columns={[
        { head: 'Days', cell: daysOf },
        { head: 'Rate', number: true, phone: 'figure', cell },
      ]}
    />
  )
}
