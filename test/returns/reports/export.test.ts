import { exports } from 'cloudflare:workers'
import Papa from 'papaparse'
import { expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { created, GIVEN } from '../../sales/transactions/sales.ts'

await loadTestData()

async function download(key: string, query: string) {
  const response = await exports.default.fetch(`https://service.test/v1/reports/export?${query}`, {
    headers: { Authorization: `Bearer ${key}` },
  })
  const text = await response.text()
  return {
    response,
    text,
    rows: Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true }).data,
  }
}

it('streams more than one page of transactions as a file', async () => {
  const { key } = await newAccount()
  for (let batch = 0; batch < 21; batch += 1)
    await call('POST', '/v1/transactions/batch', {
      key,
      body: { transactions: Array.from({ length: 50 }, () => GIVEN) },
    })
  const { response, rows, text } = await download(key, 'report=transactions')
  expect(response.status).toBe(200)
  expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
  expect(response.headers.get('Content-Disposition')).toBe('attachment; filename="transactions.csv"')
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  expect(response.headers.get('X-Request-Id')).toMatch(/^req_/)
  expect(rows).toHaveLength(1_050)
  expect(new Set(rows.map((row) => row['id'])).size).toBe(1_050)
  expect(text.split('\r\n')).toHaveLength(1_052)
})

it('is safe in a spreadsheet: formulas become text, and negative amounts stay numbers', async () => {
  const { key } = await newAccount()
  for (const external_id of [
    '=1+1',
    '+cmd',
    '-2',
    '@sum',
    ' =1',
    '\t=1',
    '"=1',
    "=cmd|'/C calc'!A1",
    'plain',
    'a;=1+1',
    '＝1+1',
    '\u200b\u2060=1',
    'a,"b"\nc;=d',
  ])
    await created(key, {
      ...GIVEN,
      external_id,
      line_items: [{ amount: -500, product_type: 'saas', tax_rate: 0.19, tax_amount: -95 }],
    })
  const { rows, text } = await download(key, 'report=transactions')
  const ids = rows.map((row) => row['external_id'] ?? '')
  expect(ids).toHaveLength(13)
  for (const id of ids) expect(id).toMatch(/^(['a-z])/)
  expect(ids).toContain("'=1+1")
  for (const id of ["a;'=1+1", "'＝1+1", "'\u200b\u2060=1", 'a,"b"\nc;\'=d']) expect(ids).toContain(id)
  expect(rows[0]).toMatchObject({ subtotal: '-500', tax_amount: '-95' })
  expect(text).toContain('"a,""b""')
})

it('writes the same summary and filing as the JSON answers', async () => {
  const { key } = await newAccount()
  await created(key, { ...GIVEN, transaction_date: '2026-05-05' })
  expect((await download(key, 'report=summary&from_date=2026-01-01&to_date=2026-12-31')).rows).toMatchObject([
    { jurisdiction_id: 'DE', currency: 'EUR', transactions: '1', gross_sales: '10000', net_tax: '1900' },
  ])
  expect((await download(key, 'report=filing&type=generic&period=2026-Q2')).rows).toMatchObject([
    { section: 'supply', jurisdiction_id: 'DE', rate: '0.19', taxable_amount: '10000', tax_amount: '1900' },
  ])
})

it('takes the filters of the list of transactions', async () => {
  const { key } = await newAccount()
  const body = { name: 'Acme', address: { country: 'DE' } }
  const customer_id = String((await call('POST', '/v1/customers', { key, body })).body['id'])
  const { customer: _, ...sale } = GIVEN
  await created(key, { ...sale, customer_id, external_id: 'a-1' })
  const ebook = { ...GIVEN.line_items[0], product_type: 'ebooks' }
  await created(key, { ...GIVEN, external_id: 'b-1', line_items: [ebook] })
  const found = async (filter: string) =>
    (await download(key, `report=transactions&${filter}`)).rows.map((row) => row['external_id'])
  expect(await found(`customer_id=${customer_id}`)).toEqual(['a-1'])
  expect(await found('product_type=ebooks')).toEqual(['b-1'])
  expect(await found('external_id_prefix=b')).toEqual(['b-1'])
})

it('writes only the header if there are no rows', async () => {
  const { key } = await newAccount()
  const { text, rows } = await download(key, 'report=transactions&from_date=2026-01-01')
  expect(rows).toEqual([])
  expect(text).toMatch(/^id,external_id,.*\r\n$/)
})

it.each([
  ['', 'report'],
  ['report=secrets', 'report'],
  ['report=summary', 'from_date'],
  ['report=filing&type=generic', 'period'],
  ['report=transactions&from_date=2026-02-01&to_date=2026-01-01', 'to_date'],
])('refuses ?%s and names %s', async (query, path) => {
  const { key } = await newAccount()
  const answer = await call('GET', `/v1/reports/export?${query}`, { key })
  expect(answer.status).toBe(400)
  expect(answer.body['errors']).toContainEqual({ path, message: expect.any(String) })
})
