import { exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { created } from '../../sales/transactions/sales.ts'
import { newAccount } from '../../support/account.ts'
import { call, newAddress } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

await loadTestData()

type Box = { box: string; amount: number | null; transactions_url: string | null }

async function german(...registrations: object[]): Promise<string> {
  const { key } = await newAccount()
  const body = { name: 'Acme', country: 'DE', vat_id: 'DE136695976', time_zone: 'UTC' }
  expect((await call('PUT', '/v1/account', { key, body })).status).toBe(200)
  for (const registration of [{ scheme: 'oss_union' }, ...registrations]) {
    const given = { valid_from: '2021-07-01', ...registration }
    expect((await call('POST', '/v1/registrations', { key, body: given })).status).toBe(201)
  }
  return key
}

const sale = (address: object, product_type: string, amount: number, more: object = {}) => ({
  invoice_number: `RE-${amount}`,
  customer: { address },
  currency: 'EUR',
  transaction_date: '2026-07-05',
  line_items: [{ product_type, amount }],
  ...more,
})
const IE = { country: 'IE' }
const NEW_YORK = { country: 'US', region: 'NY', postal_code: '10001' }

async function boxesOf(key: string): Promise<Record<string, number>> {
  const path = '/v1/reports/filing?type=eu_domestic&jurisdiction_id=DE&period=2026-Q3'
  const { boxes } = (await call('GET', path, { key })).body as { boxes: Box[] }
  return Object.fromEntries(boxes.flatMap(({ box, amount }) => (amount ? [[box, amount]] : [])))
}

async function fileOf(key: string, format: string): Promise<string[]> {
  const query = `type=generic&period=2026-Q3&format=${format}`
  const response = await exports.default.fetch(`https://service.test/v1/reports/filing/file?${query}`, {
    headers: { Authorization: `Bearer ${key}`, 'CF-Connecting-IP': newAddress() },
  })
  const text = await response.text()
  expect(response.status, text).toBe(200)
  return text.split('\r\n')
}

const DATEV = 'datev_csv&consultant=1001&client=1&chart=skr03&debtor_account=10000'

/** Amount, side, account, first and second number, state and rate of a posting. */
function postingOf(row: string): (string | undefined)[] {
  const cells = row.split(';')
  return [0, 1, 7, 10, 11, 39, 40].map((index) => cells[index])
}

describe('a supply that another member state taxes at 0 %', () => {
  it('is turnover outside Germany, and a posting with its state and rate', async () => {
    const key = await german()
    await created(key, sale(IE, 'children_clothing', 5_000))
    expect(await boxesOf(key)).toEqual({ '45': 5_000 })
    const [, , posting = ''] = await fileOf(key, DATEV)
    expect(postingOf(posting)).toEqual(['50,00', '"S"', '8320', '"RE-5000"', '', '"IE"', '0,00'])
  })

  it('is one of the services too', async () => {
    const key = await german()
    await created(key, sale(IE, 'ebooks', 900))
    expect(await boxesOf(key)).toEqual({ '45': 900 })
    const [, , posting = ''] = await fileOf(key, DATEV)
    expect(postingOf(posting)).toEqual(['9,00', '"S"', '8331', '"RE-900"', '', '"IE"', '0,00'])
  })

  it('is neither an import nor an export from a stock elsewhere', async () => {
    const key = await german({ jurisdiction_id: 'PL', registration_number: 'PL8567346215' })
    await created(key, sale(IE, 'children_clothing', 700, { ship_from: { country: 'CN' } }))
    await created(key, sale(NEW_YORK, 'physical_goods', 300, { ship_from: { country: 'PL' } }))
    expect(await boxesOf(key)).toEqual({})
  })
})

const GENERIC_COLUMNS = ['InvoiceNo', 'InvoiceType', 'Reference', 'TaxCountryRegion', 'TaxExemptionReason']

async function saftLines(key: string): Promise<(string | undefined)[][]> {
  const [head = '', ...rows] = await fileOf(key, 'saft_lines_csv')
  const places = GENERIC_COLUMNS.map((name) => head.split(',').indexOf(name))
  return rows.slice(0, -1).map((row) => places.map((place) => row.split(',')[place]))
}

describe('a document of credit', () => {
  it('has its own number and names its invoice in SAF-T and DATEV', async () => {
    const key = await german()
    const id = await created(key, sale({ country: 'DE' }, 'saas', 10_000))
    const body = { amount: 1_190, reason: 'r', refunded_at: '2026-08-15', credit_note_number: 'GS-77' }
    expect((await call('POST', `/v1/transactions/${id}/refund`, { key, body })).status).toBe(200)
    const credit = { invoice_number: 'GS-78', credit_note_for: { transaction_id: id } }
    await created(key, sale({ country: 'DE' }, 'saas', -2_000, { ...credit, transaction_date: '2026-08-16' }))
    expect(await saftLines(key)).toEqual([
      ['RE-10000', 'FT', '', 'DE', ''],
      ['GS-77', 'NC', 'RE-10000', 'DE', ''],
      ['GS-78', 'NC', 'RE-10000', 'DE', ''],
    ])
    const postings = (await fileOf(key, DATEV)).slice(2, -1).map(postingOf)
    expect(postings.map((cells) => cells.slice(0, 5))).toEqual([
      ['119,00', '"S"', '8400', '"RE-10000"', ''],
      ['11,90', '"H"', '8400', '"RE-10000"', '"GS-77"'],
      ['23,80', '"H"', '8400', '"GS-78"', '"RE-10000"'],
    ])
  })
})

it('says in SAF-T why a line has no tax by the law of the seller', async () => {
  const key = await german()
  await created(key, sale(NEW_YORK, 'physical_goods', 100))
  await created(key, sale({ country: 'CH' }, 'saas', 200))
  await created(key, sale({ country: 'DE' }, 'education', 300))
  await created(
    key,
    sale({ country: 'FR' }, 'saas', 400, {
      customer: { address: { country: 'FR' }, vat_id: 'FR40303265045' },
    }),
  )
  expect(await saftLines(key)).toEqual([
    ['RE-100', 'FT', '', 'DE', 'export'],
    ['RE-200', 'FT', '', 'DE', 'not_subject_to_tax'],
    ['RE-300', 'FT', '', 'DE', 'product_exempt'],
    ['RE-400', 'FT', '', 'FR', 'reverse_charge'],
  ])
})
