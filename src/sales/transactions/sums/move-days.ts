import type { BooksDb, ControlDb } from '../../../platform/database/databases.ts'
import { ApiError } from '../../../platform/errors.ts'
import { eachApart } from '../../../platform/each-apart.ts'
import { logFault } from '../../../platform/kit/log-fault.ts'
import { dayIn } from '../../../platform/kit/time-zone.ts'
import { readTimeZone } from '../../../parties/accounts/store.ts'
import {
  type DayChange,
  endDayChange,
  readDated,
  readDayChanges,
  replaceZone,
  writeDays,
} from './move-days-store.ts'

/** Isolates may use the time zone from before for a minute. A sale that they record must be found. */
const WAIT_MS = 120_000
const SLICE = 300
/** Slices of all accounts in one tick. */
const SLICES_MAX = 20

/**
 * Moves the sales of accounts that changed their time zone to the days of the new one, in slices. The next
 * tick goes on with the rest. An account that cannot be moved holds up no other.
 */
export async function moveDays(control: ControlDb, books: BooksDb, now: Date): Promise<void> {
  const before = new Date(now.getTime() - WAIT_MS).toISOString()
  let slices = SLICES_MAX
  const move = async (change: DayChange) => {
    let rest = slices > 0 ? await toCurrentZone(control, books, change) : null
    for (; rest !== null && slices > 0; slices -= 1) rest = await moveSliceUnlessBusy(books, rest)
  }
  await eachApart(await readDayChanges(books, before, SLICES_MAX), move, ({ account_id }, thrown) =>
    logFault({ job: 'moveDays', account_id }, thrown),
  )
}

/** An account of which a return is being frozen waits for the next tick, and holds up no other account. */
async function moveSliceUnlessBusy(books: BooksDb, change: DayChange): Promise<DayChange | null> {
  try {
    return await moveSlice(books, change)
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.reason === 'concurrent_change') return null
    throw thrown
  }
}

/**
 * The change to the time zone that the account has now. The request was stored before the account, whose
 * write may have failed.
 */
async function toCurrentZone(control: ControlDb, books: BooksDb, change: DayChange): Promise<DayChange> {
  const time_zone = await readTimeZone(control, change.account_id)
  return time_zone === change.time_zone ? change : replaceZone(books, change, time_zone)
}

/** Moves the next sales. Returns where to go on, null if all are moved. */
async function moveSlice(books: BooksDb, change: DayChange): Promise<DayChange | null> {
  const { sales, refunds, notes } = await readDated(books, change, SLICE)
  const last = sales.at(-1)
  if (last === undefined) {
    await endDayChange(books, change)
    return null
  }
  const dayOf = (moment: string) => dayIn(change.time_zone, new Date(moment))
  const movedSales = sales.filter((sale) => sale.filed === 0 && dayOf(sale.transaction_date) !== sale.day)
  const movedRefunds = refunds.filter(
    (refund) => refund.filed === 0 && dayOf(refund.refunded_at) !== refund.day,
  )
  const salesById = new Map(movedSales.map((sale) => [sale.id, dayOf(sale.transaction_date)]))
  const movedNotes = notes.flatMap(({ id, credited_sale }) => {
    const day = salesById.get(credited_sale)
    return day === undefined ? [] : [{ id, day }]
  })
  const touched = new Set([
    ...movedNotes.map(({ id }) => id),
    ...movedSales.map(({ id }) => id),
    ...movedRefunds.map(({ transaction_id }) => transaction_id),
  ])
  const days = {
    sales: Object.fromEntries(salesById),
    refunds: Object.fromEntries(movedRefunds.map((refund) => [refund.id, dayOf(refund.refunded_at)])),
    credited: Object.fromEntries(movedNotes.map(({ id, day }) => [id, day])),
  }
  await writeDays(books, change, [...touched], days, last.id)
  return { ...change, after: last.id }
}
