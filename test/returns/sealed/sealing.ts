import { env } from 'cloudflare:workers'
import type { Bindings } from '../../../src/platform/bindings.ts'
import { shardOf } from '../../../src/platform/database/shards.ts'
import { sealReturns } from '../../../src/returns/archive/seal-returns.ts'
import { newAccount } from '../../support/account.ts'
import { askSealed, BUCKET, WITH_CHESTS } from '../../sales/sealed/sealed.ts'

/** Small blocks and slices, so that a few lines fill several. */
const SIZES = { block: 3, slice: 4 }

/** Seals the lines of all returns of today, as the ticks of an hour do after 500 days. */
export async function sealLines(bindings: Partial<Bindings> = {}, sizes = SIZES): Promise<void> {
  const all: Bindings = { ...WITH_CHESTS, ...bindings }
  await sealReturns(all, shardOf(all, 0), new Date(Date.now() + 500 * 86_400_000), sizes)
}

export async function sent(method: string, path: string, key: string, body?: object) {
  const answer = await askSealed(method, path, key, body)
  if (answer.status >= 300) throw new Error(`${path}: ${answer.text.slice(0, 500)}`)
  return answer.body
}

/** A German seller with its own country and the one-stop shop. */
export async function seller(): Promise<{ key: string; account_id: string }> {
  const account = await newAccount()
  const { key } = account
  await sent('PUT', '/v1/account', key, { country: 'DE', time_zone: 'UTC' })
  for (const where of [{ jurisdiction_id: 'DE' }, { scheme: 'oss_union' }])
    await sent('POST', '/v1/registrations', key, { ...where, valid_from: '2020-01-01' })
  await rest()
  return account
}

/** The time zone of an account was set before its sales, so none has to move. */
export const rest = () => env.DB.prepare('DELETE FROM day_changes').run()

/** A sale of two lines, of one of two countries. */
export const saleOn = (transaction_date: string, index: number) => ({
  external_id: `order-${index}`,
  transaction_date,
  customer: { address: { country: index % 2 === 0 ? 'FR' : 'IT' } },
  currency: 'EUR',
  line_items: [
    { amount: 1_000 + 7 * index, product_type: 'saas' },
    { amount: 500 + index, product_type: 'books' },
  ],
})

/** Records sales in the first quarter, several of them at the same moment. */
export async function sellMany(key: string, from: number, count: number): Promise<void> {
  const transactions = Array.from({ length: count }, (_, index) =>
    saleOn(`2026-0${1 + (index % 3)}-1${index % 4}`, from + index),
  )
  await sent('POST', '/v1/transactions/batch', key, { transactions })
}

export async function file(key: string, period: string): Promise<string> {
  return String((await sent('POST', '/v1/returns', key, { type: 'oss_union', period }))['id'])
}

export async function linesInBooks(account_id: string): Promise<number | null> {
  return env.DB.prepare('SELECT count(*) AS n FROM filed_rows WHERE account_id = ?')
    .bind(account_id)
    .first<number>('n')
}

export async function objectsOf(account_id: string): Promise<string[]> {
  const { objects } = await BUCKET.list({ prefix: `returns/${account_id}/` })
  return objects.map(({ key }) => key)
}
