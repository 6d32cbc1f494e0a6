import { dayIn } from '../time-zone.ts'
import { bookFor } from '../tax-data/book-for.ts'
import { metaOfThresholds } from '../tax-data/meta.ts'
import { sellerOf } from '../accounts/seller.ts'
import { nameOf, presentThreshold } from '../tax-data/present-facts.ts'
import type { Context } from '../context.ts'
import type { Threshold, ThresholdType } from '../tax/book/facts.ts'
import type { Answer } from '../http/answers.ts'
import { findPlace, type Place, placeOfJurisdiction } from '../tax/place.ts'
import { lineage, type RateBook } from '../tax/book/rate-book.ts'
import {
  distanceSalesThreshold,
  measureProgress,
  type Progress,
  type Sales,
  thresholdsAt,
} from '../tax/thresholds.ts'
import { daysOfPassing, type Passed } from './day-of-passing.ts'
import { countSales, isDistanceSale, type SoldRow } from './counted-sales.ts'
import { windowsOf, type Window } from './measurement-period.ts'
import type { NexusAnswer, NexusExposure } from './schemas.ts'
import { readSold } from './store.ts'

/** The row of all member states together: see isDistanceSale. */
const UNION = 'EU'

type Sold = ReadonlyMap<string, readonly SoldRow[]>
type MeasuredSales = { window: Window; progress: Progress; rows: readonly SoldRow[]; left_out: string[] }
type Candidate = { id: string; threshold: Threshold }
type MeasuredThreshold = Candidate & { measured: MeasuredSales }

/**
 * How close the account's recorded sales are to the threshold of each jurisdiction that has one, the closest
 * first.
 */
export async function showNexus(context: Context): Promise<Answer<typeof NexusAnswer>> {
  const day = dayIn(context.principal.time_zone, context.now)
  const book = await bookFor(context)
  const seller = sellerPlace(context, book, day)
  const sold = await readWindows(context, allWindows(book, day))
  const exposures = candidatesOf(book, sold, seller, day).flatMap(({ id, threshold }) => {
    const measured = measureSales(book, id, threshold, sold, day)
    return measured === null ? [] : [{ id, threshold, measured }]
  })
  const passed = await daysOfPassing(
    context,
    book,
    exposures.filter(({ measured }) => measured.progress.exceeded).map((each) => passedOf(book, each)),
  )
  exposures.sort((a, b) => b.measured.progress.ratio_millionths - a.measured.progress.ratio_millionths)
  return {
    as_of: day,
    jurisdictions: exposures.map((each) =>
      presentExposure(context, book, each, passed.get(each.id) ?? null, seller, day),
    ),
    total: exposures.length,
    meta: metaOfThresholds(
      [],
      exposures.map(({ threshold }) => threshold),
      context.now,
      book.version,
    ),
  }
}

/** The account's recorded sales as a threshold measures them on a day, for one jurisdiction. */
export async function recordedSales(
  context: Context,
  book: RateBook,
  threshold: Threshold,
  day: string,
): Promise<Sales> {
  const sold = await readWindows(context, windowsOf(threshold.measurement_period, day))
  const id = threshold.threshold_type === 'DISTANCE_SALES' ? UNION : threshold.jurisdiction_id
  const measured = measureSales(book, id, threshold, sold, day)
  if (measured === null) return { amount: 0, currency: threshold.currency, transaction_count: 0 }
  const { amount, currency, transaction_count } = measured.progress
  return { amount, currency, transaction_count, left_out: measured.left_out }
}

function sellerPlace(context: Context, book: RateBook, day: string): Place | null {
  const { address } = sellerOf(context, undefined, day)
  return address === null ? null : findPlace(book, address, 'seller.address', 'country')
}

async function readWindows(context: Context, windows: readonly Window[]): Promise<Sold> {
  return new Map(
    await Promise.all(
      windows.map(async (window) => [keyOf(window), await readSold(context, window)] as const),
    ),
  )
}

function allWindows(book: RateBook, day: string): Window[] {
  const windows = new Map<string, Window>()
  for (const { measurement_period, amount } of book.facts.thresholds)
    if (amount !== null && measurement_period !== null)
      for (const window of windowsOf(measurement_period, day)) windows.set(keyOf(window), window)
  return [...windows.values()]
}

function keyOf({ from, to }: Window): string {
  return `${from} ${to}`
}

/**
 * The jurisdictions of the sales and their parents, if they have a threshold of their own for this seller.
 */
function candidatesOf(book: RateBook, sold: Sold, seller: Place | null, day: string): Candidate[] {
  const rows = [...sold.values()].flat()
  const ids = new Set(rows.flatMap((row) => soldIn(book, row)))
  const union = rows.some(isDistanceSale) ? distanceSalesThreshold(book, seller, day) : null
  const own = [...ids].flatMap((id) => {
    const threshold = remoteSellerThreshold(book, id, seller, day)
    return threshold === null ? [] : [{ id, threshold }]
  })
  return union === null ? own : [{ id: UNION, threshold: union }, ...own]
}

/** The threshold that a jurisdiction itself has for sellers from elsewhere, or null. */
function remoteSellerThreshold(
  book: RateBook,
  id: string,
  seller: Place | null,
  day: string,
): Threshold | null {
  const place = placeOfJurisdiction(book, id)
  if (place === null) return null
  const [threshold] = thresholdsAt(
    book,
    { place, seller, kind: 'goods', origin: null, over_eu_threshold: false },
    day,
  )
  return threshold?.jurisdiction_id === id && REMOTE.has(threshold.threshold_type) ? threshold : null
}

/** Types of threshold that one jurisdiction shows. Those for small sellers at home are not shown. */
const REMOTE: ReadonlySet<ThresholdType> = new Set<ThresholdType>([
  'REMOTE_SELLER_NEXUS',
  'GST_REGISTRATION',
  'PST',
  'QST',
])

/**
 * The sales of the first window in which the threshold was passed, else of the window in which they are
 * closest to it; null if no window has sales in the jurisdiction.
 */
function measureSales(
  book: RateBook,
  id: string,
  threshold: Threshold,
  sold: Sold,
  day: string,
): MeasuredSales | null {
  let closest: MeasuredSales | null = null
  for (const window of windowsOf(threshold.measurement_period, day)) {
    const rows = (sold.get(keyOf(window)) ?? []).filter((row) => belongsTo(book, row, id))
    if (rows.length === 0 || threshold.amount === null) continue
    const { left_out, converted, ...sales } = countSales(book, threshold, rows)
    const progress = { ...measureProgress(threshold, sales), indicative: converted.length > 0 }
    const measured = { window, progress, rows, left_out }
    if (progress.exceeded) return measured
    if (closest === null || progress.ratio_millionths > closest.progress.ratio_millionths) closest = measured
  }
  return closest
}

function belongsTo(book: RateBook, row: SoldRow, id: string): boolean {
  if (id === UNION) return isDistanceSale(row)
  return row.jurisdiction_id === id || soldIn(book, row).includes(id)
}

/**
 * The jurisdictions in which a sale was made, and their parents. An export counts in the jurisdiction that
 * the goods leave and in the one where they arrive.
 */
function soldIn(book: RateBook, { jurisdiction_id, exported_to }: SoldRow): string[] {
  return [...lineage(book, jurisdiction_id), ...(exported_to === '' ? [] : lineage(book, exported_to))]
}

function passedOf(book: RateBook, { id, threshold, measured }: MeasuredThreshold): Passed {
  const jurisdiction_ids = [...new Set(measured.rows.map((row) => row.jurisdiction_id))]
  return {
    id,
    threshold,
    window: measured.window,
    jurisdiction_ids,
    counts: (row) => belongsTo(book, row, id),
  }
}

function presentExposure(
  context: Context,
  book: RateBook,
  { id, threshold, measured }: MeasuredThreshold,
  exceeded_on: string | null,
  seller: Place | null,
  day: string,
): Answer<typeof NexusExposure> {
  const { progress, window, left_out } = measured
  const { amount, currency, transaction_count } = progress
  return {
    jurisdiction_id: id,
    jurisdiction_name: id === UNION ? 'European Union, all member states together' : nameOf(book, id),
    status: progress.exceeded ? 'exceeded' : progress.approaching ? 'approaching' : 'below',
    registered: isRegistered(context, book, id, seller, day),
    threshold: presentThreshold(book, threshold),
    progress: { amount, currency, transaction_count, ratio: progress.ratio_millionths / 1_000_000 },
    measured_from: window.from,
    measured_to: window.to,
    exceeded_on,
    notes: [
      ...(progress.indicative
        ? ['Sales in other currencies were compared at indicative exchange rates']
        : []),
      ...left_out.map((each) => `Sales in ${each} are not counted: the exchange rate is unknown`),
    ],
  }
}

function isRegistered(
  context: Context,
  book: RateBook,
  id: string,
  seller: Place | null,
  day: string,
): boolean {
  const held = new Set(sellerOf(context, undefined, day).registrations ?? [])
  if (id === UNION) return held.has('oss_union')
  const own = seller === null ? [] : lineage(book, seller.jurisdiction_id)
  return own.includes(id) || registrationsAt(book, id).some((each) => held.has(each))
}

/** Registrations that count as one in a jurisdiction. */
function registrationsAt(book: RateBook, id: string): readonly string[] {
  return placeOfJurisdiction(book, id)?.law.registrationsAt(book, id) ?? [id]
}
