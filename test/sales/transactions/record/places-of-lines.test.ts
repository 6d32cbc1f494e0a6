import { beforeEach, describe, expect, it } from 'vitest'
import { verifyTotals } from '../../../../scripts/verify/totals.ts'
import { newAccount } from '../../../support/account.ts'
import { call } from '../../../support/service.ts'
import { loadTestData } from '../../../support/service-data.ts'
import { keepAccountsIn } from '../../../support/shards.ts'
import { create, created } from '../sales.ts'

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

describe('a credit note that states another tax than its sale', () => {
  const note = (transaction_id: string, line_items: object[]) => ({
    currency: 'EUR',
    transaction_date: '2026-05-01',
    credit_note_for: { transaction_id },
    line_items,
  })

  it('is declared where the line that it credits is, with its taxes', async () => {
    const id = await created(key, FETCHED)
    const goods = { amount: -5_000, tax_amount: -900, product_type: 'physical_goods' }
    expect(await linesOf(await created(key, note(id, [goods])))).toEqual([['DE', '', -900, 180_000, 1]])
    const service = { amount: -5_000, tax_amount: -900, product_type: 'saas' }
    const french = await created(key, note(id, [service]))
    expect(await linesOf(french)).toEqual([['FR', 'oss_union', -900, 180_000, 1]])
    const rest = [GOODS, SERVICE].map(({ product_type }) => ({ amount: -5_000, product_type }))
    expect(await linesOf(await created(key, note(id, rest)))).toEqual([
      ['DE', '', -1_000, 190_000, 1],
      ['FR', 'oss_union', -1_100, 200_000, 1],
    ])
    expect(await verifyTotals(books, account_id)).toEqual([])
  })

  it('takes from one place, whose tax is closest, if it names no product of the sale', async () => {
    const id = await created(key, FETCHED)
    const other = (amount: number, tax_amount: number) => ({ amount, tax_amount, product_type: 'books' })
    const { body } = await create(key, note(id, [other(-15_000, -2_900)]))
    expect(body['errors']).toMatchObject([{ path: 'line_items[0].amount' }])
    const taken = await created(key, note(id, [other(-5_000, -951), other(-5_000, -999)]))
    expect(await linesOf(taken)).toEqual([
      ['DE', '', -951, 190_200, 1],
      ['FR', 'oss_union', -999, 199_800, 1],
    ])
  })
})

describe('the prices of a credit note that are read by their place', () => {
  it('are read as those of its sale', async () => {
    const boston = { country: 'US', region: 'MA', postal_code: '02108' }
    await call('PUT', '/v1/account', { key, body: boston })
    const registration = { jurisdiction_id: 'US-MA', valid_from: '2020-01-01' }
    await call('POST', '/v1/registrations', { key, body: registration })
    const line = { amount: 10_000, product_type: 'physical_goods', tax_behavior: 'by_place' }
    const address = { country: 'DE' }
    const sold = { currency: 'USD', customer: { address }, delivery: 'pickup', line_items: [line] }
    const sale = await create(key, sold)
    expect(sale.body).toMatchObject({ jurisdiction_id: 'US-MA', total: 10_625 })
    const credit_note_for = { transaction_id: sale.body['id'] }
    const line_items = [{ ...line, amount: -10_000 }]
    const { body } = await create(key, { currency: 'USD', credit_note_for, line_items })
    expect(body).toMatchObject({ jurisdiction_id: 'US-MA', total: -10_625, tax_amount: -625 })
  })
})
