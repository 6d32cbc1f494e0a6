import { readOptions } from '../scripts/options.ts'
import { report, table, thousands } from './bench/report.ts'
import { simulateDay } from './edge-map/day.ts'
import roundTrips from './edge-map/round-trips.json' with { type: 'json' }
import { after, before } from './edge-map/stores.ts'

/**
 * Simulates a day of checkouts around the world, and prints what the stores add to their answers, before and
 * after the cold path became one trip.
 */
const values = readOptions({
  locations: { type: 'string', default: '300' },
  minutes: { type: 'string', default: '5' },
  seed: { type: 'string', default: '1' },
})
const trips = Object.values(roundTrips.regions)
const loads = [10_000, 100_000, 1_000_000]

const rows = loads.flatMap((requests) => {
  const day = {
    requests,
    locations: Number(values.locations),
    isolate_seconds: 60 * Number(values.minutes),
    seed: Number(values.seed),
  }
  return (
    [
      ['before', before],
      ['now', after],
    ] as const
  ).map(([name, reading]) => {
    const { p50, p90, p99, mean, at_once } = simulateDay(day, trips, reading)
    const share = `${(100 * at_once).toFixed(1)} %`
    return [`${thousands(requests)} requests a day, ${name}`, ...[p50, p90, p99, mean].map(Math.round), share]
  })
})
const lines = [
  `${values.locations} locations, isolates of ${values.minutes} minutes on average, ` +
    `D1 and KV in ${roundTrips.to}. Milliseconds that the stores add to an answer.`,
  '',
  ...table(
    ['', 'p50', 'p90', 'p99', 'mean', 'answers at once'],
    rows.map((row) => row.map(String)),
  ),
]
console.log(lines.join('\n'))
report('edge-map', lines)
