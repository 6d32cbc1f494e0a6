import { dayOf } from '../days.ts'
import { bookFor, nameOf } from '../calculation/calculate.ts'
import { metaOfThresholds } from '../calculation/meta.ts'
import { sellerOf } from '../calculation/seller.ts'
import { presentThreshold } from '../calculation/thresholds.ts'
import type { Context } from '../context.ts'
import type { Answer } from '../http/answers.ts'
import type { Threshold } from '../tax/facts.ts'
import { findPlace, type Place, placeOfJurisdiction } from '../tax/place.ts'
import { lineage, type RateBook } from '../tax/rate-book.ts'
import { measureProgress, type Progress, remoteSellerThreshold, type Sales } from '../tax/thresholds.ts'
import { daysOfPassing, type Passed } from './day-of-passing.ts'
import { countSales, type SoldRow } from './counted-sales.ts'
import { windowsOf, type Window } from './measurement-period.ts'
import type { NexusAnswer, NexusExposure } from './schemas.ts'
import { readSold } from './store.ts'

/** All sales to consumers in other member states count together (Directive 2006/112/EC, art. 59c). */
const UNION = 'EU'

type Sold = ReadonlyMap<string, readonly SoldRow[]>
type Measured = { window: Window; progress: Progress; rows: readonly SoldRow[]; left_out: string[] }
type Exposure = { id: string; threshold: Threshold; measured: Measured }

/**
 * How far the account's recorded sales have come towards the threshold of every jurisdiction that has one,
 * the closest first.
 */
export async function showNexus(context: Context): Promise<Answer<typeof NexusAnswer>> {
  const day = dayOf(context.now)
  const book = await bookFor(context, null)
  const seller = sellerPlace(context, book, day)
  const sold = await readWindows(context, allWindows(book, day))
  const exposures = candidatesOf(book, sold, seller, day).flatMap(({ id, threshold }) => {
    const measured = measure(book, id, threshold, sold, day)
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
      present(context, book, each, passed.get(each.id) ?? null, seller, day),
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
  const measured = measure(book, id, threshold, sold, day)
  if (measured === null) return { amount: 0, currency: threshold.currency, transaction_count: 0 }
  const { amount, currency, transaction_count } = measured.progress
  return { amount, currency, transaction_count, left_out: measured.left_out }
}

function sellerPlace(context: Context, book: RateBook, day: string): Place | null {
  const { address } = sellerOf(context, undefined, day)
  return address === null ? null : findPlace(book, address, 'seller', true)
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
 * The jurisdictions sold to and those that they are part of, as far as each has a threshold of its own for
 * this seller.
 */
function candidatesOf(
  book: RateBook,
  sold: Sold,
  seller: Place | null,
  day: string,
): { id: string; threshold: Threshold }[] {
  const ids = new Set<string>()
  for (const rows of sold.values()) for (const row of rows) for (const id of soldIn(book, row)) ids.add(id)
  const found = new Map<string, Threshold>()
  for (const id of ids) {
    const place = placeOfJurisdiction(book, id)
    const threshold = place === null ? null : remoteSellerThreshold(book, place, seller, day)
    if (threshold?.threshold_type === 'DISTANCE_SALES') found.set(UNION, threshold)
    else if (threshold?.jurisdiction_id === id) found.set(id, threshold)
  }
  return [...found].map(([id, threshold]) => ({ id, threshold }))
}

/**
 * The first window in which the threshold was passed, else the one in which it is closest; null when nothing
 * that counts was sold in any.
 */
function measure(book: RateBook, id: string, threshold: Threshold, sold: Sold, day: string): Measured | null {
  let closest: Measured | null = null
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
  if (id === UNION) return row.scheme === 'oss_union' || row.scheme === 'below_eu_threshold'
  return row.jurisdiction_id === id || soldIn(book, row).includes(id)
}

/**
 * The jurisdictions in which a sale was made, and those that they are part of: an export is a sale where it
 * leaves and where it arrives.
 */
function soldIn(book: RateBook, { jurisdiction_id, exported_to }: SoldRow): string[] {
  return [...lineage(book, jurisdiction_id), ...(exported_to === '' ? [] : lineage(book, exported_to))]
}

function passedOf(book: RateBook, { id, threshold, measured }: Exposure): Passed {
  const jurisdiction_ids = [...new Set(measured.rows.map((row) => row.jurisdiction_id))]
  return {
    id,
    threshold,
    window: measured.window,
    jurisdiction_ids,
    counts: (row) => belongsTo(book, row, id),
  }
}

function present(
  context: Context,
  book: RateBook,
  { id, threshold, measured }: Exposure,
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
      ...left_out.map((each) => `Sales in ${each} are not counted: no exchange rate is known`),
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
  return (
    own.includes(id) ||
    lineage(book, id).some((each) => held.has(each) && (each === id || !id.startsWith('CA-')))
  )
}
