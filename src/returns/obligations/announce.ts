import type { BooksDb, ControlDb } from '../../platform/database/databases.ts'
import { daysAfter, monthOf } from '../../platform/kit/calendar.ts'
import type { Shard } from '../../platform/database/shards.ts'
import { pagesOfJob } from '../../platform/database/pages-of-job.ts'
import type { AccountEvent } from '../../notices/events/event-types.ts'
import { insertSweptEvents } from '../../notices/events/events.ts'
import { inHalves } from '../../platform/each-apart.ts'
import { logFault } from '../../platform/kit/log-fault.ts'
import { dayIn } from '../../platform/kit/time-zone.ts'
import { type DueReturn, dueReturns, dueStatements, placeOfRegistration } from '../due/due-returns.ts'
import { doneOf, isOpen, obligedOf } from '../due/filed.ts'
import { readBooksBegin } from '../due/open-returns.ts'
import { hasRows } from '../due/statement-rows.ts'
import {
  type OwnedRegistration,
  readAllRegistrations,
  readFiledPeriods,
  readListedSales,
  readMarks,
} from '../due/store.ts'

const PAGE = 2_000
/** Returns are announced so many days before they are due. */
const DAYS_BEFORE = 7
/** So many nights may fail before an overdue return is not announced: events are kept for 30 days. */
const DAYS_AFTER = 14
/** A weekend and holidays move the last day. The rest are long ones, such as those of Japan in May. */
const MOVED_DAYS = 10
/** Periods are at most a year long, and due within four months. */
const LOOK_BACK_DAYS = 500

/**
 * Announces the returns and recapitulative statements of the accounts of a shard that are due in 7 days or
 * less, and those that have become overdue, if they are not filed, each once. `control` has the
 * registrations, the shard has the returns and events. The night begins a run, and the next ticks go on with
 * it. An account whose rows cannot be read stops no other. `size` is that of a page.
 */
export async function announceReturns(
  control: ControlDb,
  { number, books }: Shard,
  now: Date,
  begin: boolean,
  size = PAGE,
): Promise<void> {
  await pagesOfJob(books, { name: 'announceReturns', begin }, async (cursor) => {
    const [account_id = '', id = ''] = cursor.split(' ')
    const page = await readAllRegistrations(control, number, { account_id, id }, size)
    const told = ({ account_id: of }: { account_id: string }, thrown: unknown) =>
      logFault({ job: 'announceReturns', account_id: of }, thrown)
    const due: OwnedReturn[] = []
    await inHalves(page, async (some) => void due.push(...some.flatMap((each) => dueAround(each, now))), told)
    await inHalves(due, (some) => announce(control, books, some, now), told)
    const last = page.at(-1)
    return last === undefined || page.length < size ? null : `${last.account_id} ${last.id}`
  })
}

type OwnedReturn = DueReturn & {
  account_id: string
  country: string | null
  type: 'return.due' | 'return.overdue'
}

function dueAround(registration: OwnedRegistration, now: Date): OwnedReturn[] {
  const { account_id, country, time_zone, uk_stagger, fiscal_year_start, ...own } = registration
  const today = dayIn(time_zone, now)
  const counting = { uk_stagger, fiscal_year_start }
  const [from, to] = [daysAfter(today, -DAYS_AFTER - MOVED_DAYS), daysAfter(today, DAYS_BEFORE)]
  const all = [...dueReturns([own], counting, from, to).due, ...dueStatements([own], counting, from, to)]
  return all.flatMap((each) => {
    const overdue = each.last_date < today && each.last_date >= daysAfter(today, -DAYS_AFTER)
    if (each.due_date < today && !overdue) return []
    const type = overdue ? ('return.overdue' as const) : ('return.due' as const)
    return [{ ...each, account_id, country, type }]
  })
}

async function announce(
  control: ControlDb,
  books: BooksDb,
  due: readonly OwnedReturn[],
  now: Date,
): Promise<void> {
  const accounts = [...new Set(due.map(({ account_id }) => account_id))]
  const since = daysAfter(now.toISOString().slice(0, 10), -LOOK_BACK_DAYS)
  const listing = due.filter(({ document }) => document === 'ec_sales_list')
  // A page has the sales of many accounts, so only the months of their statements are read.
  const [first = since] = listing.map(({ from_date }) => from_date).toSorted()
  const [returns, marks, begins, listed] = await Promise.all([
    readFiledPeriods(books, accounts, since),
    readMarks(books, accounts, since),
    readBooksBegin(control, books, accounts),
    readListedSales(books, [...new Set(listing.map(({ account_id }) => account_id))], monthOf(first)),
  ])
  const listedOf = Map.groupBy(listed, ({ account_id }) => account_id)
  const filedOf = Map.groupBy(returns, ({ account_id }) => account_id)
  const marksOf = Map.groupBy(marks, ({ account_id }) => account_id)
  const done = new Map(accounts.map((id) => [id, doneOf(filedOf.get(id) ?? [], marksOf.get(id) ?? [])]))
  const open = due.filter((each) => {
    const own = done.get(each.account_id) ?? doneOf([], [])
    const begin = begins.get(each.account_id) ?? each.last_date
    const counts = each.type === 'return.due' || (each.place.return_type !== null && each.to_date >= begin)
    const asked =
      each.document === 'return' || hasRows(each, listedOf.get(each.account_id) ?? [], each.country)
    return counts && asked && isOpen(obligedOf(each, own, each.last_date))
  })
  if (open.length > 0) await books.batch(insertSweptEvents(books, open.map(eventOf), now))
}

function eventOf(due: OwnedReturn): AccountEvent {
  const { type, account_id, document, registration, place, period } = due
  const { from_date, to_date, due_date, last_date } = due
  const of = `${type} ${account_id} ${placeOfRegistration(registration)} ${period}`
  return {
    type,
    account_id,
    dedupe: document === 'return' ? of : `${of} ${document}`,
    data: {
      document,
      registration_id: registration.id,
      jurisdiction_id: registration.jurisdiction_id,
      scheme: registration.scheme,
      type: place.return_type,
      period,
      from_date,
      to_date,
      due_date,
      last_date,
    },
  }
}
