/** What happens to the books of a year after its sales: credit notes, vouchers, reopening, another zone. */
import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { shardsOf } from '../../../src/platform/database/shards.ts'
import { moveDays } from '../../../src/sales/transactions/sums/move-days.ts'
import { call } from '../../support/service.ts'
import type { Seller } from './accounts.ts'
import {
  amountsOf,
  type Booked,
  type Books,
  entriesIn,
  fileFirstQuarter,
  keep,
  negative,
  type Plan,
  type Planned,
  planSale,
  post,
  recordAll,
  sellAndRefund,
  sellLate,
  type Sold,
} from './bookkeeper.ts'
import {
  dayIn,
  type Entry,
  type Product,
  productOn,
  QUARTERS,
  taxesOf,
  taxesWithin,
  within,
} from './ledger.ts'

const DAY = 86_400_000
const HOUR = 3_600_000
const END = Date.UTC(2025, 11, 28)
const DEPOSITS = 8
const VOUCHERS = 4
const EDGES = 6
/** Hours from the end of March: within these, a change of zone moves a sale to another quarter. */
const EDGE_HOURS = 9

/**
 * An account whose year is booked with credit notes, vouchers and deposits. Sellers that file their first
 * quarter reopen it and file it again. Then all of them change their time zone, and sell a little more.
 */
export async function bookChangingYear(
  seller: Seller,
  zone: string,
  seed: number,
): Promise<{ key: string; entries: Entry[] }> {
  const { books, sold } = await sellAndRefund(seller, seed)
  await sellAtEdges(books)
  await creditSome(books, sold)
  await sellVouchers(books)
  await settleDeposits(books)
  if (seller.files_first_quarter) {
    const first = await fileFirstQuarter(books)
    await sellLate(books)
    await post(books.key, `/v1/returns/${first}/reopen`, { reason: 'late sales' }, 200)
    for (const each of books.booked) each.late = false
    await fileFirstQuarter(books)
    const { time_zone } = seller.profile
    for (const each of books.booked) {
      const days = { day: dayIn(time_zone, each.moment), sold: dayIn(time_zone, each.sold_at) }
      if (isInFirst(days.day)) each.filed = days
    }
    await sellLate(books)
  }
  await changeZone(books, zone)
  return { key: books.key, entries: entriesWithLate(books, zone) }
}

function isInFirst(day: string): boolean {
  const [first] = QUARTERS
  return first !== undefined && within(day, first)
}

/** Whatever came into the filed quarter without being filed in it is late, however it came there. */
function entriesWithLate({ seller, booked }: Books, zone: string): Entry[] {
  const sales = new Map(booked.filter(isSale).map(({ sold_at, filed }) => [sold_at.getTime(), filed]))
  return booked.flatMap((each) => {
    const [entry] = entriesIn(zone, [each])
    if (entry === undefined) return []
    // What was given back of a filed sale names the day on which it was filed.
    const sale = sales.get(each.sold_at.getTime())
    const sold = sale?.sold ?? entry.sold
    return [
      { ...entry, sold, late: seller.files_first_quarter && each.filed === null && isInFirst(entry.day) },
    ]
  })
}

function isSale({ moment, sold_at }: Booked): boolean {
  return moment.getTime() === sold_at.getTime()
}

/** Sales within hours of the end of the first quarter. */
async function sellAtEdges(books: Books): Promise<void> {
  const { key, seller, random, resale } = books
  const plans = Array.from({ length: EDGES }, (_, index): Plan => {
    const hours = (index % 2 === 0 ? 1 : -1) * (1 + random(EDGE_HOURS))
    return planSale(seller, random, resale, 365, new Date(Date.UTC(2025, 3, 1) + hours * HOUR))
  })
  for (const { plan } of await recordAll(key, plans)) for (const line of plan.lines) keep(books, plan, line)
}

/** One in four of the sales that were not refunded gets a credit note for a part of its first line. */
async function creditSome(books: Books, sold: readonly Sold[]): Promise<void> {
  let credited = 0
  for (const { id, plan } of sold) {
    const [line] = plan.lines
    const moment = new Date(plan.moment.getTime() + (1 + books.random(120)) * DAY)
    if (line === undefined || books.random(4) !== 0 || line.net < 2 || moment.getTime() > END) continue
    const price = 1 + books.random(Math.floor(line.net / 2))
    const part = { ...line, price, net: price, taxes: taxesWithin(price, line) }
    const body = { ...bodyOf(plan, part, moment, -1), credit_note_for: { transaction_id: id } }
    await post(books.key, '/v1/transactions', body, 201)
    keep(books, plan, part, { moment, amounts: negative(amountsOf(part)), back: true })
    credited += 1
  }
  expect(credited).toBeGreaterThan(5)
}

/** A product at a price without tax, at a moment. */
function pricedAt({ profile }: Seller, sold: Product, price: number, moment: Date): Planned {
  const product = productOn(sold, dayIn(profile.time_zone, moment), price)
  return { product, price, ...taxesOf(price, product.rates, false) }
}

/** A sale of one line to the customer of a plan. */
function bodyOf({ body }: Plan, { product, price }: Planned, moment: Date, sign: 1 | -1): object {
  const { shipping_cost: _shipping, ...rest } = body as { shipping_cost?: object }
  return {
    ...rest,
    transaction_date: moment.toISOString(),
    tax_behavior: 'exclusive',
    line_items: [{ amount: sign * price, product_type: product.product_type }],
  }
}

/** A voucher for anything is no supply: it is in no return. */
async function sellVouchers({ key, seller, random, resale }: Books): Promise<void> {
  for (let count = 0; count < VOUCHERS; count += 1) {
    const plan = planSale(seller, random, resale, 365)
    const line_items = [{ amount: 5_000, product_type: 'gift_card' }]
    const body = { ...bodyOf(plan, { product: {} } as Planned, plan.moment, 1), line_items }
    await post(key, '/v1/transactions', body, 201)
  }
}

/** A deposit or a voucher for one thing is taxed when it is sold, and the final sale takes it off. */
async function settleDeposits(books: Books): Promise<void> {
  for (let count = 0; count < DEPOSITS; count += 1) {
    const { key, seller, random, resale } = books
    const plan = planSale(seller, random, resale, 200)
    const [line] = plan.lines
    if (line === undefined) continue
    const moment = new Date(plan.moment.getTime() + (1 + random(150)) * DAY)
    const whole = pricedAt(seller, line.product, 2 + random(seller.prices.to - 2), moment)
    const deposit = pricedAt(seller, line.product, 1 + random(whole.price - 1), plan.moment)
    const first = { ...bodyOf(plan, deposit, plan.moment, 1), external_id: `deposit-${count}` }
    await post(key, '/v1/transactions', first, 201)
    keep(books, plan, deposit)
    const settles = [{ external_id: `deposit-${count}` }]
    await post(key, '/v1/transactions', { ...bodyOf(plan, whole, moment, 1), settles }, 201)
    keep(books, { ...plan, moment }, whole)
    keep(books, { ...plan, moment }, deposit, { amounts: negative(amountsOf(deposit)) })
  }
}

async function changeZone({ key }: Books, time_zone: string): Promise<void> {
  const changed = await call('PUT', '/v1/account', { key, body: { time_zone } })
  expect(changed.status, changed.text).toBe(200)
  const later = new Date(Date.now() + HOUR)
  const moved = async () => {
    for (const { books } of shardsOf(env)) await moveDays(env.DB, books, later)
    return (await call('GET', '/v1/account', { key })).body
  }
  // A tick moves so many sales of all accounts, and those of earlier tests are among them.
  let body = await moved()
  for (let ticks = 1; body['days_moving'] === true && ticks < 20; ticks += 1) body = await moved()
  expect(body).toMatchObject({ time_zone, days_moving: false })
}
