import { turnoverOf } from '../../parties/accounts/turnover.ts'
import type { HeldEstablishment } from '../../platform/context.ts'
import type { Bindings } from '../../platform/bindings.ts'
import { MILLION } from '../../engine/arithmetic/rounding.ts'
import { invariant } from '../../engine/ground/invariant.ts'
import { DAY_MS } from '../../platform/kit/calendar.ts'
import { batchAtHome } from '../../platform/database/home.ts'
import { beginRun, moveCursor, readCursor } from '../../platform/database/pages-of-job.ts'
import type { Shard } from '../../platform/database/shards.ts'
import { ApiError } from '../../platform/errors.ts'
import { logFault } from '../../platform/kit/log-fault.ts'
import type { AccountEvent } from '../../notices/events/event-types.ts'
import { insertEvents } from '../../notices/events/events.ts'
import type { RateBook } from '../../engine/book/rate-book.ts'
import { bookFor } from '../../tax-data/records/book-for.ts'
import { NoTaxData } from '../../tax-data/records/current-rate-book.ts'
import { dayIn } from '../../platform/kit/time-zone.ts'
import {
  measureExposures,
  type MeasuredThreshold,
  nameOfExposure,
  readSales,
  statusOfProgress,
} from './exposures.ts'
import { homeLimits } from './home-limits.ts'
import {
  readActive,
  readSellingAccounts,
  readThresholdStates,
  type SellingAccount,
  type ThresholdState,
  writeThresholdStates,
} from './threshold-states-store.ts'

const PAGE = 500
/** An account takes about ten queries, of the 1,000 of an invocation. */
const MEASURED_MAX = 40
/** The job runs every night. The second day covers a night without a run. */
const ACTIVE_DAYS = 2
const JOB = 'announceThresholds'
/** Which accounts a run measures. Its cursor begins with that word, and ends with the last account. */
const ALL = 'all'
const ACTIVE = 'active'

type Registered = Parameters<typeof measureExposures>[0]['principal']['registrations']

/**
 * Announces to the accounts of a shard the thresholds that their recorded sales approach or have passed, in
 * places in which they are not registered. Measures the accounts that recorded something in the last two
 * days, and on the first day of a month all, because periods begin on that day. Call it once a night: it does
 * the first page, and messages do the others.
 */
export async function announceThresholds(env: Bindings, shard: Shard, now: Date): Promise<void> {
  const monthly = now.getUTCDate() === 1
  // What is left of the run of another night is among all accounts.
  await beginRun(shard.books, JOB, `${monthly ? ALL : ACTIVE} `, monthly)
  const cursor = await readCursor(shard.books, JOB)
  if (cursor !== null) await announcePage(env, shard, now, cursor)
}

/** Asks for the next page of a run that has not ended: its message may be among the dead letters. */
export async function goOnAnnouncing(env: Bindings, shard: Shard): Promise<void> {
  const cursor = await readCursor(shard.books, JOB)
  if (cursor !== null) await askForPage(env, shard, cursor)
}

/**
 * Announces to at most `measured_max` accounts after a cursor, unless another message of the run has done so,
 * and asks for those that remain. So each invocation stays below the queries that D1 allows it.
 */
export async function announcePage(
  env: Bindings,
  shard: Shard,
  now: Date,
  cursor: string,
  measured_max = MEASURED_MAX,
): Promise<void> {
  const { number, books } = shard
  if ((await readCursor(books, JOB)) !== cursor) return
  const book = await bookFor({ env, now, later: (work) => void work }).catch(nothingLoaded)
  if (book === null) return void (await moveCursor(books, JOB, cursor, null))
  const [kind = ACTIVE, after = ''] = cursor.split(' ')
  const page = await readSellingAccounts(env.DB, number, after, PAGE)
  const ids = page.map(({ account_id }) => account_id)
  const since = kind === ALL ? null : new Date(now.getTime() - ACTIVE_DAYS * DAY_MS)
  const active = await readActive(books, ids, since)
  const waiting = page.filter(({ account_id }) => active.has(account_id))
  const measured = waiting.slice(0, measured_max)
  for (const account of measured)
    await announceTo(env, shard, book, account, now).catch((thrown: unknown) =>
      // The others must not miss their events because of the sums of one account.
      logFault({ job: JOB, account_id: account.account_id }, thrown),
    )
  const last = measured.length < waiting.length ? measured.at(-1)?.account_id : ids.at(-1)
  const remain = measured.length < waiting.length || page.length === PAGE
  const next = remain && last !== undefined ? `${kind} ${last}` : null
  if ((await moveCursor(books, JOB, cursor, next)) && next !== null) await askForPage(env, shard, next)
}

async function askForPage(env: Bindings, { number }: Shard, cursor: string): Promise<void> {
  await env.WEBHOOK_EVENTS.send({ kind: 'thresholds', id: cursor, shard: number })
}

/** Before the first data there is no threshold to compare with. */
function nothingLoaded(thrown: unknown): null {
  if (thrown instanceof NoTaxData) return null
  throw thrown
}

async function announceTo(
  env: Bindings,
  shard: Shard,
  book: RateBook,
  account: SellingAccount & { registrations: Registered },
  now: Date,
): Promise<void> {
  const { books } = shard
  const { account_id } = account
  const day = dayIn(account.time_zone, now)
  const measured = { books, principal: principalOf(account) }
  const sold = await readSales(measured, book, day)
  const exposures = [
    ...measureExposures(measured, book, day, sold),
    ...closestLimit(homeLimits(measured, book, day, sold)),
  ]
  const announced = await readThresholdStates(books, account_id)
  const { events, states } = compareWithAnnounced(book, account_id, { exposures, announced, day, now })
  if (events.length === 0 && areSameStates(states, announced)) return
  try {
    const written = insertEvents(env, shard, events, now)
    await batchAtHome(books, account_id, writeThresholdStates(books, account_id, states), written)
  } catch (thrown) {
    // The account moves to another database, whose job tells it.
    if (!(thrown instanceof ApiError)) throw thrown
  }
}

/** A country may have two limits for small businesses, and either one ends the scheme. */
function closestLimit(limits: readonly MeasuredThreshold[]): MeasuredThreshold[] {
  const rankOf = ({ measured }: MeasuredThreshold) => RANKS[statusOfProgress(measured.progress)]
  return limits.toSorted((one, other) => rankOf(other) - rankOf(one)).slice(0, 1)
}

function principalOf(account: SellingAccount & { registrations: Registered }) {
  const { account_id, country, region, city, postal_code, registrations } = account
  return {
    account_id,
    seller: country === null ? null : { country, region, city, postal_code },
    registrations,
    over_eu_threshold: account.over_eu_threshold === 1,
    small_business: account.small_business === 1,
    global_turnover: turnoverOf(account),
    establishments: JSON.parse(account.establishments) as HeldEstablishment[],
  }
}

const RANKS = { below: 0, depends_on_turnover: 0, approaching: 1, exceeded: 2 } as const

type Announcing = {
  exposures: readonly MeasuredThreshold[]
  announced: ReadonlyMap<string, ThresholdState>
  day: string
  now: Date
}

/**
 * The events for thresholds whose status has risen since the last announcement, and the announced statuses
 * after them. If a status falls, the lower one replaces it, so the next crossing is announced again. Pure.
 */
function compareWithAnnounced(
  book: RateBook,
  account_id: string,
  { exposures, announced, day, now }: Announcing,
): { events: AccountEvent[]; states: ThresholdState[] } {
  const events: AccountEvent[] = []
  const states: ThresholdState[] = []
  for (const exposure of exposures) {
    const status = exposure.registered ? 'below' : statusOfProgress(exposure.measured.progress)
    // What depends on an unknown turnover is announced once the turnover is known.
    if (status === 'below' || status === 'depends_on_turnover') continue
    const before = announced.get(exposure.id)
    if (before !== undefined && RANKS[before.status] >= RANKS[status]) {
      states.push({ ...before, status })
      continue
    }
    states.push({ account_id, jurisdiction_id: exposure.id, status, told_at: now.toISOString() })
    const type = `threshold.${status}` as const
    const dedupe = `${type} ${account_id} ${exposure.id} ${day}`
    events.push({ type, account_id, dedupe, data: dataOf(book, exposure) })
  }
  return { events, states }
}

function dataOf(book: RateBook, { id, threshold, measured }: MeasuredThreshold) {
  const { amount, currency, transaction_count, ratio_millionths } = measured.progress
  return {
    jurisdiction_id: id,
    jurisdiction_name: nameOfExposure(book, id),
    threshold_type: threshold.threshold_type,
    threshold_amount: threshold.amount,
    threshold_transactions: threshold.transaction_count,
    amount,
    transaction_count,
    currency,
    ratio: invariant(ratio_millionths, 'an announced threshold has a ratio') / MILLION,
    measured_from: measured.window.from,
    measured_to: measured.window.to,
  }
}

function areSameStates(
  states: readonly ThresholdState[],
  announced: ReadonlyMap<string, ThresholdState>,
): boolean {
  return (
    states.length === announced.size &&
    states.every(({ jurisdiction_id, status }) => announced.get(jurisdiction_id)?.status === status)
  )
}
