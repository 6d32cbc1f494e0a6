import { exports } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { EU_FORMS } from '../../../src/returns/forms/eu-boxes.ts'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { created } from '../../sales/transactions/sales.ts'

await loadTestData()

type Body = Record<string, unknown>
type Box = { box: string; amount: number | null; form_amount: number | null; transactions_url: string | null }

const get = async (key: string, path: string): Promise<Body> => {
  const answer = await call('GET', path, { key })
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}

async function seller(country: string): Promise<string> {
  const { key } = await newAccount()
  const body = { name: 'Acme', country, vat_id: null, time_zone: 'UTC' }
  expect((await call('PUT', '/v1/account', { key, body })).status).toBe(200)
  for (const registration of [
    { jurisdiction_id: country, registration_number: 'local-1' },
    { scheme: 'oss_union' },
    { jurisdiction_id: 'PL', valid_from: '2020-01-01', valid_to: '2020-12-31' },
  ]) {
    const given = { valid_from: '2020-01-01', ...registration }
    expect((await call('POST', '/v1/registrations', { key, body: given })).status).toBe(201)
  }
  return key
}

const IDS: Record<string, string> = { FR: 'FR40303265045', DE: 'DE136695976' }
const business = (country: string) => ({
  address: { country },
  type: 'business',
  vat_id: IDS[country],
})
const sale = (customer: object, amount: number, product_type: string) => ({
  customer,
  currency: 'EUR',
  transaction_date: '2026-08-03',
  line_items: [{ amount, product_type }],
})
const to = (country: string, more: object = {}) => ({ address: { country, ...more } })

/** One sale of each kind, with amounts whose sums tell them apart. */
async function sellEach(key: string, home: string, other: string): Promise<void> {
  await created(key, sale(to(home), 1_000_01, 'saas'))
  await created(key, sale(to(home), 2_000_00, 'books'))
  await created(key, sale(to('US', { region: 'CA', postal_code: '94105' }), 4_000_00, 'physical_goods'))
  await created(key, sale(business(other), 8_000_00, 'physical_goods'))
  await created(key, sale(business(other), 16_000_00, 'saas'))
  await created(key, sale(to(other), 32_000_00, 'physical_goods'))
  await created(key, sale(to('US', { region: 'CA', postal_code: '94105' }), 64_000_00, 'saas'))
}

async function boxes(
  key: string,
  state: string,
): Promise<{ filed: Body; amounts: Record<string, number | null> }> {
  const filed = await get(key, `/v1/reports/filing?type=eu_domestic&jurisdiction_id=${state}&period=2026-Q3`)
  for (const { box, amount, transactions_url } of filed['boxes'] as Box[]) {
    if (transactions_url === null) continue
    const { lines } = (await get(key, transactions_url)) as { lines: { figure_amount: number }[] }
    expect(
      lines.reduce((sum, line) => sum + line.figure_amount, 0),
      box,
    ).toBe(amount)
  }
  const amounts = (filed['boxes'] as Box[]).flatMap(({ box, amount }) =>
    amount === 0 || amount === null ? [] : [[box, amount] as const],
  )
  return { filed, amounts: Object.fromEntries(amounts) }
}

it('fills in the German advance return', async () => {
  const key = await seller('DE')
  await sellEach(key, 'DE', 'FR')
  const { filed, amounts } = await boxes(key, 'DE')
  expect(amounts).toEqual({
    '81': 1_000_01,
    '86': 2_000_00,
    '43': 4_000_00,
    '41': 8_000_00,
    '21': 16_000_00,
    '45': 96_000_00,
    '81-tax': 190_00,
    '86-tax': 140_00,
    'office-tax': 330_00,
  })
  expect(filed).toMatchObject({
    currency: 'EUR',
    seller: {
      name: 'Acme',
      country: 'DE',
      registrations: [
        { id: 'DE', registration_number: 'local-1' },
        { id: 'oss_union', registration_number: null },
      ],
    },
    totals: { taxable_amount: 3_000_01, tax_amount: 190_00 + 140_00 },
    supplies: [
      { kind: 'goods', rate: 0.07, tax_amount: 140_00 },
      { kind: 'services', rate: 0.19, tax_amount: 190_00 },
    ],
  })
  expect((filed['boxes'] as Box[]).find(({ box }) => box === '81')).toMatchObject({ form_amount: 1_000 })
  expect((filed['boxes'] as Box[]).find(({ box }) => box === '66')).toMatchObject({ amount: null })
})

it('has the tax that the German office computes from whole euros beside that of the sales', async () => {
  const key = await seller('DE')
  for (const amount of [1_275_49, 190_40]) {
    const product_type = amount === 1_275_49 ? 'saas' : 'books'
    await created(key, sale(to('DE'), amount, product_type))
  }
  const { filed, amounts } = await boxes(key, 'DE')
  expect(amounts).toMatchObject({ '81-tax': 242_25, '86-tax': 13_30, 'office-tax': 255_55 })
  expect(filed['totals']).toMatchObject({ tax_amount: 242_34 + 13_33 })
})

it('has no negative line of the French return, but lines of regularisation', async () => {
  const key = await seller('FR')
  const id = await created(key, { ...sale(to('FR'), 1_000_50, 'saas'), transaction_date: '2026-07-03' })
  const body = { rest: true, reason: 'r', refunded_at: '2026-08-12' }
  expect((await call('POST', `/v1/transactions/${id}/refund`, { key, body })).status).toBe(200)
  await created(key, sale(to('FR'), 300_50, 'books'))
  const filed = await get(key, '/v1/reports/filing?type=eu_domestic&jurisdiction_id=FR&period=2026-08')
  const named = new Map((filed['boxes'] as Box[]).map((each) => [each.box, each]))
  const shown = ['A1', '08', '08-tax', '09', '09-tax', 'F8', '21'].map((box) => [
    box,
    named.get(box)?.amount,
    named.get(box)?.form_amount,
  ])
  expect(shown).toEqual([
    ['A1', 300_50, 301],
    ['08', 0, 0],
    ['08-tax', 0, 0],
    ['09', 300_50, 301],
    ['09-tax', 16_53, 17],
    ['F8', 1_000_50, 1_001],
    ['21', 200_10, 200],
  ])
  const { lines } = (await get(key, String(named.get('21')?.transactions_url))) as {
    lines: { figure_amount: number }[]
  }
  expect(lines.map(({ figure_amount }) => figure_amount)).toEqual([200_10])
  expect(filed['totals']).toMatchObject({ tax_due: 16_53 - 200_10 })
  expect(filed['notes']).toContainEqual(expect.stringMatching(/no negative amount.*F8 .*21/))
})

it('fills in the French, Irish and Dutch returns', async () => {
  const french = await seller('FR')
  await sellEach(french, 'FR', 'DE')
  expect((await boxes(french, 'FR')).amounts).toEqual({
    A1: 3_000_01,
    E1: 4_000_00,
    E2: 80_000_00,
    E3: 32_000_00,
    F2: 8_000_00,
    '08': 1_000_01,
    '08-tax': 200_00,
    '09': 2_000_00,
    '09-tax': 110_00,
  })
  const irish = await seller('IE')
  await sellEach(irish, 'IE', 'FR')
  expect((await boxes(irish, 'IE')).amounts).toEqual({ T1: 230_00, E1: 8_000_00, ES1: 16_000_00 })
  const dutch = await seller('NL')
  await sellEach(dutch, 'NL', 'FR')
  expect((await boxes(dutch, 'NL')).amounts).toEqual({
    '1a': 1_000_01,
    '1a-tax': 210_00,
    '1b': 2_000_00,
    '1b-tax': 180_00,
    '3a': 4_000_00,
    '3b': 24_000_00,
  })
})

it('fills in groups for another state, in its currency', async () => {
  const key = await seller('SE')
  await created(key, { ...sale(to('SE'), 1_000_00, 'saas'), currency: 'SEK' })
  await created(key, sale(to('SE'), 1_000_00, 'saas'))
  const { filed, amounts } = await boxes(key, 'SE')
  expect(filed).toMatchObject({ currency: 'SEK', unconverted: [{ currency: 'EUR' }] })
  expect(amounts).toEqual({ taxable: 1_000_00, tax: 250_00 })
})

it('declares no tax of another country, of sales without an exchange rate and of late ones', async () => {
  const key = await seller('DE')
  const body = { jurisdiction_id: 'GB', registration_number: 'GB123456789', valid_from: '2020-01-01' }
  expect((await call('POST', '/v1/registrations', { key, body })).status).toBe(201)
  const german = { type: 'eu_domestic', period: '2026-Q3', jurisdiction_id: 'DE' }
  await created(key, sale(to('DE'), 1_000_00, 'saas'))
  expect((await call('POST', '/v1/returns', { key, body: german })).status).toBe(201)
  await created(key, sale(to('GB'), 1_000_00, 'saas'))
  await created(key, { ...sale(to('GB'), 1_000_00, 'saas'), currency: 'GBP' })
  const next = await get(key, '/v1/reports/filing?type=eu_domestic&period=2026-Q4&jurisdiction_id=DE')
  expect(next).toMatchObject({
    corrections: [],
    amendments: [
      { jurisdiction_id: 'GB', currency: 'EUR', taxable_amount: 1_000_00, tax_amount: 0 },
      { jurisdiction_id: 'GB', currency: 'GBP', taxable_amount: 1_000_00, tax_amount: 0 },
    ],
    totals: { tax_amount: 0, tax_due: 0 },
    unconverted: [],
  })
})

/** Sells services in pounds to consumers in Great Britain, and to a business in France in euros. */
async function inPounds(home: string): Promise<string> {
  const key = await seller(home)
  const british = { jurisdiction_id: 'GB', registration_number: 'GB123456789', valid_from: '2020-01-01' }
  expect((await call('POST', '/v1/registrations', { key, body: british })).status).toBe(201)
  await created(key, { ...sale(to('GB'), 1_000_00, 'saas'), currency: 'GBP' })
  await created(key, sale(business('FR'), 2_000_00, 'saas'))
  return key
}

async function fileOf(key: string, home: string, format: string): Promise<string> {
  const query = `type=eu_domestic&jurisdiction_id=${home}&period=2026-Q3&format=${format}`
  const answer = await exports.default.fetch(`https://service.test/v1/reports/filing/file?${query}`, {
    headers: { Authorization: `Bearer ${key}` },
  })
  return answer.text()
}

it('asks for no rate of sales that no box counts', async () => {
  const key = await inPounds('IE')
  const { filed, amounts } = await boxes(key, 'IE')
  expect(amounts).toEqual({ ES1: 2_000_00 })
  expect(filed['unconverted']).toEqual([])
  expect(await fileOf(key, 'IE', 'ec_sales_list')).toContain('FR40303265045,services,EUR,200000')
  const body = { type: 'eu_domestic', period: '2026-Q3', jurisdiction_id: 'IE' }
  expect((await call('POST', '/v1/returns', { key, body })).status).toBe(201)
  expect(await fileOf(key, 'IE', 'ec_sales_list')).toContain('FR40303265045,services,EUR,200000')
})

it('asks a list of sales to businesses only for the rates of these sales', async () => {
  const key = await inPounds('DE')
  const { filed } = await boxes(key, 'DE')
  expect(filed['unconverted']).toMatchObject([{ currency: 'GBP', net_amount: 1_000_00 }])
  expect(await fileOf(key, 'DE', 'de_zm_csv')).toContain('FR40303265045,2000,S')
  await created(key, { ...sale(business('FR'), 500_00, 'saas'), currency: 'USD' })
  expect(JSON.parse(await fileOf(key, 'DE', 'de_zm_csv'))).toMatchObject({
    errors: [{ path: 'fx_rates', message: 'needs a rate for USD' }],
  })
})

it('asks for a member state', async () => {
  const key = await seller('DE')
  for (const query of ['', '&jurisdiction_id=GB', '&jurisdiction_id=US-CA'])
    expect(
      await call('GET', `/v1/reports/filing?type=eu_domestic&period=2026-Q3${query}`, { key }),
    ).toMatchObject({ status: 400 })
})

it('is filed, and its lines stay', async () => {
  const key = await seller('DE')
  await sellEach(key, 'DE', 'FR')
  const body = { type: 'eu_domestic', period: '2026-Q3', jurisdiction_id: 'DE' }
  const answer = await call('POST', '/v1/returns', { key, body })
  expect(answer.status, answer.text).toBe(201)
  const { filed, amounts } = await boxes(key, 'DE')
  expect(filed['filed']).toMatchObject({ version: 1 })
  expect(amounts['81']).toBe(1_000_01)
})

it('names its source for each state', () => {
  for (const { source_url, boxes: own } of EU_FORMS.values()) {
    expect(source_url).toMatch(/^https:/)
    const names = own.map(({ box }) => box)
    expect(new Set(names).size).toBe(names.length)
  }
})

it.each([
  ['FR', 'MC'],
  ['MC', 'FR'],
])('declares a sale from %s to %s as one within France, not in the one-stop shop', async (home, other) => {
  const key = await seller(home)
  await created(key, sale(to(other), 1_000_00, 'physical_goods'))
  await created(key, sale(to(other), 2_000_00, 'saas'))
  const { amounts } = await boxes(key, 'FR')
  expect(amounts).toMatchObject({ A1: 3_000_00, '08': 3_000_00, '08-tax': 600_00 })
  const shop = await get(key, '/v1/reports/filing?type=oss_union&period=2026-Q3')
  expect(shop['supplies']).toEqual([])
})

it('declares a sale from Germany to Monaco in the one-stop shop as one to France', async () => {
  const key = await seller('DE')
  await created(key, sale(to('MC'), 1_000_00, 'physical_goods'))
  const shop = await get(key, '/v1/reports/filing?type=oss_union&period=2026-Q3')
  expect(shop['supplies']).toMatchObject([{ jurisdiction_id: 'FR', taxable_amount: 1_000_00 }])
  const records = await get(
    key,
    '/v1/reports/oss-records?scheme=oss_union&from_date=2026-08-01&to_date=2026-08-31',
  )
  expect(records['records']).toMatchObject([{ member_state: 'FR' }])
})

it('says that goods from stock in another member state are in the box of distance sales', async () => {
  const key = await seller('FR')
  await created(key, { ...sale(to('IT'), 1_000, 'physical_goods'), ship_from: { country: 'DE' } })
  const notesOf = async () => (await boxes(key, 'FR')).filed['notes']
  const note = expect.stringContaining('left stock in another member state')
  expect(await notesOf()).not.toContainEqual(note)
  const stock = { jurisdiction_id: 'DE', valid_from: '2026-01-01' }
  expect((await call('POST', '/v1/registrations', { key, body: stock })).status).toBe(201)
  expect(await notesOf()).toContainEqual(note)
})
