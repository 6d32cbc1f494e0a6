import { exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { verifyTotals } from '../../../../scripts/verify/totals.ts'
import { newAccount } from '../../../support/account.ts'
import { call } from '../../../support/service.ts'
import { loadTestData } from '../../../support/service-data.ts'
import { keepAccountsIn } from '../../../support/shards.ts'
import { ask } from '../../../interfaces/taxjar/asking.ts'
import { create, created } from '../sales.ts'

const { books } = keepAccountsIn(2)

await loadTestData()

type Body = Record<string, unknown>

const VAT_ID = { vat_id: 'DE136695976' }

async function platform(profile: object = VAT_ID, registrations: readonly object[] = []) {
  const account = await newAccount()
  const { key } = account
  await send('PUT', '/v1/account', key, { country: 'DE', time_zone: 'UTC', ...profile })
  for (const body of registrations)
    await send('POST', '/v1/registrations', key, { ...body, valid_from: '2020-01-01' })
  return account
}

async function send(method: string, path: string, key: string, body?: object): Promise<Body> {
  const answer = await call(method, path, { key, ...(body !== undefined && { body }) })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}

const sale = (country: string, amount: number, seller?: object) => ({
  currency: 'EUR',
  transaction_date: '2026-03-02',
  customer: { address: { country } },
  line_items: [{ amount, product_type: 'physical_goods' }],
  ...(seller !== undefined && { seller }),
})

const FR_VENDOR = { country: 'FR', registrations: ['FR'] }

const boxes = async (key: string): Promise<object> => {
  const filed = await send(
    'GET',
    '/v1/reports/filing?type=eu_domestic&jurisdiction_id=DE&period=2026-Q1',
    key,
  )
  return { supplies: filed['supplies'], tax_due: filed['tax_due'], boxes: filed['boxes'] }
}

const recorded = async (key: string, seller: object) => (await create(key, sale('DE', 100, seller))).body

it('leaves the sales of vendors out of the return and the thresholds of the account', async () => {
  const { key, account_id } = await platform({})
  await created(key, sale('DE', 40_000))
  const own = await boxes(key)
  await created(key, sale('FR', 10_000, FR_VENDOR))
  await created(key, sale('DE', 20_000, { country: 'DE', registrations: ['DE'] }))
  await created(key, sale('FR', 1_500_000, { country: 'DE', registrations: ['oss_union'] }))
  expect(await boxes(key)).toEqual(own)
  expect(JSON.stringify(await send('GET', '/v1/nexus', key))).not.toContain('"status":"exceeded"')
  expect(await verifyTotals(books, account_id)).toEqual([])
})

it('keeps who the seller is, without its town and its turnover', async () => {
  const { key } = await platform()
  const seller = {
    ...FR_VENDOR,
    city: 'Lyon',
    postal_code: '69001',
    global_turnover: { amount: 1, currency: 'EUR' },
    vat_id: 'FR40303265045',
    reference: 'vendor-7',
  }
  const kept = { ...FR_VENDOR, vat_id: 'FR40303265045', reference: 'vendor-7' }
  const { body } = await create(key, sale('FR', 10_000, seller))
  expect(body).toMatchObject({
    seller: kept,
    of_other_seller: true,
    notes: [expect.stringMatching('another')],
  })
  const { notes: _, ...shown } = body
  const read = await send('GET', `/v1/transactions/${String(body['id'])}`, key)
  expect(read).toMatchObject({ ...shown, queried_at: expect.any(String) })
  expect(read['seller']).toEqual(kept)
  expect(read['returns']).toEqual([])
})

describe('whose sale it is', () => {
  it.each<[string, object, object[], boolean]>([
    ['its country', { country: 'FR' }, [], true],
    ['a registration that the account lacks', { country: 'DE', registrations: ['oss_union'] }, [], true],
    ['its VAT id', { country: 'DE', vat_id: 'DE 129 273 398' }, [], true],
    ['its reference', { country: 'DE', reference: 'vendor-8' }, [], true],
    ['nothing', { country: 'DE' }, [], false],
    ['nothing but blanks', { country: 'DE', vat_id: ' -', reference: ' ' }, [], false],
    ['its VAT id, written otherwise', { country: 'DE', vat_id: '136 695 976' }, [], false],
    [
      'its registrations, which the account has',
      { country: 'DE', registrations: ['DE', 'GB'] },
      [{ jurisdiction_id: 'DE' }, { jurisdiction_id: 'GB' }],
      false,
    ],
    ['its VAT id, written for another country', { country: 'DE', vat_id: 'PL136695976' }, [], true],
    ['its VAT id without a prefix, for another country', { country: 'PL', vat_id: '136695976' }, [], true],
    [
      'the number of a registration of the account',
      { country: 'DE', vat_id: 'FR 40 303 265 045' },
      [{ jurisdiction_id: 'FR', registration_number: '40303265045' }],
      false,
    ],
    [
      'the digits of a registration of the account elsewhere',
      { country: 'DE', vat_id: '40303265045' },
      [{ jurisdiction_id: 'FR', registration_number: 'FR40303265045' }],
      true,
    ],
    [
      'one British number under its code for Northern Ireland',
      { country: 'DE', vat_id: 'XI 220430231' },
      [{ jurisdiction_id: 'GB', registration_number: 'GB220430231' }],
      false,
    ],
    [
      'the number of its one-stop shop',
      { country: 'DE', vat_id: 'IM3720000224' },
      [{ scheme: 'ioss', registration_number: 'IM3720000224' }],
      false,
    ],
  ])('goes by %s', async (_, seller, registrations, of_other_seller) => {
    const { key } = await platform(VAT_ID, registrations)
    expect(Boolean((await recorded(key, seller))['of_other_seller'])).toBe(of_other_seller)
  })

  it('is the account at an establishment, as long as it has it', async () => {
    const { key } = await platform()
    const establishments = [{ country: 'FR', from: '2020-01-01', to: '2026-02-28' }]
    await send('PUT', '/v1/account', key, { establishments })
    const day = (transaction_date: string) => ({ ...sale('FR', 100, { country: 'FR' }), transaction_date })
    expect((await create(key, day('2026-02-28'))).body['of_other_seller']).toBeUndefined()
    expect((await create(key, day('2026-03-01'))).body['of_other_seller']).toBe(true)
  })

  it('is the account at home, if its registration there follows from what is on file', async () => {
    const at_home = { country: 'DE', registrations: ['DE'] }
    const { key: unknown } = await platform({})
    expect(await recorded(unknown, at_home)).toHaveProperty('of_other_seller', true)
    const { key: one_stop_shop } = await platform({}, [{ scheme: 'oss_union' }])
    expect(await recorded(one_stop_shop, at_home)).not.toHaveProperty('of_other_seller')
    const { key: british } = await platform({}, [{ jurisdiction_id: 'GB' }])
    expect(await recorded(british, at_home)).not.toHaveProperty('of_other_seller')
    const { key: numbered } = await platform()
    expect(await recorded(numbered, at_home)).not.toHaveProperty('of_other_seller')
  })

  it('is taxed by the registrations that it states, and by none of the account', async () => {
    const { key } = await platform(VAT_ID, [{ scheme: 'oss_union' }])
    const { body } = await create(key, sale('DE', 10_000, { country: 'IT' }))
    expect(body).toMatchObject({ of_other_seller: true, tax_amount: 2_200, jurisdiction_id: 'IT' })
    const merchant = await create(key, sale('FR', 10_000, { country: 'DE', reference: 'vendor-10' }))
    expect(merchant.body).toMatchObject({ of_other_seller: true, tax_amount: 1_900, jurisdiction_id: 'DE' })
  })

  it('decides whose numbers the invoice has', async () => {
    const { key } = await platform()
    const numberOf = async (seller: object) =>
      JSON.stringify((await create(key, { ...sale('DE', 100, seller), einvoice: {} })).body)
    expect(await numberOf({ country: 'DE' })).toContain('DE136695976')
    expect(await numberOf({ country: 'DE', reference: 'vendor-9' })).not.toContain('DE136695976')
  })

  it('is the account, if nothing of it is on file', async () => {
    const { key } = await newAccount()
    expect(await recorded(key, FR_VENDOR)).not.toHaveProperty('of_other_seller')
    expect(await recorded(key, { ...FR_VENDOR, reference: 'v' })).toHaveProperty('of_other_seller', true)
  })

  it('is the account, wherever a document in the form of TaxJar says that goods leave', async () => {
    const { key } = await newAccount()
    await send('PUT', '/v1/account', key, { country: 'US', region: 'NY', taxjar_api: { enabled: true } })
    const order = {
      transaction_id: 'o-1',
      transaction_date: '2026-03-02',
      from_country: 'CA',
      from_state: 'ON',
      from_zip: 'K1A 0A1',
      to_country: 'US',
      to_state: 'NY',
      to_zip: '10001',
      amount: 10,
      shipping: 0,
      sales_tax: 0,
    }
    expect((await ask('POST', '/taxjar/v2/transactions/orders', { key, body: order })).status).toBe(201)
    const { transactions } = await send('GET', '/v1/transactions', key)
    expect(transactions).toHaveLength(1)
    expect(JSON.stringify(transactions)).not.toContain('of_other_seller')
  })
})

it('gives back, credits, completes and settles within the seller of the sale', async () => {
  const { key, account_id } = await platform()
  const own = await boxes(key)
  const id = await created(key, { ...sale('DE', 10_000, FR_VENDOR), external_id: 'v-1' })
  await send('POST', `/v1/transactions/${id}/refund`, key, { amount: 1_000, reason: 'damaged' })
  const note = { ...sale('DE', -1_000), credit_note_for: { transaction_id: id } }
  expect((await create(key, note)).body).toMatchObject({ of_other_seller: true, seller: FR_VENDOR })
  const { body } = await call('POST', '/v1/transactions/batch', {
    key,
    body: {
      transactions: [
        { ...sale('DE', -500), credit_note_for: { external_id: 'v-2' } },
        { ...sale('DE', 900, FR_VENDOR), external_id: 'v-2' },
      ],
    },
  })
  expect(body['results']).toMatchObject([
    { data: { of_other_seller: true } },
    { data: { of_other_seller: true } },
  ])
  const waiting = await created(key, { ...sale('DE', 800, FR_VENDOR), status: 'pending' })
  await send('POST', `/v1/transactions/${waiting}/complete`, key)
  const deposit = await created(key, sale('DE', 5_000, FR_VENDOR))
  const settles = [{ transaction_id: deposit }]
  const mixed = await create(key, { ...sale('DE', 9_000), settles })
  expect(mixed.body, mixed.text).toMatchObject({ errors: [{ path: 'settles[0]' }] })
  const final = await create(key, { ...sale('DE', 9_000, FR_VENDOR), settles })
  expect(final.body, final.text).toMatchObject({ of_other_seller: true })
  const numbered = await created(key, sale('DE', 700, { ...FR_VENDOR, vat_id: 'FR 40 303 265 045' }))
  const spelt = { ...sale('DE', 900, { ...FR_VENDOR, vat_id: 'FR40303265045' }) }
  expect((await create(key, { ...spelt, settles: [{ transaction_id: numbered }] })).status).toBe(201)
  const ownDeposit = await created(key, sale('DE', 5_000))
  const reversed = { ...sale('DE', 9_000, FR_VENDOR), settles: [{ transaction_id: ownDeposit }] }
  expect((await create(key, reversed)).status).toBe(400)
  await send('POST', `/v1/transactions/${ownDeposit}/refund`, key, { rest: true, reason: 'cancelled' })
  expect(await boxes(key)).toMatchObject({ tax_due: (own as Body)['tax_due'] })
  expect(await verifyTotals(books, account_id)).toEqual([])
})

it('lists them apart', async () => {
  const { key } = await platform()
  const own = await created(key, sale('DE', 40_000))
  const other = await created(key, sale('DE', 10_000, FR_VENDOR))
  const list = async (query: string) => send('GET', `/v1/transactions?sums=true&${query}`, key)
  const ids = ({ transactions }: Body) => (transactions as Body[]).map(({ id }) => id)
  const all = await list('')
  expect(new Set(ids(all))).toEqual(new Set([own, other]))
  expect(all).toMatchObject({ total: 2, sums: [{ transactions: 1, subtotal: 40_000 }] })
  for (const sort of ['newest', 'largest']) {
    const apart = await list(`of_other_seller=true&sort=${sort}`)
    expect(ids(apart)).toEqual([other])
    expect(apart).toMatchObject({ total: null, sums: [{ transactions: 1, subtotal: 10_000 }] })
    expect(ids(await list(`of_other_seller=false&sort=${sort}`))).toEqual([own])
  }
  expect((await call('GET', '/v1/transactions?of_other_seller=1', { key })).status).toBe(400)
  const days = 'from_date=2026-03-01&to_date=2026-03-31'
  expect(await send('GET', `/v1/reports/summary?${days}`, key)).toMatchObject({
    totals: [{ transactions: 1, gross_sales: 40_000 }],
    other_sellers: [{ currency: 'EUR', transactions: 1, subtotal: 10_000 }],
  })
  const rows = await send('GET', `/v1/reports/transactions?${days}&of_other_seller=true`, key)
  expect(rows['transactions']).toMatchObject([{ id: other, of_other_seller: true }])
  const url = `https://service.test/v1/reports/export?report=transactions&${days}`
  const answer = await exports.default.fetch(url, { headers: { Authorization: `Bearer ${key}` } })
  const [head, ...csv] = (await answer.text()).trim().split('\r\n')
  expect(head).toMatch(/,of_other_seller$/)
  expect(csv).toHaveLength(2)
  expect(csv.filter((row) => row.endsWith(',true'))).toEqual([expect.stringContaining(other)])
})
