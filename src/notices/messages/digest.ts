import type { Bindings } from '../../platform/bindings.ts'
import type { BooksDb, ControlDb } from '../../platform/database/databases.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Shard } from '../../platform/database/shards.ts'
import { DAY_MS, daysAfter, monthOf, monthsAfter, type PeriodCounting } from '../../platform/kit/calendar.ts'
import { dayIn } from '../../platform/kit/time-zone.ts'
import {
  type ControlFacts,
  type DigestAccount,
  type DueDigest,
  readBooksFacts,
  readControlFacts,
  type ToldSpan,
  storeDigest,
} from './digest-store.ts'
import type { Content } from './kinds.ts'
import { concerns, contentOf, type ReturnData, type ToldEvent } from './lines.ts'
import { nextMessageAt } from './when.ts'

/** Events are kept for 30 days. */
const KEPT_MS = 30 * DAY_MS
/** A write that has begun ends within 15 minutes: an event from before then is surely there. */
const SETTLED_MS = 20 * 60_000
/** Sales of so many months say which rates a seller uses. */
const SOLD_MONTHS = 13
/** Returns that are named in the events of 30 days were due at most so many days ago. */
const OVERDUE_DAYS = 60
const COMING_DAYS = 14

/**
 * Makes the messages of an account for its local day, one for each recipient, from what was recorded since
 * the last one. A day without anything to tell has none. Throws concurrent_change if the lease was taken
 * over, or the account has changed its settings meanwhile.
 */
export async function makeDigest(
  env: Bindings,
  shard: Shard,
  due: DueDigest,
  now: Date,
  readOpen: OpenReturns,
): Promise<void> {
  const { account_id, hour, chat_format, last_day } = due
  const kept = new Date(now.getTime() - KEPT_MS)
  const since = due.read_until > kept.toISOString() ? new Date(due.read_until) : kept
  const span = { since, until: new Date(now.getTime() - SETTLED_MS) }
  const control = await readControlFacts(env.DB, account_id, span)
  const { account } = control
  if (account === null) return
  const day = dayIn(account.time_zone, now)
  const next_at = nextMessageAt(account.time_zone, hour, now, day).toISOString()
  const recipients = [...control.person_ids, ...(chat_format === null ? [] : [CHAT])]
  if ((last_day !== null && day <= last_day) || recipients.length === 0)
    return storeDigest(env.DB, due, [], { day: null, read_until: '', next_at })
  const content = await readContent(env, shard, { ...due, account, control, span, kept, day, readOpen })
  const rows = content.lines.length === 0 ? [] : rowsFor(recipients, { account_id, day, content, now })
  await storeDigest(env.DB, due, rows, { day, read_until: span.until.toISOString(), next_at })
}

/**
 * Reads the status of each return of an account that is still to be filed and is due on some days, by the id
 * of its obligation. It is handed in, because a higher wing knows what is due.
 */
export type OpenReturns = (
  account: {
    control: ControlDb
    books: BooksDb
    account_id: string
    country: string | null
    counting: PeriodCounting
    today: string
  },
  from: string,
  to: string,
) => Promise<ReadonlyMap<string, string>>

/** The chat among the recipients, who are people by their ids. */
const CHAT = ''

type Making = DueDigest & {
  account: DigestAccount
  control: ControlFacts
  span: ToldSpan
  kept: Date
  day: string
  readOpen: OpenReturns
}

async function readContent(
  env: Bindings,
  { books }: Shard,
  { account_id, kinds_off, last_day, account, control, span, kept, day, readOpen }: Making,
): Promise<Content> {
  const tomorrow = daysAfter(day, 1)
  const told = await readBooksFacts(books, account_id, span, {
    month: monthsAfter(monthOf(day), -SOLD_MONTHS),
    // A day without a message, such as one on which the service was down, is caught up.
    days: { from: last_day === null ? tomorrow : daysAfter(last_day, 2), to: tomorrow },
    announced: kept,
  })
  const near = told.near.filter(({ due_date }) => due_date >= day)
  const returns = [...told.events, ...near.map((data): ToldEvent => ({ type: 'return.due', data }))]
  const places = [...control.registered, ...told.sold_in]
  const facts = {
    events: [
      ...(await openReturns(env, books, account_id, { account, day, readOpen }, returns)),
      ...told.events.filter((event) => !isReturn(event)),
      ...control.rates.filter((event) => isOfPlaces(event, places)),
    ],
    certificates: told.certificates,
    shops: control.shops,
  }
  return contentOf(facts, day, new Set<string>(JSON.parse(kinds_off)))
}

type ReturnEvent = Extract<ToldEvent, { type: 'return.due' | 'return.overdue' }>

function isReturn(event: ToldEvent): event is ReturnEvent {
  return event.type === 'return.due' || event.type === 'return.overdue'
}

function isOfPlaces({ data }: ToldEvent, places: readonly string[]): boolean {
  return 'jurisdiction_id' in data && data.jurisdiction_id !== null && concerns(data.jurisdiction_id, places)
}

/**
 * The returns among events that are still to be filed, each once, by the function that all views of what is
 * due ask.
 */
async function openReturns(
  env: Bindings,
  books: BooksDb,
  account_id: string,
  { account, day, readOpen }: Pick<Making, 'account' | 'day' | 'readOpen'>,
  events: readonly ToldEvent[],
): Promise<ToldEvent[]> {
  const returns = new Map(
    events.filter(isReturn).map((event) => [`${event.type} ${obligationOf(event.data)}`, event]),
  )
  if (returns.size === 0) return []
  const { country, uk_stagger, fiscal_year_start } = account
  const counting = { uk_stagger, fiscal_year_start }
  const open = await readOpen(
    { control: env.DB, books, account_id, country, counting, today: day },
    daysAfter(day, -OVERDUE_DAYS),
    daysAfter(day, COMING_DAYS),
  )
  return [...returns.values()].filter(({ type, data }) => {
    const status = open.get(obligationOf(data))
    return status !== undefined && (type === 'return.overdue') === (status === 'overdue')
  })
}

function obligationOf({ document, jurisdiction_id, scheme, period }: ReturnData): string {
  const id = `obl_${jurisdiction_id ?? scheme ?? ''}_${period}`
  return document === 'return' ? id : `${id}_${document}`
}

type ForDay = { account_id: string; day: string; content: Content; now: Date }

function rowsFor(recipients: readonly string[], { account_id, day, content, now }: ForDay) {
  const at = now.toISOString()
  return recipients.map((person_id) => ({
    id: newId('msg'),
    account_id,
    day,
    channel: person_id === CHAT ? ('chat' as const) : ('mail' as const),
    person_id,
    content: JSON.stringify(content),
    state: 'pending' as const,
    next_attempt_at: at,
    created_at: at,
    updated_at: at,
  }))
}
