import type { BooksDb } from '../../platform/database/databases.ts'
import type { HeldEstablishment } from '../../platform/context.ts'
import { placeOfEstablishment } from '../../parties/accounts/established-on.ts'
import { sellerOf, type SellerPrincipal } from '../../parties/accounts/seller.ts'
import type { Threshold, ThresholdType } from '../../engine/book/facts.ts'
import { MILLION } from '../../engine/arithmetic/rounding.ts'
import { memberStateOf } from '../../engine/regimes/eu-member-states.ts'
import { at, invariant } from '../../engine/ground/invariant.ts'
import { lineage, type RateBook } from '../../engine/book/rate-book.ts'
import { findPlace, placeOfJurisdiction } from '../../engine/supply/place.ts'
import type { Place } from '../../engine/regimes/regime.ts'
import type { Turnover } from '../../engine/sale/sale.ts'
import {
  distanceSalesThreshold,
  isOtherLimit,
  measureProgress,
  type Progress,
  thresholdsAt,
  turnoverIn,
} from '../../engine/terms/thresholds.ts'
import { nameOf } from '../../tax-data/records/present-facts.ts'
import { countSales, isDistanceSale, type SoldRow } from './counted-sales.ts'
import {
  nextPeriodOf,
  type ThresholdPeriod,
  trailingYear,
  type Window,
  windowsOf,
} from './measurement-period.ts'
import { dayAtPace } from './pace.ts'
import type { NexusStatus } from './schemas.ts'
import { readSold, type SoldSums } from './store.ts'

/** The row of all member states together: see isDistanceSale. */
export const UNION = 'EU'

/**
 * Sales of a window, and those of them that count in a jurisdiction: where a sale was made, and in its
 * parents. An export counts in the jurisdiction that the goods leave and in the one where they arrive.
 */
type SoldInWindow = { rows: readonly SoldSums[]; by_place: ReadonlyMap<string, readonly SoldRow[]> }
export type Sold = ReadonlyMap<string, SoldInWindow>
type MeasuredSales = {
  window: Window
  progress: Progress
  rows: readonly SoldRow[]
  left_out: string[]
}
type Candidate = { id: string; threshold: Threshold }
/** What the sales of a period will oblige to, from a later day. */
export type ComingDuty = { measured: MeasuredSales; obliges_from: string }

/** Recorded sales beside the threshold of a jurisdiction. `registered`: the seller is registered there. */
export type MeasuredThreshold = Candidate & {
  measured: MeasuredSales
  /** Null: the threshold looks at the running period too, or there are no sales in it. */
  coming: ComingDuty | null
  /** The day on which sales of the running year reach the threshold at their pace; null: none. */
  at_pace: string | null
  registered: boolean
  /** What the seller has or had there. */
  presence: readonly HeldEstablishment[]
}

/** An account whose sales are measured, and the database of its books. */
export type MeasuredAccount = { books: BooksDb; principal: SellerPrincipal & { account_id: string } }

/** The sales of all windows that thresholds look at, and of the last twelve months. */
export async function readSales(account: MeasuredAccount, book: RateBook, day: string): Promise<Sold> {
  return readWindows(account, book, [...allWindows(book, day), trailingYear(day)])
}

/** Recorded sales beside the threshold of each jurisdiction that has one. */
export function measureExposures(
  account: MeasuredAccount,
  book: RateBook,
  day: string,
  sold: Sold,
): MeasuredThreshold[] {
  const seller = sellerPlace(account, book, day)
  const { global_turnover } = account.principal
  const present = presenceOf(account, day)
  const measured = candidatesOf(book, sold, [...present.keys()], seller, day).flatMap(({ id, threshold }) => {
    // A state without a tax has a threshold without an amount.
    const presence = threshold.amount === null ? [] : (present.get(id) ?? [])
    const found = measureThreshold({ book, id, threshold, sold, global_turnover }, day)
    if (found === null && presence.length === 0) return []
    const counted = found ?? { measured: noSales(threshold, day), coming: null, at_pace: null }
    const registered = isRegistered(account, book, id, seller, day)
    return [{ id, threshold, ...counted, registered, presence }]
  })
  return nearerOfTwo(measured)
}

/** A place may have two limits, and passing either one is enough: the one that is passed or nearer stays. */
function nearerOfTwo(measured: readonly MeasuredThreshold[]): MeasuredThreshold[] {
  const nearer = new Map<string, MeasuredThreshold>()
  for (const each of measured) {
    const other = nearer.get(each.id)?.measured.progress
    const { progress } = each.measured
    if (other === undefined || (!other.exceeded && closenessOf(progress) > closenessOf(other)))
      nearer.set(each.id, each)
  }
  return [...nearer.values()]
}

/** What the account has or had in states of the US until a day, by jurisdiction. */
function presenceOf({ principal }: MeasuredAccount, day: string): Map<string, HeldEstablishment[]> {
  const begun = (principal.establishments ?? []).filter(({ region, from }) => Boolean(region) && from <= day)
  return Map.groupBy(begun, placeOfEstablishment)
}

/** Null: there are no sales in the periods that the threshold looks at, and will look at. */
export function measureThreshold(
  asked: Measuring,
  day: string,
): Pick<MeasuredThreshold, 'measured' | 'coming' | 'at_pace'> | null {
  const coming = comingDuty(asked, day)
  const found = measureSales(asked, day)
  if (found === null && coming === null) return null
  const measured = found ?? noSales(asked.threshold, day)
  return { measured, coming, at_pace: measured.progress.exceeded ? null : paceOf(asked, day) }
}

/** The name of a jurisdiction, or of the Union. */
export function nameOfExposure(book: RateBook, id: string): string {
  return id === UNION ? 'European Union, all member states together' : nameOf(book, id)
}

export function statusOfProgress({ exceeded, approaching, undecided }: Progress): NexusStatus {
  if (undecided) return 'depends_on_turnover'
  return exceeded ? 'exceeded' : approaching ? 'approaching' : 'below'
}

/** The worldwide turnover that an account states, in the currency of a threshold; null: none. */
export function statedTurnover(
  { principal }: MeasuredAccount,
  book: RateBook,
  { currency }: Threshold,
): number | null {
  return turnoverIn(book, currency, principal.global_turnover)
}

export function sellerPlace(account: MeasuredAccount, book: RateBook, day: string): Place | null {
  const { address } = sellerOf(account, undefined, day)
  return address === null ? null : findPlace(book, address, 'seller.address', 'country')
}

/** The sales of some windows, in one trip to the database. */
export async function readWindows(
  account: MeasuredAccount,
  book: RateBook,
  windows: readonly Window[],
): Promise<Sold> {
  const sold = await readSold(account, windows)
  return new Map(
    windows.map((window, index) => {
      const rows = at(sold, index)
      return [windowKeyOf(window), { rows, by_place: byPlace(account, book, rows) }] as const
    }),
  )
}

/** All sales of a window that was read. */
export function soldIn(sold: Sold, window: Window): readonly SoldSums[] {
  return invariant(sold.get(windowKeyOf(window)), 'a window that was read').rows
}

/** The sales of the last twelve months that count in a jurisdiction. */
export function trailingSales(sold: Sold, id: string, day: string): readonly SoldRow[] {
  return sold.get(windowKeyOf(trailingYear(day)))?.by_place.get(id) ?? []
}

function byPlace(
  account: MeasuredAccount,
  book: RateBook,
  rows: readonly SoldSums[],
): Map<string, SoldSums[]> {
  const places = new Map<string, SoldSums[]>()
  for (const row of rows)
    for (const id of placesOf(account, book, row)) {
      const known = places.get(id)
      if (known === undefined) places.set(id, [row])
      else known.push(row)
    }
  return places
}

function allWindows(book: RateBook, day: string): Window[] {
  const windows = new Map<string, Window>()
  for (const threshold of book.facts.thresholds)
    if (threshold.amount !== null && threshold.measurement_period !== null)
      for (const window of countedWindows(threshold, day)) windows.set(windowKeyOf(window), window)
  return [...windows.values()]
}

/** The periods that a threshold looks at now, and the one that it will look at. */
function countedWindows(measured: ThresholdPeriod, day: string): Window[] {
  const next = nextPeriodOf(measured, day)
  return [...windowsOf(measured, day), ...(next === null ? [] : [next.window])]
}

function windowKeyOf({ from, to }: Window): string {
  return `${from} ${to}`
}

/**
 * The jurisdictions of the sales and their parents, and those in which the seller is present, if they have a
 * threshold of their own for this seller.
 */
function candidatesOf(
  book: RateBook,
  sold: Sold,
  present: readonly string[],
  seller: Place | null,
  day: string,
): Candidate[] {
  const ids = new Set([...sold.values()].flatMap(({ by_place }) => [...by_place.keys()]).concat(present))
  const union = ids.delete(UNION) ? distanceSalesThreshold(book, seller, day) : null
  const own = [...ids].flatMap((id) =>
    remoteSellerThresholds(book, id, seller, day).map((threshold) => ({ id, threshold })),
  )
  return union === null ? own : [{ id: UNION, threshold: union }, ...own]
}

/** The threshold that a jurisdiction itself has for sellers from elsewhere, with its other limit; or none. */
export function remoteSellerThresholds(
  book: RateBook,
  id: string,
  seller: Place | null,
  day: string,
): Threshold[] {
  const place = placeOfJurisdiction(book, id)
  if (place === null) return []
  const [threshold, next] = thresholdsAt(
    book,
    { place, seller, kind: 'goods', origin: null, over_eu_threshold: false },
    day,
  )
  if (threshold?.jurisdiction_id !== id) return []
  const abroad = seller !== null && seller.law !== place.law
  if (!abroad && !REMOTE.has(threshold.threshold_type)) return []
  return next !== undefined && isOtherLimit(next) ? [threshold, next] : [threshold]
}

/** Types of threshold that a seller at home is shown, too. Those for small sellers at home are not. */
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
export function measureSales(asked: Measuring, day: string): MeasuredSales | null {
  let closest: MeasuredSales | null = null
  for (const window of windowsOf(asked.threshold, day)) {
    const measured = measureWindow(asked, window)
    if (measured === null) continue
    const { progress } = measured
    if (progress.exceeded) return measured
    if (closest === null || closenessOf(progress) > closenessOf(closest.progress)) closest = measured
  }
  return closest
}

/** A period whose threshold may be passed is closer than one that is below it. */
function closenessOf({ ratio_millionths }: Progress): number {
  return ratio_millionths ?? MILLION
}

/** The closest period may be last year, so the running one is measured for itself. */
function paceOf(asked: Measuring, day: string): string | null {
  for (const window of windowsOf(asked.threshold, day)) {
    const measured = measureWindow(asked, window)
    const reached = measured && dayAtPace(window, measured.progress.ratio_millionths, day)
    if (reached !== null) return reached
  }
  return null
}

/** Sales by their periods, to be compared with the threshold of a jurisdiction. `counts` left out: all do. */
type Measuring = Candidate & {
  book: RateBook
  sold: Sold
  global_turnover: Turnover | null
  counts?: (row: SoldRow) => boolean
}

function measureWindow(asked: Measuring, window: Window): MeasuredSales | null {
  const { book, id, threshold, sold, global_turnover, counts = () => true } = asked
  const rows = (sold.get(windowKeyOf(window))?.by_place.get(id) ?? []).filter(counts)
  if (rows.length === 0 || threshold.amount === null) return null
  const { left_out, converted, ...sales } = countSales(book, threshold, rows)
  const recorded_turnover = recordedTurnover(book, threshold, soldIn(sold, window))
  const turnover = turnoverIn(book, threshold.currency, global_turnover)
  const counted = { ...sales, recorded_turnover }
  const progress = { ...measureProgress(threshold, counted, turnover), indicative: converted.length > 0 }
  return { window, progress, rows, left_out }
}

/** The recorded sales worldwide, without exempt supplies, if a threshold counts them too. */
function recordedTurnover(book: RateBook, threshold: Threshold, rows: readonly SoldRow[]): number {
  if (!countsTurnover(threshold)) return 0
  const taxable = rows.filter(({ reason }) => reason !== 'product_exempt')
  return countSales(book, { ...threshold, included_sales: 'gross' }, taxable).amount
}

/** Whether a threshold also counts the worldwide turnover. */
export function countsTurnover({ worldwide_amount = null }: Threshold): boolean {
  return worldwide_amount !== null
}

/** Sales of the period that a threshold will look at; null: it has none, or looks at it now. */
function comingDuty(asked: Measuring, day: string): ComingDuty | null {
  const next = nextPeriodOf(asked.threshold, day)
  if (next === null) return null
  const measured = measureWindow(asked, next.window)
  return measured === null ? null : { measured, obliges_from: next.obliges_from }
}

/** The period of a threshold without a sale. */
function noSales(threshold: Threshold, day: string): MeasuredSales {
  const none = { amount: 0, currency: threshold.currency, transaction_count: 0 }
  const window = at(windowsOf(threshold, day), 0)
  return { window, progress: measureProgress(threshold, none), rows: [], left_out: [] }
}

/** The jurisdictions in which sales count, UNION among them. */
export function placesOf({ principal }: MeasuredAccount, book: RateBook, row: SoldRow): Set<string> {
  const { jurisdiction_id, exported_to } = row
  return new Set([
    ...lineage(book, jurisdiction_id),
    ...(exported_to === '' ? [] : lineage(book, exported_to)),
    ...(isDistanceSale(row, principal.seller && memberStateOf(principal.seller.country)) ? [UNION] : []),
  ])
}

export function isRegistered(
  account: MeasuredAccount,
  book: RateBook,
  id: string,
  seller: Place | null,
  day: string,
): boolean {
  const held = new Set(sellerOf(account, undefined, day).registrations ?? [])
  if (id === UNION) return held.has('oss_union')
  const own = seller === null ? [] : lineage(book, seller.jurisdiction_id)
  return own.includes(id) || registrationsAt(book, id).some((each) => held.has(each))
}

/** Registrations that count as one in a jurisdiction. */
function registrationsAt(book: RateBook, id: string): readonly string[] {
  return placeOfJurisdiction(book, id)?.law.registrationsAt(book, id) ?? [id]
}
