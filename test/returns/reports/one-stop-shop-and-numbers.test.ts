import { exports } from 'cloudflare:workers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { created } from '../../sales/transactions/sales.ts'
import { newAccount } from '../../support/account.ts'
import { call, newAddress } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

await loadTestData()

type Named = { scheme: string } | { jurisdiction_id: string; registration_number?: string }

async function seller(profile: object, ...registrations: Named[]): Promise<string> {
  const { key } = await newAccount({ tier: 'enterprise' })
  const put = await call('PUT', '/v1/account', { key, body: { name: 'Acme', time_zone: 'UTC', ...profile } })
  expect(put.status, put.text).toBe(200)
  for (const registration of registrations) {
    const body = { valid_from: '2021-07-01', ...registration }
    const answer = await call('POST', '/v1/registrations', { key, body })
    expect(answer.status, answer.text).toBe(201)
  }
  return key
}

const GERMAN = { country: 'DE', vat_id: 'DE136695976' }
const UNION = { scheme: 'oss_union' }
const POLAND = { jurisdiction_id: 'PL', registration_number: 'PL8567346215' }
const GERMANY = { jurisdiction_id: 'DE', registration_number: 'DE136695976' }

const sale = (country: string, product_type: string, amount: number, more: object = {}) => ({
  customer: { address: { country } },
  currency: 'EUR',
  transaction_date: '2026-07-05',
  line_items: [{ product_type, amount }],
  ...more,
})
const from = (country: string) => ({ ship_from: { country } })

type Supply = { jurisdiction_id: string; kind: string; rate: number; tax_amount: number }
type Filed = { supplies: Supply[]; totals: { tax_amount: number } }

async function filed(key: string, query: string): Promise<Filed> {
  const answer = await call('GET', `/v1/reports/filing?${query}`, { key })
  expect(answer.status, answer.text).toBe(200)
  return answer.body as Filed
}

const taxIn = async (key: string, query: string) => (await filed(key, query)).totals.tax_amount
const OSS = 'type=oss_union&period=2026-Q3'
/** Euros count one to one: the Polish return is in zloty. */
const domestic = (state: string) =>
  `type=eu_domestic&jurisdiction_id=${state}&period=2026-Q3${state === 'PL' ? '&fx_rates=EUR:1' : ''}`

async function numberOf(key: string, body: object): Promise<object> {
  const answer = await call('POST', '/v1/calculate', { key, body: { ...body, einvoice: {} } })
  expect(answer.status, answer.text).toBe(200)
  const { einvoice } = answer.body as { einvoice: { seller_registrations: object[] } }
  return einvoice.seller_registrations[0] ?? {}
}

it('lists the supplies of a member state by their rates, the lowest first', async () => {
  const key = await seller(GERMAN, UNION)
  for (const product_type of ['physical_goods', 'books', 'saas'])
    for (const country of ['FR', 'BE']) await created(key, sale(country, product_type, 10_000))
  const { supplies } = await filed(key, OSS)
  const goods = supplies.filter(({ kind }) => kind === 'goods')
  expect(goods.map(({ jurisdiction_id, rate }) => [jurisdiction_id, rate])).toEqual([
    ['BE', 0.06],
    ['BE', 0.21],
    ['FR', 0.055],
    ['FR', 0.2],
  ])
})

describe('a seller in the Union one-stop shop with a number for its stock elsewhere', () => {
  it('declares by the scheme what comes from elsewhere, and in the state what leaves from there', async () => {
    const key = await seller(GERMAN, UNION, POLAND)
    await created(key, sale('PL', 'physical_goods', 30_000))
    await created(key, sale('PL', 'saas', 4_000))
    await created(key, sale('DE', 'physical_goods', 10_000, from('PL')))
    await created(key, sale('PL', 'physical_goods', 20_000, from('PL')))
    await created(key, sale('DE', 'physical_goods', 50_000))
    const { supplies } = await filed(key, OSS)
    expect(supplies.map(({ jurisdiction_id, tax_amount }) => [jurisdiction_id, tax_amount])).toEqual([
      ['DE', 1_900],
      ['PL', 6_900],
      ['PL', 920],
    ])
    expect(await taxIn(key, domestic('PL'))).toBe(4_600)
    expect(await taxIn(key, domestic('DE'))).toBe(9_500)
    // Part 2d has the sale to the state of identification, with the number of the stock that it left.
    const response = await exports.default.fetch(
      `https://service.test/v1/reports/filing/file?${OSS}&format=oss_xml`,
      { headers: { Authorization: `Bearer ${key}`, 'CF-Connecting-IP': newAddress() } },
    )
    const text = await response.text()
    expect(response.status, text).toBe(200)
    const stock = /<vun:MSESTSupplies>.*?8567346215.*?MSCONCountrycode>DE<.*?>19\.00<\/vun:VATAmount>/s
    expect(text).toMatch(stock)
  })

  it('has the number of its state of identification on the invoice of the scheme', async () => {
    const key = await seller(GERMAN, UNION, POLAND)
    expect(await numberOf(key, sale('PL', 'physical_goods', 100))).toMatchObject({
      jurisdiction_id: 'DE',
      scheme: 'oss_union',
    })
    expect(await numberOf(key, sale('PL', 'physical_goods', 100, from('PL')))).toMatchObject({
      jurisdiction_id: 'PL',
      scheme: null,
    })
  })

  it('declares goods, but no services, of a state with an establishment by the scheme', async () => {
    const establishments = [{ country: 'PL', from: '2026-01-01', to: '2026-07-31' }]
    const key = await seller({ ...GERMAN, establishments }, UNION, POLAND)
    await created(key, sale('PL', 'saas', 4_000))
    await created(key, sale('PL', 'physical_goods', 30_000))
    await created(key, sale('PL', 'saas', 1_000, { transaction_date: '2026-08-01' }))
    expect(await taxIn(key, OSS)).toBe(6_900 + 230)
    expect(await taxIn(key, domestic('PL'))).toBe(920)
    expect(await numberOf(key, sale('PL', 'saas', 4_000))).toMatchObject({ scheme: null })
  })

  it('declares all by its local numbers if it does not use the scheme', async () => {
    const key = await seller(GERMAN, POLAND)
    await created(key, sale('PL', 'physical_goods', 30_000))
    expect(await taxIn(key, OSS)).toBe(0)
    expect(await taxIn(key, domestic('PL'))).toBe(6_900)
  })
})

it('leaves sales of a seller outside the Union to its schemes, although it has a number', async () => {
  const key = await seller(
    { country: 'US', region: 'NY' },
    { scheme: 'oss_non_union' },
    { scheme: 'ioss' },
    GERMANY,
  )
  await created(key, sale('DE', 'saas', 10_000))
  await created(key, sale('DE', 'physical_goods', 4_000, from('CN')))
  await created(key, sale('DE', 'physical_goods', 2_000, from('DE')))
  expect(await taxIn(key, 'type=oss_non_union&period=2026-Q3')).toBe(1_900)
  expect(await taxIn(key, 'type=ioss&period=2026-07')).toBe(760)
  expect(await taxIn(key, domestic('DE'))).toBe(380)
  expect(await numberOf(key, sale('DE', 'saas', 100))).toMatchObject({ scheme: 'oss_non_union' })
  expect(await numberOf(key, sale('DE', 'physical_goods', 100, from('CN')))).toMatchObject({ scheme: 'ioss' })
})

it.each([
  ['establishments[0].country', [{ country: 'CH', from: '2026-01-01' }]],
  ['establishments[0].to', [{ country: 'FR', from: '2026-01-02', to: '2026-01-01' }]],
  [
    'establishments[1].from',
    [
      { country: 'FR', from: '2026-01-02' },
      { country: 'FR', from: 'x' },
    ],
  ],
])('refuses %s by its name', async (path, establishments) => {
  const { key } = await newAccount()
  const answer = await call('PUT', '/v1/account', { key, body: { country: 'DE', establishments } })
  expect(answer.status).toBe(400)
  expect(answer.body['errors']).toMatchObject([{ path }])
})

it('keeps the establishments of an account until it names others', async () => {
  const { key } = await newAccount()
  const establishments = [{ country: 'FR', from: '2026-01-02', to: null }]
  await call('PUT', '/v1/account', { key, body: { country: 'DE', establishments } })
  expect((await call('PUT', '/v1/account', { key, body: { name: 'Acme' } })).body).toMatchObject({
    establishments: [{ ...establishments[0], region: null, kind: null }],
  })
  const none = await call('PUT', '/v1/account', { key, body: { establishments: [] } })
  expect(none.body).toMatchObject({ establishments: [] })
})

const STATES = ['DE', 'FR', 'PL', 'IE'] as const
const state = fc.constantFrom(...STATES)
const randomSeller = fc.record({
  home: fc.constantFrom('DE', 'FR', 'US'),
  schemes: fc.subarray(['oss_union', 'oss_non_union', 'ioss']),
  numbers: fc.subarray([...STATES]),
  establishments: fc.subarray([...STATES], { maxLength: 2 }),
})
const randomSale = fc.record({
  to: state,
  product_type: fc.constantFrom('physical_goods', 'saas', 'books', 'event_admission'),
  from: fc.option(fc.constantFrom(...STATES, 'CN')),
})

it('puts each taxed sale into exactly one return, by whose number its invoice is made', async () => {
  await fc.assert(
    fc.asyncProperty(
      randomSeller,
      fc.array(randomSale, { minLength: 1, maxLength: 4 }),
      async (who, sales) => {
        const establishments = who.establishments.map((country) => ({ country, from: '2021-07-01' }))
        const place = who.home === 'US' ? { country: 'US', region: 'NY' } : { country: who.home }
        const key = await seller(
          { ...place, establishments },
          ...who.schemes.map((scheme) => ({ scheme })),
          ...who.numbers.map((jurisdiction_id) => ({ jurisdiction_id })),
        )
        const expected = new Map<string, number>()
        for (const [index, sold] of sales.entries()) {
          const more = sold.from === null ? {} : from(sold.from)
          const body = sale(sold.to, sold.product_type, 1_000 * 10 ** index, more)
          const { status, body: recorded } = await call('POST', '/v1/transactions', { key, body })
          expect(status).toBe(201)
          const tax = Number(recorded['tax_amount'])
          if (tax === 0) continue
          const number = (await numberOf(key, body)) as {
            jurisdiction_id: string | null
            scheme: string | null
          }
          const return_of = number.scheme ?? String(number.jurisdiction_id)
          expected.set(return_of, (expected.get(return_of) ?? 0) + tax)
        }
        for (const [type, period] of [
          ['oss_union', '2026-Q3'],
          ['oss_non_union', '2026-Q3'],
          ['ioss', '2026-07'],
        ] as const)
          expect([type, await taxIn(key, `type=${type}&period=${period}`)]).toEqual([
            type,
            expected.get(type) ?? 0,
          ])
        for (const each of STATES)
          expect([each, await taxIn(key, domestic(each))]).toEqual([each, expected.get(each) ?? 0])
      },
    ),
    { numRuns: 40 },
  )
}, 120_000)
