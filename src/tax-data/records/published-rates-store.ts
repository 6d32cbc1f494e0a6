import type { ControlDb } from '../../platform/database/databases.ts'
import { insertRows } from '../../platform/database/insert-rows.ts'
import type { PublishedRates, RateSeriesId, RatesFound } from './published-rates.ts'

type StoredRates = { day: string; rates: string }

/** In place of the hash of a document: the rates are those of data/published-rates. */
const SHIPPED = 'shipped'

/**
 * All current rates of a series that a collector has read, the oldest day first. Without those that were
 * shipped: they are a copy, so the first reading replaces them.
 */
export async function readPublishedRates(db: ControlDb, series: RateSeriesId): Promise<PublishedRates[]> {
  const { results } = await db
    .prepare(
      `SELECT day, rates FROM published_rates
       WHERE series = ? AND superseded_at IS NULL AND document_hash <> '${SHIPPED}' ORDER BY day`,
    )
    .bind(series)
    .all<StoredRates>()
  return results.map(({ day, rates }) => ({ day, rates: JSON.parse(rates) }))
}

/** Of how many days a series has rates, and the first and the last of them. */
type DaysOfSeries = { series: string; days: number; oldest: string; newest: string }

/** The days of each series that has rates. */
export async function readDaysOfSeries(db: ControlDb): Promise<ReadonlyMap<string, DaysOfSeries>> {
  const { results } = await db
    .prepare(
      `SELECT series, count(*) AS days, min(day) AS oldest, max(day) AS newest
       FROM published_rates WHERE superseded_at IS NULL GROUP BY series`,
    )
    .all<DaysOfSeries>()
  return new Map(results.map((row) => [row.series, row]))
}

/**
 * Which day's rates to take if a day has none: those of the nearest later or earlier day that has rates and
 * is at most so many days away.
 */
export type NearestDay = { direction: 'later' | 'earlier'; days: number }

const DIRECTIONS = {
  later: 'SELECT min(day) FROM published_rates WHERE day >= asked.value AND day <= date(asked.value, ?3)',
  earlier: 'SELECT max(day) FROM published_rates WHERE day <= asked.value AND day >= date(asked.value, ?3)',
} as const

/** The rates for some days: those of the day, or of the nearest day. A day without both is left out. */
export async function readRatesOfDays(
  db: ControlDb,
  series: RateSeriesId,
  days: readonly string[],
  nearest: NearestDay,
): Promise<RatesFound[]> {
  if (days.length === 0) return []
  const { results } = await db
    .prepare(
      `SELECT asked.value AS asked, published.day, published.rates
       FROM json_each(?2) AS asked JOIN published_rates AS published
         ON published.series = ?1 AND published.superseded_at IS NULL AND published.day = (
           ${DIRECTIONS[nearest.direction]} AND series = ?1 AND superseded_at IS NULL)`,
    )
    .bind(series, JSON.stringify(days), `${nearest.direction === 'later' ? '+' : '-'}${nearest.days} days`)
    .all<StoredRates & { asked: string }>()
  return results.map(({ asked, day, rates }) => ({ asked, day, rates: JSON.parse(rates) }))
}

/** Statements that store days of a series. The rates that were stored for these days are superseded. */
export function storePublishedRates(
  db: ControlDb,
  series: RateSeriesId,
  days: readonly (PublishedRates & { document_hash: string })[],
  now: Date,
): D1PreparedStatement[] {
  if (days.length === 0) return []
  const recorded_at = now.toISOString()
  const supersede = db
    .prepare(
      `UPDATE published_rates SET superseded_at = ?1 WHERE series = ?2 AND superseded_at IS NULL
         AND day IN (SELECT value FROM json_each(?3))`,
    )
    .bind(recorded_at, series, JSON.stringify(days.map(({ day }) => day)))
  const rows = days.map(({ day, rates, document_hash }) => ({
    series,
    day,
    rates: JSON.stringify(rates),
    document_hash,
    recorded_at,
  }))
  return [supersede, ...insertRows(db, 'published_rates', rows)]
}

/**
 * Stores the rates that a release ships, for days that no collector has read. Those of an earlier release are
 * superseded where they differ. A second time changes nothing.
 */
export async function storeShippedRates(
  db: ControlDb,
  series: RateSeriesId,
  days: readonly PublishedRates[],
  now: Date,
): Promise<void> {
  const rows = JSON.stringify(days.map(({ day, rates }) => ({ day, rates: JSON.stringify(rates) })))
  const given = `SELECT value ->> '$.day' AS day, value ->> '$.rates' AS rates FROM json_each(?3)`
  await db.batch([
    db
      .prepare(
        `UPDATE published_rates SET superseded_at = ?1
         WHERE series = ?2 AND superseded_at IS NULL AND document_hash = '${SHIPPED}'
           AND EXISTS (SELECT 1 FROM (${given}) given
             WHERE given.day = published_rates.day AND given.rates <> published_rates.rates)`,
      )
      .bind(now.toISOString(), series, rows),
    db
      .prepare(
        `INSERT INTO published_rates (series, day, rates, document_hash, recorded_at)
         SELECT ?2, day, rates, '${SHIPPED}', ?1 FROM (${given}) WHERE true
         ON CONFLICT (series, day) WHERE superseded_at IS NULL DO NOTHING`,
      )
      .bind(now.toISOString(), series, rows),
  ])
}
