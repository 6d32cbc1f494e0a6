import { daysAfter, dayOf, monthOf, type PeriodCounting } from '../../platform/kit/calendar.ts'
import type { Context } from '../../platform/context.ts'
import type { BooksDb, ControlDb } from '../../platform/database/databases.ts'
import {
  type DueReturn,
  dueReturns,
  obligationIdOf,
  type WithoutDates,
  withStatements,
} from './due-returns.ts'
import { dayIn } from '../../platform/kit/time-zone.ts'
import { doneOf, isOpen, type Obliged, obligedOf } from './filed.ts'
import { readHasRows } from './statement-rows.ts'
import {
  type FiledPeriod,
  type Mark,
  readFiledPeriods,
  readFilingRegistrations,
  readFirstDays,
  readMarks,
} from './store.ts'

/** Periods are at most a year long, and due within four months. */
const LOOK_BACK_DAYS = 500

/** Fifty years. One sale with a wrong year would make an obligation of each month of many centuries. */
const OLDEST_DAYS = 18_263

/** Whose obligations are read, and where they are. `today` is that of its time zone. */
type ObligedAccount = {
  control: ControlDb
  books: BooksDb
  account_id: string
  /** That of the seller. */
  country: string | null
  counting: PeriodCounting
  today: string
}

/** The status of each return that is due on some days and still to be filed, by the id of its obligation. */
export async function readOpenReturns(
  account: ObligedAccount,
  from: string,
  to: string,
): Promise<ReadonlyMap<string, string>> {
  const { obligations } = await readAllObligations(account, from, to)
  return new Map(obligations.filter(isOpen).map(({ due, status }) => [obligationIdOf(due), status]))
}

/** The account of a caller. */
export function obligedAccountOf({ env, books, principal, now }: Context): ObligedAccount {
  const { account_id, seller, periods, time_zone } = principal
  const country = seller?.country ?? null
  return { control: env.DB, books, account_id, country, counting: periods, today: dayIn(time_zone, now) }
}

export type Obligations = {
  obligations: Obliged[]
  without_dates: WithoutDates[]
  /** The first day on which one can have been due. */
  from: string
  filed: FiledPeriod[]
  marks: Mark[]
}

/**
 * All obligations that are due on some days, earliest first. If `from` is null, since the books begin, at
 * most fifty years ago: nothing but a filing or a decision ends one, so imported books can have thousands.
 */
export async function readAllObligations(
  { control, books, account_id, country, counting, today }: ObligedAccount,
  from: string | null,
  to: string,
): Promise<Obligations> {
  const ended = from === null ? '' : daysAfter(from, -LOOK_BACK_DAYS)
  const [registrations, filed, marks, begins] = await Promise.all([
    readFilingRegistrations(control, account_id),
    readFiledPeriods(books, [account_id], ended),
    readMarks(books, [account_id], ended),
    from === null ? readBooksBegin(control, books, [account_id]) : null,
  ])
  const begin = begins === null ? null : beginWithin(begins.get(account_id) ?? today, today)
  const first = from ?? (begin !== null && begin < today ? begin : today)
  const { due: returns, without_dates } = dueReturns(registrations, counting, first, to)
  // The period of a statement ends at most a year before it is due.
  const since = monthOf(daysAfter(first, -LOOK_BACK_DAYS))
  const hasRows = await readHasRows(books, { account_id, country, registrations }, since)
  const marked = new Set(marks.map(({ obligation_id }) => obligation_id))
  // What was filed stays, also if its sales have left the books: it is to be corrected.
  const isStatement = (each: DueReturn) => marked.has(obligationIdOf(each)) || hasRows(each)
  const due = withStatements(returns, registrations, counting, { from: first, to, hasRows: isStatement })
  const done = doneOf(filed, marks)
  return {
    obligations: due.flatMap((each) =>
      begin === null || each.to_date >= begin || each.due_date >= today ? [obligedOf(each, done, today)] : [],
    ),
    without_dates,
    from: first,
    filed,
    marks,
  }
}

function beginWithin(begin: string, today: string): string {
  const oldest = daysAfter(today, -OLDEST_DAYS)
  return begin > oldest ? begin : oldest
}

/**
 * The day on which the books of accounts begin: that of their first sale, or that on which the account was
 * made, if it is earlier. What was due for the days before was filed elsewhere.
 */
export async function readBooksBegin(
  control: ControlDb,
  books: BooksDb,
  account_ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { made, sold } = await readFirstDays(control, books, account_ids)
  const sales = new Map(sold.map(({ account_id, day }) => [account_id, day]))
  return new Map(
    made.map(({ id, created_at }) => {
      const [day, first] = [dayOf(new Date(created_at)), sales.get(id) ?? null]
      return [id, first !== null && first < day ? first : day]
    }),
  )
}
