import { setTimeout as sleep } from 'node:timers/promises'
import type { Drilled } from '../drilled.ts'
import type { TripFault } from '../trip-fault.ts'

type Refund = { id: string; amount: number; tax_amount: number }
type Sale = {
  id: string
  external_id: string
  moment: string
  total: number
  tax_amount: number
  refunds: Refund[]
}

/** A seller, and what it must find in its books, as the answers said. */
export type Seller = {
  number: number
  key: string
  account_id: string
  shard: number
  sales: Sale[]
}

export type Answer = { status: number; body: Record<string, unknown>; is_repeated: boolean }
type Wanted = { method: string; path: string; body?: object }

/** Asks without a fault. Throws an Error if the service does not answer, or answers with its own fault. */
export async function askAs(
  { origin }: Drilled,
  { key }: Pick<Seller, 'key'>,
  { method, path, body }: Wanted,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(origin + path, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const { status } = response
  if (status >= 500) throw new Error(`${method} ${path}: ${status} ${text}`)
  return { status, body: JSON.parse(text), is_repeated: false }
}

/** How often a client asks again while its account moves. A dead mover is followed within seconds. */
const TRIES = 100

/**
 * Asks as a client does that does not give up: with a fault, and if that had no good answer, again with the
 * same key, until it is known what became of it. A kill changes what `service` returns.
 */
export async function insist(
  service: () => Drilled,
  seller: Seller,
  wanted: Wanted,
  fault: TripFault | null,
): Promise<Answer> {
  const headers = { 'Idempotency-Key': crypto.randomUUID() }
  const isFinal = ({ status, body }: Answer) => status !== 429 || body['reason'] !== 'account_moving'
  const faulty = fault === null ? headers : { ...headers, 'X-Drill': JSON.stringify(fault) }
  const first = await askAs(service(), seller, wanted, faulty).catch((thrown: unknown) => {
    // Without a fault, nobody may get a 500. A service that is killed gives no answer at all.
    if (fault === null && / 5\d\d /.test(String(thrown))) throw thrown
    return null
  })
  if (first !== null && isFinal(first)) return first
  for (let tries = 0; tries < TRIES; tries += 1) {
    const again = await askAs(service(), seller, wanted, headers).catch((thrown: unknown) => {
      if (/ 5\d\d /.test(String(thrown))) throw thrown
      return null
    })
    if (again !== null && isFinal(again)) return { ...again, is_repeated: true }
    await sleep(100)
  }
  throw new Error(`${wanted.method} ${wanted.path} has no answer after ${TRIES} tries`)
}

/** The events that come to the webhook of each seller. */
export const SUBSCRIBED = ['transaction.created', 'transaction.refunded']

/** A seller in Texas with a webhook, and a person who gets messages. */
export async function newSeller(
  service: Drilled,
  number: number,
  { shard, hook }: { shard: number; hook: string },
): Promise<Seller> {
  const account = await service.newAccount(`Seller ${number}`, shard)
  const seller: Seller = { number, ...account, shard, sales: [] }
  const ask = async (method: string, path: string, body: object) => {
    const answer = await askAs(service, seller, { method, path, body })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  await ask('PUT', '/v1/account', { country: 'US', region: 'TX', time_zone: 'UTC' })
  await ask('POST', '/v1/registrations', { jurisdiction_id: 'US-TX', valid_from: '2020-01-01' })
  await ask('POST', '/v1/webhooks', { url: `${hook}/hook/${number}`, events: SUBSCRIBED })
  const person = { email: `seller-${number}@example.com`, name: 'Kim', role: 'accountant' }
  const { id } = await ask('POST', '/v1/people', person)
  await ask('PUT', '/v1/account/messages', { recipients: [id] })
  return seller
}

/** A sale in Texas, as a shop sends it that knows the tax. */
export function saleOf(moment: string, amount: number): object {
  const line = { amount, product_type: 'physical_goods', tax_rate: 0.0825 }
  return {
    external_id: crypto.randomUUID(),
    customer: { address: { country: 'US', region: 'TX', postal_code: '78701' } },
    currency: 'USD',
    transaction_date: moment,
    line_items: [{ ...line, tax_amount: Math.round(amount * 0.0825) }],
  }
}

/** Keeps what an answer says of a sale. */
export function keepSale(seller: Seller, { body }: Answer, moment: string): void {
  const { id, external_id, total, tax_amount } = body as unknown as Sale
  seller.sales.push({ id, external_id, moment, total, tax_amount, refunds: [] })
}

/** What is left of a sale, with tax. */
export function leftOf({ total, refunds }: Sale): number {
  return refunds.reduce((left, { amount }) => left - amount, total)
}
