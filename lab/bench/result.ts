import type { Cold } from './cold.ts'
import type { Round } from './measure.ts'
import { table, thousands } from './report.ts'
import type { Tail } from './tail.ts'
import { BATCH, CARTS, ONE_LINE, RATES } from './targets.ts'

/** One line at the same rate of requests, without the log line. */
export type Tails = { floor: Tail; constant: Tail; silent: Tail }

/**
 * A request to each worker. `constant` is the floor with answers of the service, `silent` the service without
 * its log line.
 */
export type Row = {
  name: string
  floor: Round
  constant: Round
  silent: Round
  service: Round
  piped: Round
  limited: Round
  d1_per_request: number
  kv_per_request: number
}

/** `calm_rate`: the requests a second of `tails`. `addresses`: of the engine with local taxes. */
export type Measured = {
  engine_per_second: number
  local_per_second: number
  sales_tax_per_second: number
  addresses: number
  rows: Row[]
  tails: Tails
  calm_rate: number
  taxjar_share: number
  cold: Cold[]
}

const SAME_ANSWER = 'the same with an answer of the service'

/** The tables of the benchmark in Markdown. */
export function linesOf(measured: Measured): string[] {
  const { rows, tails, cold, taxjar_share, calm_rate } = measured
  return [
    ...table(
      ['', 'requests a second', 'p50 ms', 'p99 ms', 'of the floor', 'D1', 'KV'],
      rows.flatMap((row) => [
        [`**${row.name}**`, '', '', '', '', row.d1_per_request.toFixed(2), row.kv_per_request.toFixed(2)],
        ['bare Hono worker: the floor', ...figures(row.floor), '', '', ''],
        [SAME_ANSWER, ...figures(row.constant), ratio(row.constant, row.floor), '', ''],
        ['service', ...figures(row.silent), ratio(row.silent, row.floor), '', ''],
        ['with its log line', ...figures(row.service), ratio(row.service, row.floor), '', ''],
        ['with the simulated log pipe', ...figures(row.piped), ratio(row.piped, row.floor), '', ''],
        ['with the simulated limiter', ...figures(row.limited), ratio(row.limited, row.floor), '', ''],
      ]),
    ),
    '',
    'D1 and KV are operations of a warm request. ' +
      `The form of TaxJar answers ${taxjar_share.toFixed(2)} requests for each one of our own form.`,
    '',
    ...goalsOf(measured),
    '',
    ...table(
      [`One line at ${thousands(calm_rate)} requests a second, ms`, 'p50', 'p90', 'p99', 'p99.9', 'slowest'],
      [
        ['bare Hono worker: the floor', ...quantiles(tails.floor)],
        [SAME_ANSWER, ...quantiles(tails.constant)],
        ['service', ...quantiles(tails.silent)],
      ],
    ),
    '',
    `${thousands(tails.silent.answers)} requests each. \`slowest\` is the mean of the slowest hundredth.`,
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
      ['One line, one core', 'a second'],
      [
        ['the engine', thousands(measured.engine_per_second)],
        [
          `the engine with local taxes of ${measured.addresses} addresses`,
          thousands(measured.local_per_second),
        ],
        [
          'npm `sales-tax`: only the rate look-up for the same sale',
          thousands(measured.sales_tax_per_second),
        ],
      ],
    ),
  ]
}

/** The goals beside what was measured. */
function goalsOf({ rows, tails, calm_rate, cold }: Measured): string[] {
  const row = (name: string) => rows.find((each) => each.name === name)
  const share = (name: string) => {
    const found = row(name)
    return found === undefined ? '' : ratio(found.silent, found.floor)
  }
  const [one, , hundred] = rows
  const carts = (CARTS * (row(BATCH.name)?.silent.requests_per_second ?? 0)) / perSecondOf(one)
  return table(
    ['Goal', 'goal', 'measured'],
    [
      ['one line, of the floor', '0.80', share(ONE_LINE.name)],
      ['GET /v1/rates, of the floor', '0.75', share(RATES.name)],
      ['100 lines, of the floor', '0.50', hundred === undefined ? '' : ratio(hundred.silent, hundred.floor)],
      [
        `p99 of one line at ${thousands(calm_rate)} requests a second, of the floor's p99`,
        'at most 1.50',
        (tails.silent.p99_ms / tails.floor.p99_ms).toFixed(2),
      ],
      ['calculations a second in batches of 100, of single calls', 'at least 4.0', carts.toFixed(1)],
      ['trips that a first answer waits for', '1', Math.max(...cold.map(({ trips }) => trips)).toFixed(2)],
    ],
  )
}

function perSecondOf(row: Row | undefined): number {
  return row?.silent.requests_per_second ?? Number.NaN
}

function figures(round: Round): string[] {
  return [thousands(round.requests_per_second), round.p50_ms.toFixed(2), round.p99_ms.toFixed(2)]
}

function quantiles({ p50_ms, p90_ms, p99_ms, p999_ms, slowest_ms }: Tail): string[] {
  return [p50_ms, p90_ms, p99_ms, p999_ms, slowest_ms].map((ms) => ms.toFixed(2))
}

function ratio(round: Round, floor: Round): string {
  return (round.requests_per_second / floor.requests_per_second).toFixed(2)
}
