import { writeFileSync } from 'node:fs'
import { firstDayOf, monthOf, monthsAfter } from '../src/platform/kit/calendar.ts'
import { RATE_SERIES } from '../src/tax-data/records/published-rates.ts'
import { readPublishedRates } from '../src/tax-data/records/published-rates-store.ts'
import { keysOf } from '../src/platform/kit/keys-of.ts'
import { DEFAULT_STATE, openLocal } from './bindings.ts'
import { readOptions } from './options.ts'
import { fileOfSeries, mergedDays, readShippedRates, textOfDays } from './shipped-data/shipped-rates.ts'

/**
 * Writes data/published-rates from what `npm run collect -- FX-HMRC` has read into the local database: the
 * days of the last 13 months. A series that was not collected keeps its file.
 */
const values = readOptions({ 'persist-to': { type: 'string', default: DEFAULT_STATE } })
const oldest = firstDayOf(monthsAfter(monthOf(new Date().toISOString()), -12))
const { db, dispose } = await openLocal(values['persist-to'])
try {
  const shipped = new Map(readShippedRates().map(({ series, days }) => [series, days]))
  for (const series of keysOf(RATE_SERIES)) {
    const collected = await readPublishedRates(db, series)
    if (collected.length === 0) continue
    const days = mergedDays(shipped.get(series) ?? [], collected, oldest)
    writeFileSync(fileOfSeries(series), textOfDays(days))
    console.log(`${series}: ${days.length} days, ${days[0]?.day} to ${days.at(-1)?.day}`)
  }
} finally {
  await dispose()
}
