import { exports } from 'cloudflare:workers'
import Papa from 'papaparse'
import { expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call, newAddress } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { create } from '../../sales/transactions/sales.ts'

await loadTestData()

type Row = Record<string, unknown> & { missing: { item: string }[] }

const SELLER = { country: 'DE', registrations: ['DE', 'oss_union'] }
const DAYS = 'from_date=2026-01-01&to_date=2026-12-31'

const GOODS = {
  seller: SELLER,
  customer: { address: { country: 'FR', postal_code: '75002' } },
  currency: 'EUR',
  transaction_date: '2026-03-10',
  external_id: 'order-1',
  line_items: [{ amount: 10_000, quantity: 2, product_type: 'physical_goods', description: 'Lamp' }],
}
const FULL = {
  invoice_number: 'R-1',
  payments: [
    { date: '2026-03-01', amount: 2_000, reference: 'ch_1' },
    { date: '2026-03-10', amount: 10_000 },
  ],
  ship_from: { country: 'DE', postal_code: '10115' },
}
const SERVICE = {
  ...GOODS,
  external_id: 'order-2',
  line_items: [{ amount: 5_000, product_type: 'saas' }],
}

async function records(key: string, query: string): Promise<Row[]> {
  const { status, body, text } = await call('GET', `/v1/reports/oss-records?${query}`, { key })
  expect(status, text).toBe(200)
  return body['records'] as Row[]
}

const items = (row: Row | undefined) => row?.missing.map(({ item }) => item)

it('contains the items of art. 63c for sales and refunds, and names what they lack', async () => {
  const { key } = await newAccount()
  const { body: sale, text } = await create(key, { ...GOODS, ...FULL })
  expect(sale['id'], text).toBeDefined()
  await create(key, SERVICE)
  await create(key, {
    ...SERVICE,
    external_id: 'order-3',
    seller: { country: 'DE', registrations: ['DE', 'FR'] },
  })
  const refund = { amount: 6_000, reason: 'One lamp came back', credit_note_number: 'G-1' }
  await call('POST', `/v1/transactions/${String(sale['id'])}/refund`, {
    key,
    body: { ...refund, refunded_at: '2026-04-02' },
  })
  const [goods, service, returned, ...rest] = await records(key, `scheme=oss_union&${DAYS}`)
  expect(rest).toEqual([])
  expect(goods).toMatchObject({
    scheme: 'oss_union',
    entry: 'sale',
    member_state: 'FR',
    kind: 'goods',
    description: 'Lamp',
    quantity: 2,
    date: '2026-03-10',
    currency: 'EUR',
    taxable_amount: 10_000,
    changes_sale_of: null,
    tax_rate: 0.2,
    tax_amount: 2_000,
    payments: [{ amount: 2_000 }, { amount: 10_000 }],
    payments_on_account: [{ date: '2026-03-01', amount: 2_000, reference: 'ch_1' }],
    invoice_number: 'R-1',
    customer_address: { country: 'FR', region: null, postal_code: '75002' },
    dispatched_from: { country: 'DE', region: null, postal_code: '10115' },
    order_number: 'order-1',
    keep_until: '2036-12-31',
  })
  expect(items(goods)).toEqual(['j'])
  expect(service).toMatchObject({ kind: 'services', evidence_status: 'missing', tax_amount: 1_000 })
  expect(items(service)).toEqual(['h', 'k'])
  expect(returned).toMatchObject({
    entry: 'refund',
    date: '2026-04-02',
    taxable_amount: -5_000,
    tax_amount: -1_000,
    changes_sale_of: '2026-03',
    description: 'One lamp came back',
    credit_note_number: 'G-1',
  })
  expect(items(returned)).toEqual(['j'])
})

it('asks for the consignment number of imports, and has other letters there', async () => {
  const { key } = await newAccount()
  const sale = {
    ...GOODS,
    seller: { country: 'US', region: 'TX', registrations: ['ioss'] },
    ship_from: { country: 'US', region: 'TX' },
  }
  await create(key, sale)
  await create(key, { ...FULL, ...sale, external_id: 'order-2', consignment_number: 'JD0146' })
  const [bare, full] = await records(key, `scheme=ioss&${DAYS}`)
  expect(items(bare)).toEqual(['h', 'm'])
  expect(full).toMatchObject({ consignment_number: 'JD0146' })
  expect(items(full)).toEqual(['i'])
})

it('pages, keeps to its days and its account, and is a CSV file', async () => {
  const { key } = await newAccount()
  const stranger = await newAccount()
  for (const external_id of ['a', 'b', 'c']) await create(key, { ...SERVICE, external_id })
  expect(await records(stranger.key, `scheme=oss_union&${DAYS}`)).toEqual([])
  expect(await records(key, 'scheme=oss_union&from_date=2026-03-11&to_date=2026-12-31')).toEqual([])
  const first = await call('GET', `/v1/reports/oss-records?scheme=oss_union&${DAYS}&limit=2`, { key })
  expect(first.body).toMatchObject({ has_more: true, limit: 2 })
  const cursor = encodeURIComponent(String(first.body['next_cursor']))
  expect(await records(key, `scheme=oss_union&${DAYS}&limit=2&cursor=${cursor}`)).toHaveLength(1)
  const file = await exports.default.fetch(
    `https://service.test/v1/reports/export?report=oss_records&scheme=oss_union&${DAYS}`,
    { headers: { Authorization: `Bearer ${key}`, 'CF-Connecting-IP': newAddress() } },
  )
  expect(file.headers.get('Content-Type')).toContain('text/csv')
  const { data } = Papa.parse<Record<string, string>>(await file.text(), {
    header: true,
    skipEmptyLines: true,
  })
  expect(data.map((row) => row['order_number'])).toEqual(['a', 'b', 'c'])
  expect(data[0]).toMatchObject({
    member_state: 'FR',
    taxable_amount: '5000',
    customer_address: 'FR 75002',
    missing: expect.stringContaining('h: date and amount of the payments'),
  })
})

it.each([
  [`scheme=voec&${DAYS}`, 'scheme'],
  ['scheme=ioss&from_date=2026-02-01&to_date=2026-01-01', 'to_date'],
])('refuses %s', async (query, path) => {
  const { key } = await newAccount()
  for (const start of ['/v1/reports/oss-records?', '/v1/reports/export?report=oss_records&']) {
    const { status, body } = await call('GET', start + query, { key })
    expect(status).toBe(400)
    expect(body['errors']).toMatchObject([{ path }])
  }
})
