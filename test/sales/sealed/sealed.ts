import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import type { Bindings } from '../../../src/platform/bindings.ts'
import { wholeDb } from '../../../src/platform/database/databases.ts'
import { shardOf } from '../../../src/platform/database/shards.ts'
import { putAwayEvents } from '../../../src/platform/audit/put-away/put-away.ts'
import { sealAuditEvents } from '../../../src/platform/audit/seal.ts'
import { sealSales } from '../../../src/sales/sealed/seal.ts'
import { app } from '../../../src/service/app.ts'
import { newAccount } from '../../support/account.ts'

export const BUCKET = env.TEST_BUCKET
export const WITH_CHESTS: Bindings = { ...env, CHESTS: BUCKET }
/** Small chests, so that a few sales fill several blocks and slices. */
const SIZES = { chest: 10, block: 3, slice: 2 }

/** A moment at which the sales of today are old. */
const later = (days = 500) => new Date(Date.now() + days * 86_400_000)

export type Asked = { status: number; body: Record<string, unknown>; text: string }

/** Sends a request to a service with a bucket for chests. */
export async function askSealed(
  method: string,
  path: string,
  key: string,
  body?: unknown,
  bindings: Bindings = WITH_CHESTS,
): Promise<Asked> {
  const context = createExecutionContext()
  const request = new Request(`https://service.test${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer = await app.fetch(request, bindings, context)
  const text = await answer.text()
  await waitOnExecutionContext(context)
  const parsed = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {}
  return { status: answer.status, body: parsed, text }
}

/** Seals all that is old enough, as a tick does. */
export async function seal(bindings: Partial<Bindings> = {}, sizes = SIZES): Promise<void> {
  const all: Bindings = { ...WITH_CHESTS, ...bindings }
  await sealSales(all, shardOf(all, 0), later(), sizes)
}

/** Seals all audit events, and puts those of sales away in ranges of four, as ticks in half a year do. */
export async function putAway(bindings: Partial<Bindings> = {}, ticks = 1): Promise<void> {
  const all: Bindings = { ...WITH_CHESTS, ...bindings }
  await sealAuditEvents(shardOf(env, 0), later(1))
  for (let tick = 0; tick < ticks; tick += 1) await putAwayEvents(all, shardOf(all, 0), later(), 4)
}

/** The whole log of an account, page by page: each event with its seal. */
export async function wholeLog(key: string, limit = 7, query = ''): Promise<Record<string, unknown>[]> {
  const events: Record<string, unknown>[] = []
  for (let cursor = ''; ;) {
    const { status, body, text } = await askSealed(
      'GET',
      `/v1/audit-events?limit=${limit}${query}${cursor}`,
      key,
    )
    if (status !== 200) throw new Error(text)
    events.push(...(body['audit_events'] as Record<string, unknown>[]))
    if (typeof body['next_cursor'] !== 'string') return events
    cursor = `&cursor=${body['next_cursor']}`
  }
}

const ADDRESS = { DE: { country: 'DE', postal_code: '10115' }, FR: { country: 'FR', postal_code: '75001' } }

/** A sale of two lines, with an e-invoice. */
export const saleOf = (index: number) => ({
  external_id: `order-${index}`,
  invoice_number: `R-${index}`,
  transaction_date: `2026-0${1 + (index % 6)}-1${index % 9}`,
  customer: { address: index % 3 === 0 ? ADDRESS.FR : ADDRESS.DE },
  currency: 'EUR',
  line_items: [
    { amount: 1_000 + 7 * index, product_type: 'saas' },
    { amount: 350, quantity: 1, product_type: 'books', description: "Büch'er ?1" },
  ],
})

/** Records sales, and makes them searchable as the next tick does. */
export async function sellMany(key: string, from: number, count: number): Promise<void> {
  for (let first = from; first < from + count; first += 25) {
    const size = Math.min(25, from + count - first)
    const transactions = Array.from({ length: size }, (_, index) => saleOf(first + index))
    const { body, text } = await askSealed('POST', '/v1/transactions/batch', key, { transactions })
    if ((body['summary'] as { failed?: number } | undefined)?.failed !== 0)
      throw new Error(text.slice(0, 500))
  }
  await env.DB.prepare('UPDATE transactions SET searchable = 1').run()
  // The time zone of the account was set before its sales, so none has to move.
  await env.DB.prepare('DELETE FROM day_changes').run()
}

/** A German account with so many sales, in the books. */
export async function accountWith(sales: number) {
  const owner = await newAccount()
  await askSealed('PUT', '/v1/account', owner.key, { country: 'DE' })
  await sellMany(owner.key, 0, sales)
  return owner
}

/** Rows of an account in a table. */
export async function count(table: string, account_id: string): Promise<number> {
  const sql = `SELECT count(*) AS n FROM ${table} WHERE account_id = ?`
  return (
    (await env.DB.prepare(sql as never)
      .bind(account_id)
      .first<number>('n')) ?? 0
  )
}

/** Refs of the sealed sales of an account. */
export async function countRefs(account_id: string): Promise<number> {
  const sql = `SELECT count(*) AS n FROM chest_refs JOIN sealed_accounts ON number = account
    WHERE account_id = ?` as const
  return (await wholeDb(env.DB).prepare(sql).bind(account_id).first<number>('n')) ?? 0
}

/** An answer without what each request has of its own. */
export const shownOf = ({ status, text }: Asked) =>
  `${status} ${text.replaceAll(/,"(request_id|queried_at)":"[^"]*"/g, '')}`
