import { exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { created } from '../../sales/transactions/sales.ts'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

await loadTestData()

async function seller(country: string, vat_id: string): Promise<string> {
  const { key } = await newAccount()
  const body = { name: 'Acme', country, vat_id, time_zone: 'UTC' }
  expect((await call('PUT', '/v1/account', { key, body })).status).toBe(200)
  const registration = { scheme: 'oss_union', valid_from: '2021-07-01' }
  expect((await call('POST', '/v1/registrations', { key, body: registration })).status).toBe(201)
  return key
}

const sale = (country: string, vat_id: string | null, amount: number, more: object = {}) => ({
  invoice_number: `INV-${amount}`,
  customer: { address: { country }, ...(vat_id !== null && { vat_id }) },
  currency: 'EUR',
  transaction_date: '2026-07-07',
  line_items: [{ product_type: 'physical_goods', amount }],
  ...more,
})

async function fileOf(key: string, query: string): Promise<string> {
  const response = await exports.default.fetch(`https://service.test/v1/reports/filing/file?${query}`, {
    headers: { Authorization: `Bearer ${key}`, 'CF-Connecting-IP': '192.0.2.1' },
  })
  const text = await response.text()
  expect(response.status, text).toBe(200)
  return text
}

const LIST = 'type=eu_domestic&jurisdiction_id=DE&period=2026-Q3'
const GENERIC = 'type=generic&period=2026-Q3'
const DATEV = `${GENERIC}&format=datev_csv&consultant=1001&client=1&chart=skr03&debtor_account=10000`

describe('a VAT id in a file', () => {
  it('has its usual form however it was typed, so that one customer is one line', async () => {
    const key = await seller('DE', 'DE136695976')
    const typed = ['GR094259216', 'EL 094259216', 'el-094.259.216', '094259216']
    for (const [index, vat_id] of typed.entries()) await created(key, sale('GR', vat_id, 10_000 + index))
    await created(key, sale('FR', 'fr 40 303 265 045', 5_000))
    const list = await fileOf(key, `${LIST}&format=ec_sales_list`)
    expect(list.split('\r\n').slice(1)).toEqual([
      'DE,2026-Q3,EL,EL094259216,goods,EUR,40006',
      'DE,2026-Q3,FR,FR40303265045,goods,EUR,5000',
      '',
    ])
    expect(await fileOf(key, `${LIST}&format=de_zm_csv`)).toContain('EL094259216,400,L\r\nFR40303265045,50,L')
    const datev = await fileOf(key, DATEV)
    expect(datev.match(/"EL094259216"/g)).toHaveLength(4)
    expect(datev).not.toContain('GR094259216')
    const saft = await fileOf(key, `${GENERIC}&format=saft_lines_csv`)
    expect(saft.match(/,EL094259216,/g)).toHaveLength(4)
    expect(saft).toContain(',FR40303265045,')
  })

  it('is the same in the file of a filed return', async () => {
    const key = await seller('DE', 'DE136695976')
    await created(key, sale('GR', 'GR094259216', 10_000))
    const body = { type: 'eu_domestic', jurisdiction_id: 'DE', period: '2026-Q3' }
    expect((await call('POST', '/v1/returns', { key, body })).status).toBe(201)
    expect(await fileOf(key, `${LIST}&format=ec_sales_list`)).toContain('DE,2026-Q3,EL,EL094259216,goods')
  })

  it('of a Greek seller begins with EL in files and invoices', async () => {
    const key = await seller('GR', 'GR094259216')
    await created(key, sale('FR', null, 4_000))
    const xml = await fileOf(key, 'type=oss_union&period=2026-Q3&format=oss_xml')
    expect(xml).toContain('issuedBy="EL">094259216<')
    const { transaction_date: _day, invoice_number: _number, ...domestic } = sale('GR', null, 4_000)
    const body = { ...domestic, einvoice: {} }
    const { body: answer } = await call('POST', '/v1/calculate', { key, body })
    expect(answer['einvoice']).toMatchObject({
      seller_registrations: [{ registration_number: 'EL094259216' }],
    })
  })

  it('is no formula, and no text is', async () => {
    const key = await seller('DE', 'DE136695976')
    const formula = '=HYPERLINK("http://e","x")'
    await created(
      key,
      sale('DE', formula, 10_000, {
        invoice_number: '+1-1',
        line_items: [{ product_type: 'physical_goods', amount: 10_000, description: '\uFF1D1+1' }],
      }),
    )
    const datev = await fileOf(key, DATEV)
    expect(datev).not.toContain('HYPERLINK')
    expect(datev).toContain(`"'\uFF1D1+1"`)
    expect(datev).toContain('"1-1"')
    expect(await fileOf(key, `${GENERIC}&format=saft_lines_csv`)).toContain(
      `"'=HYPERLINK(""http://e"",""x"")"`,
    )
  })
})
