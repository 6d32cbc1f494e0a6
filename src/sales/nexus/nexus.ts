import type { Context } from '../../platform/context.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { MEMBER_STATES } from '../../engine/regimes/eu-member-states.ts'
import { MILLION } from '../../engine/arithmetic/rounding.ts'
import type { Threshold } from '../../engine/book/facts.ts'
import { placeInSentence } from '../../engine/book/names.ts'
import { lineage, type RateBook } from '../../engine/book/rate-book.ts'
import { dependsOnTurnover } from '../../engine/terms/exposure.ts'
import type { Progress, Sales } from '../../engine/terms/thresholds.ts'
import { bookFor } from '../../tax-data/records/book-for.ts'
import { metaOfThresholds } from '../../tax-data/records/meta.ts'
import { nameOf, presentThreshold } from '../../tax-data/records/present-facts.ts'
import { heldOn } from '../../parties/accounts/established-on.ts'
import { dayIn } from '../../platform/kit/time-zone.ts'
import { daysOfPassing, type Passed } from './day-of-passing.ts'
import {
  type ComingDuty,
  countsTurnover,
  measureExposures,
  measureSales,
  type MeasuredThreshold,
  nameOfExposure,
  placesOf,
  readSales,
  readWindows,
  statedTurnover,
  statusOfProgress,
  UNION,
} from './exposures.ts'
import { type HomeLimit, homeLimits } from './home-limits.ts'
import { windowsOf } from './measurement-period.ts'
import { isGoods, type SoldRow } from './counted-sales.ts'
import { takeTurns } from '../../platform/kit/take-turns.ts'
import { readSoldByPeriod } from './store.ts'
import { rangesOfPeriod } from '../transactions/sums/totals-ranges.ts'
import { at } from '../../engine/ground/invariant.ts'
import type { NexusAnswer, NexusExposure, NextPeriod, UnmeasuredPlace, WorldwideTurnover } from './schemas.ts'
import { daysOfDuty, nexusOn } from './days-of-duty.ts'
import { dayAtPace } from './pace.ts'
import { uncollectedTax } from './uncollected-tax.ts'
import { unmeasuredSales, type UnmeasuredSales } from './unmeasured-sales.ts'

/**
 * How close the account's recorded sales are to the threshold of each jurisdiction that has one, the closest
 * first.
 */
export async function showNexus(context: Context): Promise<Answer<typeof NexusAnswer>> {
  const day = dayIn(context.principal.time_zone, context.now)
  const book = await bookFor(context)
  const sold = await readSales(context, book, day)
  await takeTurns()
  const exposures = measureExposures(context, book, day, sold)
  const unmeasured = unmeasuredSales(context, book, day, sold)
  const passed = await daysOfPassing(
    context,
    book,
    exposures
      .filter(({ measured }) => measured.progress.exceeded)
      .map((each) => passedOf(context, book, each)),
  )
  const limits = homeLimits(context, book, day, sold)
  const uncollected = await uncollectedTaxes(context, book, { exposures, passed, day })
  exposures.sort((a, b) => ratioOf(b, day) - ratioOf(a, day))
  return {
    as_of: day,
    jurisdictions: exposures.map((each) =>
      presentExposure(context, book, each, {
        exceeded_on: passed.get(each.id) ?? null,
        uncollected_tax: uncollected.get(each.id) ?? null,
        day,
      }),
    ),
    total: exposures.length,
    home_limits: await presentLimits(context, book, limits, day),
    not_monitored: presentUnmeasured(book, exposures, unmeasured),
    meta: metaOfThresholds(
      book,
      [],
      [...exposures, ...limits].map(({ threshold }) => threshold),
      context.now,
    ),
  }
}

/** A country may have two limits, so each one is named by its place in the list. */
async function presentLimits(
  context: Context,
  book: RateBook,
  limits: readonly HomeLimit[],
  day: string,
): Promise<Answer<typeof NexusExposure>[]> {
  const passed = await daysOfPassing(
    context,
    book,
    limits.flatMap((each, index) =>
      each.measured.progress.exceeded
        ? [
            {
              ...passedOf(context, book, each),
              id: String(index),
              counts: (row: SoldRow) => countsAtHome(context, book, each, row),
            },
          ]
        : [],
    ),
  )
  return limits.map((each, index) =>
    presentExposure(context, book, each, {
      exceeded_on: passed.get(String(index)) ?? null,
      uncollected_tax: null,
      day,
    }),
  )
}

function countsAtHome(context: Context, book: RateBook, { id, counts }: HomeLimit, row: SoldRow): boolean {
  return placesOf(context, book, row).has(id) && counts(row)
}

/**
 * What was not collected where the seller has nexus without a registration, by the exposure's id: on the
 * sales of the days of its physical presence and from the day of passing on, because others bore no duty.
 */
async function uncollectedTaxes(
  context: Context,
  book: RateBook,
  { exposures, passed, day }: { exposures: MeasuredThreshold[]; passed: Map<string, string>; day: string },
): Promise<Map<string, ReturnType<typeof uncollectedTax>>> {
  const due = exposures.flatMap(({ id, registered, presence }) => {
    const days = daysOfDuty({ presence, exceeded_on: passed.get(id) ?? null }, day)
    return registered || days.length === 0 ? [] : [{ id, days }]
  })
  const sold = await readSoldByPeriod(
    context,
    due.map(({ id, days }) => ({
      ranges: days.flatMap(({ from, to }) => rangesOfPeriod(from, to)),
      jurisdiction_ids: [id],
    })),
  )
  return new Map(due.map(({ id }, index) => [id, uncollectedTax(book, id, at(sold, index), day)]))
}

/** The account's recorded sales as a threshold measures them on a day, for one jurisdiction. */
export async function recordedSales(
  context: Context,
  book: RateBook,
  threshold: Threshold,
  day: string,
): Promise<Sales> {
  const sold = await readWindows(context, book, windowsOf(threshold, day))
  const id = threshold.threshold_type === 'DISTANCE_SALES' ? UNION : threshold.jurisdiction_id
  const { global_turnover } = context.principal
  const measured = measureSales({ book, id, threshold, sold, global_turnover }, day)
  if (measured === null) return { amount: 0, currency: threshold.currency, transaction_count: 0 }
  const { amount, currency, transaction_count, recorded_turnover } = measured.progress
  return {
    amount,
    currency,
    transaction_count,
    left_out: measured.left_out,
    ...(recorded_turnover !== undefined && { recorded_turnover }),
  }
}

/** The closest that sales of any period are to the threshold. Presence obliges as a passed one does. */
function ratioOf({ measured, coming, presence }: MeasuredThreshold, day: string): number {
  const present = heldOn(presence, day).length > 0 ? MILLION : 0
  const reached = coming?.measured.progress.ratio_millionths ?? 0
  return Math.max(measured.progress.ratio_millionths ?? 0, reached, present)
}

/** The worldwide turnover of a period: recorded sales may show more of it than the account states. */
function knownTurnover(
  context: Context,
  book: RateBook,
  threshold: Threshold,
  { recorded_turnover = 0 }: Progress,
): number | null {
  if (!countsTurnover(threshold)) return null
  return Math.max(statedTurnover(context, book, threshold) ?? 0, recorded_turnover)
}

function passedOf(context: Context, book: RateBook, { id, threshold, measured }: MeasuredThreshold): Passed {
  const jurisdiction_ids = [...new Set(measured.rows.map((row) => row.jurisdiction_id))]
  return {
    id,
    threshold,
    turnover: knownTurnover(context, book, threshold, measured.progress),
    window: measured.window,
    jurisdiction_ids,
    counts: (row) => placesOf(context, book, row).has(id),
  }
}

function presentNext({ measured, obliges_from }: ComingDuty, day: string): Answer<typeof NextPeriod> {
  const { progress, window } = measured
  return {
    status: statusOfProgress(progress),
    progress: presentProgress(progress),
    measured_from: window.from,
    measured_to: window.to,
    obliges_from,
    exceeded_on_at_pace: dayAtPace(window, progress.ratio_millionths, day),
  }
}

function presentProgress({ amount, currency, transaction_count, ratio_millionths }: Progress) {
  return { amount, currency, transaction_count, ratio: shareOf(ratio_millionths) }
}

function shareOf(millionths: number | null): number | null {
  return millionths === null ? null : millionths / MILLION
}

/** Without the places that are among the exposures, or whose country is. */
function presentUnmeasured(
  book: RateBook,
  exposures: readonly MeasuredThreshold[],
  unmeasured: readonly UnmeasuredSales[],
): Answer<typeof UnmeasuredPlace>[] {
  const shown = new Set(exposures.map(({ id }) => id))
  return unmeasured
    .filter(({ id }) => !lineage(book, id).some((each) => shown.has(each)))
    .map(({ id, why, window, transactions, sums }) => ({
      jurisdiction_id: id,
      jurisdiction_name: nameOf(book, id),
      why,
      measured_from: window.from,
      measured_to: window.to,
      transaction_count: transactions,
      sums,
    }))
}

/** The worldwide turnover that a threshold counts, as the account states it and as far as it is recorded. */
function presentTurnover(
  context: Context,
  book: RateBook,
  { threshold, measured }: MeasuredThreshold,
): Answer<typeof WorldwideTurnover> | null {
  if (!countsTurnover(threshold)) return null
  return {
    currency: threshold.currency,
    stated: statedTurnover(context, book, threshold),
    recorded: measured.progress.recorded_turnover ?? 0,
  }
}

const STOCK =
  'In some states, stock in the warehouse of a marketplace is not nexus for sellers who sell only ' +
  'through marketplaces. Ask the state'

const ENDED = 'Some states keep a seller registered for a time after its presence has ended: ask the state'

function presenceNotes(presence: MeasuredThreshold['presence'], day: string): string[] {
  const now = heldOn(presence, day)
  return [
    ...(now.some(({ kind }) => kind === 'stock') ? [STOCK] : []),
    ...(presence.length > 0 && now.length === 0 ? [ENDED] : []),
  ]
}

/** The sums do not have the place that goods leave, and the offices do not agree on what it changes. */
function notesOnStock({ principal }: Context, rows: readonly SoldRow[], day: string): string[] {
  const home = principal.seller?.country ?? null
  const has_goods = rows.some(({ scheme, product_type }) => scheme === 'oss_union' && isGoods(product_type))
  const elsewhere = principal.registrations.some(
    ({ id, valid_from, valid_to }) =>
      id !== home &&
      MEMBER_STATES.includes(id) &&
      valid_from <= day &&
      (valid_to === null || valid_to >= day),
  )
  return has_goods && elsewhere ? [NOTE_ON_STOCK] : []
}

const NOTE_ON_STOCK =
  'Goods that left stock in a member state where you are registered, into another state than your own, ' +
  'are counted too. Spain counts them for no threshold: it asks that all goods leave your own state ' +
  '(Agencia Tributaria, Manual práctico IVA 2023, chapter 1)'

function presentExposure(
  context: Context,
  book: RateBook,
  exposure: MeasuredThreshold,
  {
    exceeded_on,
    uncollected_tax,
    day,
  }: Pick<Answer<typeof NexusExposure>, 'exceeded_on' | 'uncollected_tax'> & { day: string },
): Answer<typeof NexusExposure> {
  const { id, threshold, measured, coming, at_pace, registered, presence } = exposure
  const { progress, window, left_out } = measured
  const nexus = nexusOn({ presence, exceeded_on }, progress.exceeded, day)
  return {
    jurisdiction_id: id,
    jurisdiction_name: nameOfExposure(book, id),
    status: statusOfProgress(progress),
    registered,
    threshold: presentThreshold(book, threshold),
    progress: presentProgress(progress),
    measured_from: window.from,
    measured_to: window.to,
    exceeded_on,
    nexus_kind: nexus.kind,
    nexus_since: nexus.since,
    physical_presence: presence.flatMap(({ kind, from, to }) => (kind ? [{ kind, from, to }] : [])),
    exceeded_on_at_pace: at_pace,
    next_period: coming === null ? null : presentNext(coming, day),
    uncollected_tax,
    worldwide_turnover: presentTurnover(context, book, exposure),
    notes: [
      ...(progress.indicative
        ? ['Sales in other currencies were compared at indicative exchange rates']
        : []),
      ...(progress.undecided
        ? [dependsOnTurnover(placeInSentence(book, threshold.jurisdiction_id), threshold)]
        : []),
      ...presenceNotes(presence, day),
      ...(id === UNION ? notesOnStock(context, measured.rows, day) : []),
      ...left_out.map((each) => `Sales in ${each} are not counted, because the exchange rate is unknown`),
    ],
  }
}
