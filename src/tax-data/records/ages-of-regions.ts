import { dayOf } from '../../platform/kit/calendar.ts'
import type { Reader } from '../../platform/context.ts'
import { REGION_IDS, type RegionId } from '../../platform/regions.ts'
import { bookFor } from './book-for.ts'
import { currentLocalBook } from './current-local-book.ts'
import { ageOfLocalBook, ageOfRegion, type DataAge } from './data-age.ts'
import { readDaysOfSeries } from './published-rates-store.ts'
import type { RateSeriesId } from './published-rates.ts'

/** The regions whose collector reads a series of exchange rates. The release ships none. */
const SERIES_OF_REGION: Readonly<Partial<Record<RegionId, RateSeriesId>>> = {
  'FX-ECB': 'ecb',
  'FX-HMRC': 'hmrc',
  'FX-BOC': 'boc',
}

/** The age of the data in force of each region. That of exchange rates is the days that they are of. */
export async function agesOfRegions(reader: Reader): Promise<ReadonlyMap<string, DataAge>> {
  const [book, local, series] = await Promise.all([
    bookFor(reader),
    currentLocalBook(reader),
    readDaysOfSeries(reader.env.DB),
  ])
  const day = dayOf(reader.now)
  const ageOf = (id: RegionId): DataAge => {
    const rates = SERIES_OF_REGION[id]
    if (rates === undefined) return id === 'US-LOCAL' ? ageOfLocalBook(local) : ageOfRegion(book, id, day)
    const { days: records, oldest, newest } = series.get(rates) ?? { days: 0, oldest: null, newest: null }
    return { records, oldest, newest, reviewed_on: null, by_hand: 0, undated: 0 }
  }
  return new Map(REGION_IDS.map((id) => [id, ageOf(id)] as const))
}
