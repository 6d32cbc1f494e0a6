import type { RateHistoryAnswer } from '../../client/src/schema.ts'
import { read } from '../api.ts'
import { formatDay, formatRate } from '../format.ts'
import { placeName } from '../names.ts'
import { Loaded, useLoading } from '../parts/load.tsx'
import { Bar, Day, EmptyState, Section, Source } from '../parts/parts.tsx'
import { Table } from '../parts/table.tsx'

type Rate = RateHistoryAnswer['rates'][number]

const CATEGORIES: Readonly<Record<Rate['category'], string>> = {
  standard: 'Standard rate',
  reduced: 'Reduced rate',
  reduced_2: 'Second reduced rate',
  super_reduced: 'Super-reduced rate',
  parking: 'Parking rate',
  zero: 'Zero rate',
}

/** The name of a rate for people: `TVA reduced_2` is Second reduced rate (TVA). */
function rateWords({ name, category }: Rate): string {
  if (!name.endsWith(` ${category}`)) return name
  return `${CATEGORIES[category]} (${name.slice(0, -category.length - 1)})`
}

/** The rates of a place in force, announced ones, and their history. `id` is that of the jurisdiction. */
export function PlaceRates({ id }: { id: string }) {
  const loading = useLoading(() => read('/v1/metadata/jurisdictions/{id}/rates', { id, limit: '500' }), [id])
  return <Loaded of={loading} show={({ rates }) => <Periods id={id} rates={rates} />} />
}

function Periods({ id, rates }: { id: string; rates: readonly Rate[] }) {
  const today = new Date().toISOString().slice(0, 10)
  const isOver = ({ effective_to }: Rate) => effective_to !== null && effective_to < today
  const announced = rates.filter(({ effective_from }) => effective_from > today)
  const now = rates.filter((rate) => !announced.includes(rate) && !isOver(rate))
  const series = Map.groupBy(rates, (rate) =>
    [rate.jurisdiction_id, rate.tax_type, rate.category, rate.name].join(' '),
  )
  const histories = [...series.values()].filter((each) => each.length > 1)
  const daysOf = (rate: Rate) => {
    const from = formatDay(rate.effective_from)
    if (announced.includes(rate)) return `announced, from ${from}`
    return isOver(rate) ? `${from} to ${formatDay(rate.effective_to)}` : `Since ${from}`
  }
  return (
    <>
      <RatesNow caption={`${placeName(id)}: in force today`} rates={now} />
      {announced.length > 0 && (
        <Section title="Announced" card>
          <ul>
            {announced.map((rate) => (
              <li>{`${rateWords(rate)}: ${formatRate(rate.rate)} from ${formatDay(rate.effective_from)}`}</li>
            ))}
          </ul>
        </Section>
      )}
      {histories.length === 0 ? (
        <p class="quiet">No earlier rates are on file.</p>
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

function RatesNow({ caption, rates }: { caption: string; rates: readonly Rate[] }) {
  if (rates.length === 0)
    return <EmptyState title="No rates of its own" text="The rates of this place are those of its parts." />
  return (
    <Table
      caption={caption}
      show_caption
      rows={rates.toSorted((a, b) => b.rate - a.rate)}
      columns={[
        { head: 'Rate', cell: rateWords },
        { head: 'Levied by', keep: 'wide', cell: ({ jurisdiction_id }) => placeName(jurisdiction_id) },
        { head: 'Percent', number: true, phone: 'figure', cell: ({ rate }) => formatRate(rate) },
        { head: 'Since', keep: true, cell: ({ effective_from }) => formatDay(effective_from) },
        { head: 'Source', cell: ({ source, source_url }) => <Source url={source_url} name={source} /> },
        { head: 'Verified', keep: true, cell: ({ last_verified_at }) => <Day at={last_verified_at} /> },
      ]}
    />
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
