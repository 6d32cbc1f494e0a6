import type { Cold } from './cold.ts'
import type { First } from './first.ts'
import type { Round } from './measure.ts'
import { table, thousands } from './report.ts'
import { AMERICAN, BATCH, CARTS, HUNDRED_LINES, ONE_LINE, RATES } from './targets.ts'

/** A request to each worker. `constant` is the floor with answers of the service. */
export type Row = {
  name: string
  floor: Round
  constant: Round
  service: Round
  d1_per_request: number
  kv_per_request: number
}

export type Measured = { engine_per_second: number; rows: Row[]; cold: Cold[]; first: First[] }

/** The tables of the benchmark in Markdown. */
export function linesOf(measured: Measured): string[] {
  const { rows, cold, first, engine_per_second } = measured
  return [
    ...tableOfRows(rows),
    '',
    `D1 and KV are operations of a warm request. The engine alone does ${thousands(engine_per_second)}`,
    'calculations of one line a second on one core.',
    '',
    ...goalsOf(measured),
    '',
    ...table(
      ['First answer of an empty isolate, 200 ms from D1 and KV', 'ms', 'trips', 'second answer, ms'],
      cold.map(({ name, trips, first_ms, second_ms }) => [
        name,
        first_ms.toFixed(0),
        trips.toFixed(2),
        second_ms.toFixed(0),
      ]),
    ),
    '',
    ...table(
      ['CPU of the first 100 requests after a start', 'ms', 'bare Hono worker, ms'],
      first.map(({ name, service_ms, floor_ms }) => [name, service_ms.toFixed(0), floor_ms.toFixed(0)]),
    ),
  ]
}

const SAME_ANSWER = 'the same with an answer of the service'

/** What each request cost. */
export function tableOfRows(rows: readonly Row[]): string[] {
  return table(
    [
      '',
      'requests a second',
      'p50 ms',
      'p99 ms',
      'of the floor',
      'CPU µs',
      'of the same answer, by CPU',
      'D1',
      'KV',
    ],
    rows.flatMap((row) => [
      [
        `**${row.name}**`,
        ...Array.from({ length: 6 }, () => ''),
        row.d1_per_request.toFixed(2),
        row.kv_per_request.toFixed(2),
      ],
      ['bare Hono worker: the floor', ...figures(row.floor), '', cpu(row.floor), '', '', ''],
      [SAME_ANSWER, ...figures(row.constant), ratio(row, 'constant'), cpu(row.constant), '', '', ''],
      ['service', ...figures(row.service), ratio(row, 'service'), cpu(row.service), fair(row), '', ''],
    ]),
  )
}

/** The goals beside what was measured. */
function goalsOf({ rows, cold }: Measured): string[] {
  const serviceOf = (name: string) => rows.find((row) => row.name === name)
  const fairShare = (name: string) => {
    const row = serviceOf(name)
    return row === undefined ? '' : fair(row)
  }
  const share = (name: string) => {
    const row = serviceOf(name)
    return row === undefined ? '' : ratio(row, 'service')
  }
  const perSecond = (name: string) => serviceOf(name)?.service.requests_per_second ?? Number.NaN
  const carts = (CARTS * perSecond(BATCH.name)) / perSecond(ONE_LINE.name)
  return table(
    ['Goal', 'goal', 'measured'],
    [
      ['one line, of the floor', '0.80', share(ONE_LINE.name)],
      ['one line, of the same answer, by CPU', '0.84', fairShare(ONE_LINE.name)],
      ['a cart of the United States, of the same answer, by CPU', '0.67', fairShare(AMERICAN.name)],
      ['GET /v1/rates, of the floor', '0.75', share(RATES.name)],
      ['100 lines, of the floor', '0.50', share(HUNDRED_LINES.name)],
      ['calculations a second in batches of 100, of single calls', 'at least 4.0', carts.toFixed(1)],
      ['trips that a first answer waits for', '1', Math.max(...cold.map(({ trips }) => trips)).toFixed(2)],
    ],
  )
}

function figures(round: Round): string[] {
  return [thousands(round.requests_per_second), round.p50_ms.toFixed(2), round.p99_ms.toFixed(2)]
}

function cpu({ cpu_us }: Round): string {
  return Number.isNaN(cpu_us) ? '' : cpu_us.toFixed(0)
}

/** The CPU of the floor that sends the same answer, of that of the service: what is not ours is in both. */
function fair({ constant, service }: Row): string {
  const share = constant.cpu_us / service.cpu_us
  return Number.isNaN(share) ? '' : share.toFixed(2)
}

/** The requests a second of a worker for each one of the floor. */
function ratio(row: Row, worker: 'constant' | 'service'): string {
  return (row[worker].requests_per_second / row.floor.requests_per_second).toFixed(2)
}
