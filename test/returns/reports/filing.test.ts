import { keepAccountsIn } from '../../support/shards.ts'
import { describe, expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { created } from '../../sales/transactions/sales.ts'

const { books } = keepAccountsIn(2)

await loadTestData()

type Body = Record<string, unknown>
const file = async (key: string, query: string): Promise<Body> => {
  const answer = await call('GET', `/v1/reports/filing?${query}`, { key })
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}

/** An account with a known seller, so that the scheme of each sale is certain. */
async function seller(profile: object, ...registrations: string[]): Promise<string> {
  const { key } = await newAccount()
  expect((await call('PUT', '/v1/account', { key, body: profile })).status).toBe(200)
  for (const id of registrations) {
    const body =
      id.startsWith('oss') || id === 'ioss'
        ? { scheme: id, valid_from: '2020-01-01' }
        : { jurisdiction_id: id, valid_from: '2020-01-01' }
    expect((await call('POST', '/v1/registrations', { key, body })).status).toBe(201)
  }
  return key
}

const sale = (country: string, date: string, amount: number, product_type: string, more: object = {}) => ({
  customer: { address: { country } },
  currency: 'EUR',
  transaction_date: date,
  line_items: [{ amount, product_type }],
  ...more,
})

/** The lines of a figure add up to it. */
async function expectDrillDown(key: string, url: unknown, taxable: number): Promise<void> {
  const rows = (await call('GET', String(url), { key })).body['lines'] as { taxable_amount: number }[]
  expect(rows.reduce((sum, row) => sum + row.taxable_amount, 0)).toBe(taxable)
}

describe('oss_union', () => {
  it('declares by member state, kind and rate, and lists corrections of earlier quarters', async () => {
    const key = await seller({ country: 'DE' }, 'DE', 'oss_union')
    await created(key, sale('FR', '2026-08-01', 10_000, 'saas'))
    await created(key, sale('FR', '2026-09-30T21:59:59Z', 5_000, 'physical_goods'))
    await created(key, sale('IT', '2026-07-01', 1_000, 'saas'))
    await created(key, sale('DE', '2026-08-01', 7_000, 'saas'))
    await created(key, sale('FR', '2026-10-01', 3_000, 'saas'))
    const filed = await file(key, 'type=oss_union&period=2026-Q3')
    expect(filed).toMatchObject({
      type: 'oss_union',
      from_date: '2026-07-01',
      to_date: '2026-09-30',
      currency: 'EUR',
      nil_return: false,
      corrections: [],
    })
    expect(filed['supplies']).toMatchObject([
      { jurisdiction_id: 'FR', kind: 'goods', rate: 0.2, taxable_amount: 5_000, tax_amount: 1_000 },
      { jurisdiction_id: 'FR', kind: 'services', rate: 0.2, taxable_amount: 10_000, tax_amount: 2_000 },
      { jurisdiction_id: 'IT', kind: 'services', rate: 0.22, taxable_amount: 1_000, tax_amount: 220 },
    ])
    expect(filed['totals']).toEqual({
      taxable_amount: 16_000,
      tax_amount: 3_220,
      corrections_tax_amount: 0,
      tax_due: 3_220,
    })
    for (const { transactions_url, taxable_amount } of filed['supplies'] as {
      transactions_url: string
      taxable_amount: number
    }[])
      await expectDrillDown(key, transactions_url, taxable_amount)
  })

  it('lists a correction of an earlier quarter in the quarter of the refund', async () => {
    const key = await seller({ country: 'DE' }, 'DE', 'oss_union')
    const old = await created(key, sale('FR', '2026-01-15', 10_000, 'saas'))
    await call('POST', `/v1/transactions/${old}/refund`, { key, body: { amount: 6_000, reason: 'returned' } })
    const now = new Date()
    const quarter = `${now.getUTCFullYear()}-Q${Math.floor(now.getUTCMonth() / 3) + 1}`
    const filed = await file(key, `type=oss_union&period=${quarter}`)
    expect(filed).toMatchObject({
      supplies: [],
      corrections: [{ jurisdiction_id: 'FR', period: '2026-Q1', taxable_amount: -5_000, tax_amount: -1_000 }],
      nil_return: false,
    })
    expect(filed['totals']).toMatchObject({ corrections_tax_amount: -1_000, tax_due: 0 })
    const [correction] = filed['corrections'] as { transactions_url: string }[]
    expect((await call('GET', String(correction?.transactions_url), { key })).body['lines']).toMatchObject([
      { transaction_id: old, entry: 'refund', figure_amount: -1_000 },
    ])
  })

  it('has the same shape for a nil return', async () => {
    const { key } = await newAccount()
    expect(await file(key, 'type=oss_union&period=2026-Q1')).toMatchObject({
      nil_return: true,
      supplies: [],
      corrections: [],
      totals: { taxable_amount: 0, tax_amount: 0, tax_due: 0 },
    })
  })

  it('converts other currencies by the rates of the request, and lists sales without a rate', async () => {
    const key = await seller({ country: 'DE' }, 'DE', 'oss_union')
    await created(key, sale('SE', '2026-08-01', 110_000, 'saas', { currency: 'SEK' }))
    await created(key, sale('FR', '2026-08-01', 10_800, 'saas', { currency: 'USD' }))
    const filed = await file(key, 'type=oss_union&period=2026-Q3&fx_rates=SEK:11,CHF:0.94')
    expect(filed['supplies']).toMatchObject([
      { jurisdiction_id: 'SE', rate: 0.25, currency: 'EUR', taxable_amount: 10_000, tax_amount: 2_500 },
    ])
    expect(filed['unconverted']).toMatchObject([
      { currency: 'USD', taxable_amount: 10_800, tax_amount: 2_160 },
    ])
  })
})

it('oss_non_union declares the services of a seller from outside', async () => {
  const key = await seller({ country: 'US', region: 'CA' }, 'oss_non_union')
  await created(key, sale('FR', '2026-08-01', 10_000, 'saas'))
  expect((await file(key, 'type=oss_non_union&period=2026-Q3'))['supplies']).toMatchObject([
    { jurisdiction_id: 'FR', kind: 'services', tax_amount: 2_000 },
  ])
  expect((await file(key, 'type=oss_union&period=2026-Q3'))['nil_return']).toBe(true)
})

it('ioss declares small consignments, by month', async () => {
  const key = await seller({ country: 'US', region: 'CA' }, 'ioss')
  await created(key, sale('FR', '2026-08-05', 10_000, 'physical_goods'))
  expect((await file(key, 'type=ioss&period=2026-08'))['supplies']).toMatchObject([
    { jurisdiction_id: 'FR', kind: 'goods', tax_amount: 2_000 },
  ])
})

it('uk_vat100 fills the boxes that sales determine, and says why the others are empty', async () => {
  const key = await seller({ country: 'GB' }, 'GB')
  const gbp = { currency: 'GBP' }
  await created(key, sale('GB', '2026-05-01', 10_000, 'saas', gbp))
  await created(key, sale('GB', '2026-05-02', 4_000, 'books', gbp))
  await created(
    key,
    sale('US', '2026-05-03', 6_000, 'physical_goods', {
      ...gbp,
      customer: { address: { country: 'US', region: 'NY' } },
    }),
  )
  const filed = await file(key, 'type=uk_vat100&period=2026-Q2')
  const boxes = Object.fromEntries(
    (filed['boxes'] as { box: string; amount: number | null }[]).map(({ box, amount }) => [box, amount]),
  )
  expect(boxes).toEqual({ 1: 2_000, 2: null, 3: null, 4: null, 5: null, 6: 20_000, 7: null, 8: 0, 9: null })
})

it('us_state has gross, exempt and taxable sales and the tax of each state', async () => {
  const key = await seller({ country: 'US', region: 'CA' }, 'US-CA', 'US-NY')
  const to = (region: string) => ({ currency: 'USD', customer: { address: { country: 'US', region } } })
  await created(key, sale('US', '2026-05-01', 10_000, 'physical_goods', to('CA')))
  await created(key, sale('US', '2026-05-01', 2_000, 'groceries', to('CA')))
  await created(key, sale('US', '2026-05-02', 5_000, 'physical_goods', to('NY')))
  expect((await file(key, 'type=us_state&period=2026-05'))['supplies']).toMatchObject([
    {
      jurisdiction_id: 'US-CA',
      gross_sales: 12_000,
      exempt_sales: 2_000,
      taxable_amount: 10_000,
      tax_amount: 725,
    },
    { jurisdiction_id: 'US-NY', gross_sales: 5_000, exempt_sales: 0, taxable_amount: 5_000, tax_amount: 200 },
  ])
})

it('ca_gst34 lists the taxes of provinces separately from lines 101, 103 and 105', async () => {
  const key = await seller({ country: 'CA', region: 'QC' }, 'CA', 'CA-QC', 'CA-BC')
  const to = (region: string) => ({ currency: 'CAD', customer: { address: { country: 'CA', region } } })
  await created(key, sale('CA', '2026-05-01', 20_000, 'physical_goods', to('QC')))
  await created(key, sale('CA', '2026-05-01', 10_000, 'physical_goods', to('ON')))
  await created(key, sale('CA', '2026-05-01', 10_000, 'physical_goods', to('BC')))
  const filed = await file(key, 'type=ca_gst34&period=2026-Q2')
  const boxes = Object.fromEntries(
    (filed['boxes'] as { box: string; amount: number }[]).map(({ box, amount }) => [box, amount]),
  )
  expect(boxes).toEqual({
    101: 40_000,
    103: 2_800,
    104: 0,
    105: 2_800,
    106: null,
    107: 0,
    108: null,
    109: null,
    QST: 1_995,
    'BC PST': 700,
    'SK PST': 0,
    'MB RST': 0,
  })
})

it('au_bas fills G1 with GST, G3 and 1A', async () => {
  const key = await seller({ country: 'AU' }, 'AU')
  await created(key, sale('AU', '2026-05-01', 10_000, 'saas', { currency: 'AUD' }))
  await created(key, sale('AU', '2026-05-01', 3_000, 'groceries', { currency: 'AUD' }))
  const filed = await file(key, 'type=au_bas&period=2026-Q2')
  const boxes = Object.fromEntries(
    (filed['boxes'] as { box: string; amount: number }[]).map(({ box, amount }) => [box, amount]),
  )
  const purchases = { G10: null, G11: null, '1B': null }
  expect(boxes).toEqual({ G1: 14_000, G2: 0, G3: 3_000, '1A': 1_000, ...purchases })
})

it.each([
  ['type=oss_union&period=2026-09', 'period'],
  ['type=ioss&period=2026-Q3', 'period'],
  ['type=generic&period=2026-Q9', 'period'],
  ['type=generic&period=2026-13', 'period'],
  ['type=vat&period=2026', 'type'],
  ['period=2026', 'type'],
  ['type=generic&period=2026&fx_rates=USD', 'fx_rates'],
  ['type=generic&period=2026&fx_rates=USD:0', 'fx_rates'],
])('refuses ?%s and names %s', async (query, path) => {
  const { key } = await newAccount()
  const answer = await call('GET', `/v1/reports/filing?${query}`, { key })
  expect(answer.status).toBe(400)
  expect(answer.body['errors']).toContainEqual({ path, message: expect.any(String) })
})

it('adds up to the cent to the transactions of all returns', async () => {
  const { key, account_id } = await newAccount()
  for (let index = 0; index < 30; index += 1)
    await created(
      key,
      sale(
        ['DE', 'FR', 'IT'][index % 3] ?? 'DE',
        `2026-0${(index % 9) + 1}-15`,
        1_000 + index * 37,
        index % 2 === 0 ? 'saas' : 'books',
      ),
    )
  const filed = await file(key, 'type=generic&period=2026')
  const sum = (name: string) =>
    (filed['supplies'] as Record<string, number>[]).reduce((total, row) => total + (row[name] ?? 0), 0)
  const stored = await books
    .prepare('SELECT sum(subtotal) AS net, sum(tax_amount) AS tax FROM transactions WHERE account_id = ?')
    .bind(account_id)
    .first()
  expect({ net: sum('gross_sales'), tax: sum('tax_amount') }).toEqual(stored)
})
