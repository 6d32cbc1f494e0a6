import { beforeEach, describe, expect, it } from 'vitest'
import { verifyTotals } from '../../../scripts/verify/totals.ts'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'
import { created } from './sales.ts'

const { books } = keepAccountsIn(1)

await loadTestData()

let key: string
let account_id: string

beforeEach(async () => {
  ;({ key, account_id } = await newAccount())
  await call('PUT', '/v1/account', { key, body: { country: 'DE', time_zone: 'UTC' } })
  for (const registration of [{ scheme: 'oss_union' }, { jurisdiction_id: 'DE' }])
    await call('POST', '/v1/registrations', { key, body: { ...registration, valid_from: '2020-01-01' } })
})

const customer = { address: { country: 'FR' } }
const GOODS = { amount: 10_000, product_type: 'physical_goods' }
const SERVICE = { amount: 10_000, product_type: 'saas' }
const FETCHED = {
  customer,
  currency: 'EUR',
  transaction_date: '2026-02-01',
  delivery: 'pickup',
  line_items: [GOODS, SERVICE],
}

/** What the returns read of each line: its place, scheme, tax and rate, and how many taxes it has. */
async function linesOf(id: unknown) {
  const { results } = await books
    .prepare('SELECT * FROM transaction_lines WHERE transaction_id = ? ORDER BY position')
    .bind(id)
    .all()
  return results.map((line) => [
    line['place_of_supply'],
    line['scheme'],
    line['tax_amount'],
    line['tax_rate'],
    JSON.parse(String(line['tax_breakdown'])).length,
  ])
}

async function calculated(body: object) {
  const { status, body: calculation, text } = await call('POST', '/v1/calculate', { key, body })
  expect(status, text).toBe(200)
  return calculation
}

describe('goods that are fetched with a service that is taxed elsewhere', () => {
  const PLACES = [
    ['DE', '', 1_900, 190_000, 1],
    ['FR', 'oss_union', 2_000, 200_000, 1],
  ]

  it('are recorded alike, whether the tax is calculated or the calculation is given back', async () => {
    expect(await linesOf(await created(key, FETCHED))).toEqual(PLACES)
    const calculation = await calculated(FETCHED)
    const more = { customer, delivery: 'pickup', calculation }
    expect(await linesOf(await created(key, more))).toEqual(PLACES)
    expect(await verifyTotals(books, account_id)).toEqual([])
  })
})
