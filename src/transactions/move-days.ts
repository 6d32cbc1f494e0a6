import { dayIn } from '../time-zone.ts'
import { type DayChange, endDayChange, readDated, readDayChanges, writeDays } from './move-days-store.ts'

/** Isolates may use the time zone from before for a minute. A sale that they record must be found. */
const WAIT_MS = 120_000
const SLICE = 300
/** Slices of all accounts in one tick. */
const SLICES_MAX = 20

/**
 * Moves the sales of accounts that changed their time zone to the days of the new one, in slices. The next
 * tick goes on with the rest.
 */
export async function moveDays(db: D1Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - WAIT_MS).toISOString()
  let slices = SLICES_MAX
  for (const change of await readDayChanges(db, before, SLICES_MAX)) {
    let rest: DayChange | null = change
    while (rest !== null) {
      if (slices === 0) return
      slices -= 1
      rest = await moveSlice(db, rest)
    }
  }
}

/** Moves the next sales. Returns where to go on, null if all are moved. */
async function moveSlice(db: D1Database, change: DayChange): Promise<DayChange | null> {
  const { sales, refunds } = await readDated(db, change, SLICE)
  const last = sales.at(-1)
  if (last === undefined) {
    await endDayChange(db, change)
    return null
  }
  const dayOf = (moment: string) => dayIn(change.time_zone, new Date(moment))
  const movedSales = sales.filter((sale) => sale.filed === 0 && dayOf(sale.transaction_date) !== sale.day)
  const movedRefunds = refunds.filter(
    (refund) => refund.filed === 0 && dayOf(refund.refunded_at) !== refund.day,
  )
  const touched = new Set([
    ...movedSales.map(({ id }) => id),
    ...movedRefunds.map(({ transaction_id }) => transaction_id),
  ])
  const days = {
    sales: Object.fromEntries(movedSales.map((sale) => [sale.id, dayOf(sale.transaction_date)])),
    refunds: Object.fromEntries(movedRefunds.map((refund) => [refund.id, dayOf(refund.refunded_at)])),
  }
  await writeDays(db, change, [...touched], days, last.id)
  return { ...change, after: last.id }
}
