import { expect } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { type Random, randomOf } from '../../../lab/random.ts'
import { call } from '../../support/service.ts'
import type { Seller } from './accounts.ts'
import { dayIn, type Entry, type Product, productOn, QUARTERS, taxesOf, taxWithin } from './ledger.ts'

export type Planned = { product: Product; price: number; net: number; taxes: readonly number[] }
export type Plan = { moment: Date; lines: readonly Planned[]; body: object; currency: string }
export type Sold = { id: string; plan: Plan; lines: { id: string }[] }

/** A line or what was given back of it, with its moments. `filed`: its days in a filed return, which stay. */
export type Booked = Omit<Entry, 'day' | 'sold'> & {
  moment: Date
  sold_at: Date
  filed: Pick<Entry, 'day' | 'sold'> | null
}

const SALES = 120
const LATE = 3

/** The books of a seller: the account, and a ledger of our own. */
export type Books = {
  key: string
  seller: Seller
  random: Random
  resale: string | null
  booked: Booked[]
}

/** An account whose year is booked, with the same year in a ledger of our own. */
export async function bookYear(seller: Seller, seed: number): Promise<{ key: string; entries: Entry[] }> {
  const { books } = await sellAndRefund(seller, seed)
  if (seller.files_first_quarter) {
    await fileFirstQuarter(books)
    await sellLate(books)
  }
  return { key: books.key, entries: entriesIn(seller.profile.time_zone, books.booked) }
}

/** The sales of the year with their refunds. */
export async function sellAndRefund(seller: Seller, seed: number): Promise<{ books: Books; sold: Sold[] }> {
  const random = randomOf(seed)
  const { key } = await newAccount()
  await setUp(key, seller)
  const books: Books = { key, seller, random, resale: await resaleCustomer(key, seller), booked: [] }
  const plans = Array.from({ length: SALES }, () => planSale(seller, random, books.resale, 365))
  const sold = await recordAll(key, plans)
  for (const { plan } of sold) for (const line of plan.lines) keep(books, plan, line)
  const whole: Sold[] = []
  for (const sale of sold) {
    const given = await refundSome(key, sale, random)
    if (given.length === 0) whole.push(sale)
    for (const { line, ...how } of given) keep(books, sale.plan, line, { ...how, back: true })
  }
  return { books, sold: whole }
}

/** Writes a line of a sale, or what was given back of it, into the ledger. */
export function keep(
  { booked }: Books,
  plan: Plan,
  line: Planned,
  { amounts = amountsOf(line), ...how }: Partial<Booked> & { amounts?: Amounts } = {},
): void {
  const { product } = line
  const { currency, moment } = plan
  const plain = { product, currency, moment, sold_at: moment, filed: null, late: false, back: false }
  booked.push({ ...plain, ...amounts, ...how })
}

/** The ledger with the days of a time zone. */
export function entriesIn(zone: string, booked: readonly Booked[]): Entry[] {
  return booked.map(({ moment, sold_at, filed, ...entry }) => ({
    ...entry,
    ...(filed ?? { day: dayIn(zone, moment), sold: dayIn(zone, sold_at) }),
  }))
}

export async function fileFirstQuarter({ key, seller }: Books): Promise<string> {
  const body = { type: seller.form, period: QUARTERS[0]?.name }
  return String((await post(key, '/v1/returns', body, 201))['id'])
}

/** A few sales of the first quarter, after its return was filed. */
export async function sellLate(books: Books): Promise<void> {
  const { key, seller, random, resale } = books
  const plans = Array.from({ length: LATE }, () => planSale(seller, random, resale, 80))
  for (const { plan } of await recordAll(key, plans))
    for (const line of plan.lines) keep(books, plan, line, { late: true })
}

type Amounts = Pick<Entry, 'net' | 'tax' | 'provincial'>

export function amountsOf({ net, taxes }: Planned): Amounts {
  return { net, tax: taxes.reduce((sum, each) => sum + each, 0), provincial: taxes[1] ?? 0 }
}

export async function post(key: string, path: string, body: object, status: number) {
  const answer = await call('POST', path, { key, body })
  expect(answer.status, answer.text).toBe(status)
  return answer.body
}

async function setUp(key: string, { profile, registrations }: Seller): Promise<void> {
  const answer = await call('PUT', '/v1/account', { key, body: profile })
  expect(answer.status, answer.text).toBe(200)
  for (const id of registrations) {
    const named = id === id.toLowerCase() ? { scheme: id } : { jurisdiction_id: id }
    await post(key, '/v1/registrations', { ...named, valid_from: '2020-01-01' }, 201)
  }
}

/** A customer with a verified certificate for each place where the catalogue sells for resale. */
async function resaleCustomer(key: string, { catalogue }: Seller): Promise<string | null> {
  const product = catalogue.find(({ free }) => free === 'resale')
  if (product === undefined) return null
  const { id } = await post(key, '/v1/customers', { name: 'A retailer', address: product.to }, 201)
  const certificate = {
    exemption_type: 'resale',
    certificate_number: 'R-1',
    jurisdiction_id: product.place,
    valid_from: '2020-01-01',
  }
  const path = `/v1/customers/${String(id)}/exemptions`
  const exemption = await post(key, path, certificate, 201)
  const verified = await call('PUT', `${path}/${String(exemption['id'])}`, {
    key,
    body: { status: 'verified' },
  })
  expect(verified.status, verified.text).toBe(200)
  return String(id)
}

function momentOf(random: Random, days: number): Date {
  return new Date(Date.UTC(2025, 0, 2) + random((days - 3) * 1_440) * 60_000)
}

/** A sale to one customer, at a moment of the first days of the year, with the tax that it must bear. */
export function planSale(
  seller: Seller,
  random: Random,
  resale: string | null,
  days: number,
  moment = momentOf(random, days),
): Plan {
  const { prices, catalogue, currencies, profile } = seller
  const day = dayIn(profile.time_zone, moment)
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[random(items.length)]
    if (item === undefined) throw new Error('A list to pick from has an item')
    return item
  }
  const currency = currencies.length === 1 ? String(currencies[0]) : pick(currencies)
  const first = pick(catalogue)
  const together = catalogue.filter((each) => customerOf(each) === customerOf(first))
  const inclusive = prices.inclusive && random(3) === 0
  const count = 1 + random(prices.lines)
  const lines = Array.from({ length: count }, (_, index): Planned => {
    const picked = index === 0 ? first : pick(together)
    const price = prices.from + random(prices.to - prices.from)
    const product = productOn(picked, day, price)
    return { product, price, ...taxesOf(price, product.rates, inclusive) }
  })
  const shipping = shippingOf(seller, lines, random, inclusive)
  const given =
    shipping === null && random(6) === 0 && lines.every(({ product }) => product.rates.length === 1)
  const body = {
    currency,
    transaction_date: moment.toISOString(),
    ...(first.free === 'resale'
      ? { customer_id: resale }
      : { customer: { address: first.to, ...first.customer } }),
    ...(first.stock !== undefined && { ship_from: { country: first.stock } }),
    tax_behavior: inclusive ? 'inclusive' : 'exclusive',
    line_items: lines.map(({ product: { product_type, rates }, price, taxes }) => ({
      amount: price,
      product_type,
      ...(given ? { tax_rate: Number(rates[0]) / 1e6, tax_amount: taxes[0] } : {}),
    })),
    ...(shipping === null ? {} : { shipping_cost: { amount: shipping.price } }),
  }
  return { moment, lines: shipping === null ? lines : [...lines, shipping], body, currency }
}

function customerOf({ to, customer = {}, free, stock = '' }: Product): string {
  return JSON.stringify([to, customer, free === 'resale', stock])
}

/** Shipping has the tax of the goods with which it goes. */
function shippingOf(
  { prices }: Seller,
  lines: readonly Planned[],
  random: Random,
  inclusive: boolean,
): Planned | null {
  const [line, ...more] = lines
  if (!prices.shipping || line === undefined || more.length > 0 || random(2) === 0) return null
  if (line.product.kind !== 'goods') return null
  const price = 1 + random(2_000)
  return { product: line.product, price, ...taxesOf(price, line.product.rates, inclusive) }
}

export async function recordAll(key: string, plans: readonly Plan[]): Promise<Sold[]> {
  const sold: Sold[] = []
  for (let start = 0; start < plans.length; start += 40) {
    const slice = plans.slice(start, start + 40)
    const { results } = await post(
      key,
      '/v1/transactions/batch',
      { transactions: slice.map(({ body }) => body) },
      200,
    )
    for (const [index, result] of (
      results as { success: boolean; data: { id: string; line_items: { id: string }[] } }[]
    ).entries()) {
      const plan = slice[index]
      expect(result.success, JSON.stringify([result, plan])).toBe(true)
      if (plan !== undefined) sold.push({ id: result.data.id, plan, lines: result.data.line_items })
    }
  }
  return sold
}

type GivenBack = { line: Planned; moment: Date; amounts: Amounts }

const DAY = 86_400_000
const END = Date.UTC(2025, 11, 30)

/** One sale in three is refunded some time later: as a whole, or a part of one line. */
async function refundSome(key: string, { id, plan, lines }: Sold, random: Random): Promise<GivenBack[]> {
  const moment = new Date(plan.moment.getTime() + random(150) * DAY + 60_000)
  if (random(3) !== 0 || moment.getTime() > END) return []
  const path = `/v1/transactions/${id}/refund`
  const common = { reason: 'returned', refunded_at: moment.toISOString() }
  const index = random(plan.lines.length)
  const line = plan.lines[index]
  if (line === undefined || random(2) === 0 || line.taxes.length > 1) {
    await post(key, path, { ...common, line_items: lines.map((each) => ({ id: each.id })) }, 200)
    return plan.lines.map((each) => ({ line: each, moment, amounts: negative(amountsOf(each)) }))
  }
  const { net, tax } = amountsOf(line)
  const amount = 1 + random(net + tax)
  await post(key, path, { ...common, line_items: [{ id: lines[index]?.id, amount }] }, 200)
  const part = taxWithin(amount, { gross: net + tax, tax })
  return [{ line, moment, amounts: negative({ net: amount - part, tax: part, provincial: 0 }) }]
}

export function negative({ net, tax, provincial }: Amounts): Amounts {
  return { net: 0 - net, tax: 0 - tax, provincial: 0 - provincial }
}
