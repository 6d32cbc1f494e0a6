import { MOVED_TABLES } from '../../../src/service/shards/tables.ts'
import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { wholeDb } from '../../../src/platform/database/databases.ts'
import { type Shard, shardOf } from '../../../src/platform/database/shards.ts'
import { moveAccount, type MoveTools } from '../../../scripts/move-account/move-account.ts'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { ask } from '../../interfaces/taxjar/asking.ts'
import { keepAccountsIn } from '../../support/shards.ts'

export type Owner = { key: string; account_id: string }

export const tools = (over: Partial<MoveTools> = {}): MoveTools => ({
  control: env.DB,
  shardOf: (number) => shardOf(env, number),
  clock: () => new Date(),
  wait: () => Promise.resolve(),
  ...over,
})

export async function move(
  { account_id }: Owner,
  to: number,
  clock: MoveTools['clock'] = () => new Date(),
): Promise<void> {
  await moveAccount(tools({ clock }), account_id, to)
}

/** The external ids of the account's transactions, as the service lists them. */
export async function transactionsOf({ key }: Owner): Promise<string[]> {
  const { body } = await call('GET', '/v1/transactions', { key })
  return (body['transactions'] as { external_id: string }[]).map(({ external_id }) => external_id).toSorted()
}

/** An account with its books in a shard. */
export async function ownerIn(shard: number): Promise<Owner> {
  keepAccountsIn(shard)
  return newAccount()
}

export async function sell(
  { key }: Owner,
  external_id: string,
  headers: Record<string, string> = {},
  more: object = {},
) {
  const body = {
    external_id,
    customer: { address: { country: 'DE', postal_code: '10115' } },
    currency: 'EUR',
    line_items: [{ amount: 10_000, product_type: 'saas', tax_rate: 0.19, tax_amount: 1_900 }],
    ...more,
  }
  return call('POST', '/v1/transactions', { key, body, headers })
}

/** Books with a row in most tables. */
export async function fill(owner: Owner): Promise<void> {
  const { key } = owner
  // Before the sales, which would have to move to the days of another zone.
  await call('PUT', '/v1/account', { key, body: { country: 'DE', taxjar_api: { enabled: true } } })
  const address = { country: 'US', region: 'TX', postal_code: '73301', city: 'Austin' }
  const customer = await call('POST', '/v1/customers', { key, body: { name: 'Ann', address } })
  const certificate = { jurisdiction_id: 'US-TX', exemption_type: 'resale', certificate_number: 'C-1' }
  const path = `/v1/customers/${String(customer.body['id'])}/exemptions`
  await call('POST', `/v1/customers/${String(customer.body['id'])}/certificate-request`, { key })
  await call('POST', path, { key, body: { ...certificate, valid_from: '2026-01-01' } })
  await call('POST', '/v1/vat/checks', { key, body: { vat_ids: ['IE6388047V', 'DE136695976'] } })
  const url = `https://${crypto.randomUUID()}.example.com/`
  await call('POST', '/v1/webhooks', { key, body: { url, events: ['sync.completed'] } })
  const sale = await sell(owner, 'first', { 'Idempotency-Key': 'first' })
  expect(sale.status, sale.text).toBe(201)
  const settling = await sell(owner, 'second', {}, { settles: [{ external_id: 'first', amount: 1_190 }] })
  expect(settling.status, settling.text).toBe(201)
  const refund = { amount: 500, reason: 'partial' }
  await call('POST', `/v1/transactions/${String(sale.body['id'])}/refund`, { key, body: refund })
  const order = { transaction_id: 'o-1', transaction_date: '2026-01-05', to_country: 'DE' }
  const sums = { amount: 10, shipping: 0, sales_tax: 1.9 }
  const made = await ask('POST', '/v2/transactions/orders', { key, body: { ...order, ...sums } })
  expect(made.status, made.text).toBe(201)
}

/** The number of the account's rows in each table of a shard. */
export async function rowsIn({ books }: Shard, account_id: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { table, from, account } of MOVED_TABLES) {
    const sql = `SELECT count(*) AS n FROM ${from} WHERE ${account} = ?`
    const n = await wholeDb(books).prepare(sql).bind(account_id).first<number>('n')
    if (n) counts[table] = n
  }
  return counts
}
