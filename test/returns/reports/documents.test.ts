import { exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { keptLines } from '../../../src/returns/documents/kept-lines.ts'
import type { LineEntry } from '../../../src/returns/rows/line-entry.ts'
import { newAccount } from '../../support/account.ts'
import { writeKansas } from '../../support/local-data.ts'
import { call, newAddress } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { created } from '../../sales/transactions/sales.ts'

await loadTestData()
await writeKansas()

type Body = Record<string, unknown>

/** A file is no JSON answer, so it is read as text. */
async function fileAt(
  key: string,
  path: string,
): Promise<{ status: number; headers: Headers; text: string }> {
  const response = await exports.default.fetch(`https://service.test${path}`, {
    headers: { Authorization: `Bearer ${key}`, 'CF-Connecting-IP': newAddress() },
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const fileOf = (key: string, query: string) => fileAt(key, `/v1/reports/filing/file?${query}`)

async function goodFile(key: string, query: string): Promise<{ headers: Headers; text: string }> {
  const { status, headers, text } = await fileOf(key, query)
  expect(status, text).toBe(200)
  return { headers, text }
}

/** The paths of what is missing. The answer is held against the document. */
async function missing(key: string, query: string): Promise<string[]> {
  const { status, body } = await call('GET', `/v1/reports/filing/file?${query}`, { key })
  expect(status).toBe(400)
  return ((body['errors'] ?? []) as { path: string }[]).map(({ path }) => path)
}

const golden = (name: string) => `./golden/${name}`

async function seller(country: string, profile: Body, ...registrations: Body[]): Promise<string> {
  const { key } = await newAccount()
  const body = { name: 'Acme', country, time_zone: 'UTC', ...profile }
  const put = await call('PUT', '/v1/account', { key, body })
  expect(put.status, put.text).toBe(200)
  for (const registration of registrations) {
    const given = { valid_from: '2020-01-01', ...registration }
    expect((await call('POST', '/v1/registrations', { key, body: given })).status).toBe(201)
  }
  return key
}

const sale = (country: string, amount: number, product_type: string, more: object = {}) => ({
  customer: { address: { country } },
  currency: 'EUR',
  transaction_date: '2026-08-03',
  line_items: [{ amount, product_type }],
  ...more,
})

const german = (...more: Body[]) =>
  seller('DE', { vat_id: 'DE136695976' }, { jurisdiction_id: 'DE' }, { scheme: 'oss_union' }, ...more)

async function refund(key: string, id: string, amount: number, refunded_at: string): Promise<void> {
  const body = { amount, reason: 'returned', refunded_at }
  expect((await call('POST', `/v1/transactions/${id}/refund`, { key, body })).status).toBe(200)
}

const OSS = 'type=oss_union&period=2026-Q3'

describe('the file of the one-stop shop', () => {
  const warehouse = { jurisdiction_id: 'PL', registration_number: 'PL5260250274' }

  async function sellAbroad(key: string): Promise<void> {
    await created(key, sale('FR', 10_000, 'saas'))
    await created(key, sale('FR', 20_000, 'physical_goods'))
    await created(key, sale('FR', 3_000, 'books'))
    await created(key, sale('FR', 10_001, 'physical_goods', { ship_from: { country: 'PL' } }))
    await created(key, sale('GR', 5_000, 'physical_goods', { ship_from: { country: 'PL' } }))
    // Not declared here: it is taxed at home, and it is of another quarter.
    await created(key, sale('DE', 1_000, 'saas'))
    await created(key, sale('FR', 7_777, 'saas', { transaction_date: '2026-10-01' }))
  }

  it('is the XML of the Commission, with parts 2a to 2d and corrections', async () => {
    const key = await german(warehouse)
    const id = await created(key, sale('IT', 10_000, 'saas', { transaction_date: '2026-05-01' }))
    await refund(key, id, 6_100, '2026-07-05')
    await sellAbroad(key)
    const { headers, text } = await goodFile(key, `${OSS}&format=oss_xml`)
    expect(headers.get('X-Layout')).toBe('verified')
    expect(headers.get('Content-Type')).toBe('application/xml')
    expect(headers.get('Content-Disposition')).toContain('oss_union-2026-Q3-oss_xml.xml')
    await expect(text).toMatchFileSnapshot(golden('oss-return.xml'))
  })

  it('has the services of a fixed establishment in part 2d, and shares a figure with those from home', async () => {
    const branch = { jurisdiction_id: 'AT', registration_number: 'ATU13585627' }
    const key = await german(branch)
    await created(key, sale('FR', 10_000, 'saas'))
    const id = await created(key, sale('FR', 20_000, 'saas', { supplied_from: 'at' }))
    const recorded = await call('GET', `/v1/transactions/${id}`, { key })
    expect(recorded.body).toMatchObject({ supplied_from: 'AT', tax_amount: 4_000 })
    const { text } = await goodFile(key, `${OSS}&format=oss_xml`)
    await expect(text).toMatchFileSnapshot(golden('oss-establishment.xml'))
    expect(await missing(key, `${OSS}&format=bzst_oss_csv`)).toEqual(['supplies.FR.AT'])
  })

  it('refuses services that the state of their establishment taxes', async () => {
    const key = await german({ jurisdiction_id: 'AT', registration_number: 'ATU13585627' })
    await created(key, sale('FR', 10_000, 'saas', { supplied_from: 'FR' }))
    expect(await missing(key, `${OSS}&format=oss_xml`)).toEqual(['supplies.FR.services.0.2'])
    const outside = await call('POST', '/v1/transactions', {
      key,
      body: sale('FR', 10_000, 'saas', { supplied_from: 'US' }),
    })
    expect(outside).toMatchObject({ status: 400, body: { errors: [{ path: 'supplied_from' }] } })
  })

  it('is the document of the Czech portal', async () => {
    const home = [{ jurisdiction_id: 'CZ' }, { scheme: 'oss_union' }]
    const key = await seller('CZ', { name: 'Obchod s.r.o.', vat_id: 'CZ25663585' }, ...home, warehouse)
    const id = await created(key, sale('IT', 10_000, 'saas', { transaction_date: '2026-05-01' }))
    await refund(key, id, 6_100, '2026-07-05')
    await sellAbroad(key)
    const { headers, text } = await goodFile(key, `${OSS}&format=cz_oss_xml`)
    expect(headers.get('X-Layout')).toBe('verified')
    await expect(text).toMatchFileSnapshot(golden('cz-oss-return.xml'))
    const abroad = await german(warehouse)
    await sellAbroad(abroad)
    expect(await missing(abroad, `${OSS}&format=cz_oss_xml`)).toEqual(['seller.country', 'seller.vat_id'])
  })

  it('says that nothing was sold', async () => {
    const key = await german()
    const { text } = await goodFile(key, `${OSS}&format=oss_xml`)
    await expect(text).toMatchFileSnapshot(golden('oss-nil-return.xml'))
  })

  it('is the import of the German portal', async () => {
    const key = await german(warehouse)
    await sellAbroad(key)
    const { headers, text } = await goodFile(key, `${OSS}&format=bzst_oss_csv`)
    expect(headers.get('X-Layout')).toBe('unverified')
    expect(headers.get('X-To-Type')).toBeNull()
    expect(headers.get('X-Layout-Source')).toBe(
      'https://www.elster.de/bportal/helpGlobal?themaGlobal=osseust_import',
    )
    await expect(text).toMatchFileSnapshot(golden('bzst-oss.csv'))
  })

  it('for the German portal has the supplies, and a list of the corrections to type', async () => {
    const key = await german(warehouse)
    for (const country of ['IT', 'GR']) {
      const id = await created(key, sale(country, 10_000, 'saas', { transaction_date: '2026-05-01' }))
      await refund(key, id, 6_100, '2026-07-05')
    }
    await sellAbroad(key)
    const { headers, text } = await goodFile(key, `${OSS}&format=bzst_oss_csv`)
    expect(headers.get('X-To-Type')).toBe('EL 2026-Q2 -11.81 EUR; IT 2026-Q2 -11.00 EUR')
    await expect(text).toMatchFileSnapshot(golden('bzst-oss.csv'))
    const shown = await call('GET', `/v1/reports/filing?${OSS}`, { key })
    expect(shown.body['notes']).toContainEqual(
      'The file for the German portal has only the supplies. Type the corrections into the portal: ' +
        'Greece 2026-Q2 -€11.81, Italy 2026-Q2 -€11.00',
    )
  })

  it('names what is missing instead of a wrong file', async () => {
    const key = await seller('FR', {}, { jurisdiction_id: 'FR' }, { scheme: 'oss_union' })
    const id = await created(key, sale('DE', 10_000, 'saas', { transaction_date: '2026-05-01' }))
    await refund(key, id, 5_950, '2026-07-05')
    await created(key, sale('DE', 20_000, 'physical_goods', { ship_from: { country: 'PL' } }))
    await created(key, sale('DE', 20_000, 'saas', { currency: 'USD' }))
    await created(key, sale('IT', -1_000, 'saas'))
    expect(await missing(key, `${OSS}&format=bzst_oss_csv`)).toEqual([
      'fx_rates',
      'supplies.IT.services.0.22',
      'seller.country',
      'registrations.PL',
    ])
    expect(await missing(key, `${OSS}&format=oss_xml`)).toEqual([
      'fx_rates',
      'supplies.IT.services.0.22',
      'seller.vat_id',
    ])
    expect(await missing(key, 'type=oss_union&period=2099-Q4&format=oss_xml')).toContain('period')
    expect(await missing(key, `${OSS}&format=hmrc_mtd_json`)).toEqual(['format'])
    expect(await missing(key, 'type=ioss&period=2026-09&format=oss_xml')).toEqual(['format'])
  })

  it('is refused for the portal if a marketplace makes the sales', async () => {
    const key = await german()
    const deemed = { marketplace: { role: 'facilitator' } }
    await created(key, sale('FR', 10_000, 'physical_goods', deemed))
    expect(await missing(key, `${OSS}&format=bzst_oss_csv`)).toEqual(['marketplace'])
    await goodFile(key, `${OSS}&format=oss_xml`)
  })

  it('of a filed period is that of the filed figures', async () => {
    const key = await german(warehouse)
    await sellAbroad(key)
    const before = await goodFile(key, `${OSS}&format=oss_xml`)
    const { body } = await call('POST', '/v1/returns', {
      key,
      body: { type: 'oss_union', period: '2026-Q3' },
    })
    const id = String(body['id'])
    await created(key, sale('FR', 99_900, 'saas'))
    await call('PUT', '/v1/account', { key, body: { vat_id: null } })
    const after = await goodFile(key, `${OSS}&format=oss_xml`)
    expect(after.text).toBe(before.text)
    expect(after.headers.get('X-Return-Id')).toBe(id)
    const own = await fileAt(key, `/v1/returns/${id}/file?format=oss_xml`)
    expect(own).toMatchObject({ status: 200, text: before.text })
    const { key: stranger } = await newAccount()
    expect(await call('GET', `/v1/returns/${id}/file?format=csv`, { key: stranger })).toMatchObject({
      status: 404,
    })
  })
})

describe('the file of a British return', () => {
  const VAT = 'type=uk_vat100&period=2026-Q3&format=hmrc_mtd_json'
  const GIVEN = 'period_key=18A1&box_2=0&box_4=12345&box_7=100099&box_9=0&finalised=true'
  const pounds = (amount: number) => sale('GB', amount, 'saas', { currency: 'GBP' })

  it('is the body of HMRC’s interface', async () => {
    const key = await seller('GB', {}, { jurisdiction_id: 'GB' })
    await created(key, pounds(100_150))
    const { headers, text } = await goodFile(key, `${VAT}&${GIVEN}`)
    expect(headers.get('X-Layout')).toBe('verified')
    expect(JSON.parse(text)).toEqual({
      periodKey: '18A1',
      vatDueSales: 200.3,
      vatDueAcquisitions: 0,
      totalVatDue: 200.3,
      vatReclaimedCurrPeriod: 123.45,
      netVatDue: 76.85,
      totalValueSalesExVAT: 1001,
      totalValuePurchasesExVAT: 1000,
      totalValueGoodsSuppliedExVAT: 0,
      totalAcquisitionsExVAT: 0,
      finalised: true,
    })
    await expect(text).toMatchFileSnapshot(golden('hmrc-vat-return.json'))
  })

  it('asks for what sales do not tell', async () => {
    const key = await seller('GB', {}, { jurisdiction_id: 'GB' })
    expect(await missing(key, VAT)).toEqual(['box_2', 'box_4', 'box_7', 'box_9', 'period_key', 'finalised'])
    expect(await missing(key, `${VAT}&box_4=1.5`)).toEqual(['box_4'])
  })
})

describe('the common return of the Streamlined Sales Tax states', () => {
  const KANSAS = 'type=us_state&period=2026-08&jurisdiction_id=US-KS&format=sst_ser_xml'
  const GIVEN = 'tin=123456789&sst_id=S12345678&transmission=26244000001&sold_from=out_of_state'
  const kansas = (postal_code: string, amount: number, more: object = {}) => ({
    ...sale('US', amount, 'physical_goods', { currency: 'USD' }),
    customer: { address: { country: 'US', region: 'KS', postal_code } },
    ...more,
  })
  const american = (...more: Body[]) =>
    seller('US', { region: 'DE' }, { jurisdiction_id: 'US-KS', registration_number: '004-123' }, ...more)

  it('has the tax of the state and of each place, by where the goods left', async () => {
    const key = await american()
    await created(key, kansas('66604', 10_000))
    await created(key, kansas('66409', 20_000, { ship_from: { country: 'US', region: 'KS' } }))
    await created(key, kansas('66604', 5_000, { line_items: [{ amount: 5_000, product_type: 'groceries' }] }))
    const id = await created(key, kansas('66604', 3_333))
    await refund(key, id, 1_000, '2026-08-20')
    const { headers, text } = await goodFile(key, `${KANSAS}&${GIVEN}`)
    expect(headers.get('X-Layout')).toBe('verified')
    await expect(text).toMatchFileSnapshot(golden('sst-ser.xml'))
    const { body } = await call('GET', `/v1/reports/filing?${KANSAS.replace('&format=sst_ser_xml', '')}`, {
      key,
    })
    const { tax_due } = body['totals'] as { tax_due: number }
    expect(text).toContain(`<TotalTaxDue>${(tax_due / 100).toFixed(2)}</TotalTaxDue>`)
  })

  it('has the tax on groceries apart where the state has a rate for them', async () => {
    const key = await american()
    const food = { line_items: [{ amount: 10_000, product_type: 'groceries' }] }
    await created(key, kansas('', 10_000, { ...food, transaction_date: '2024-08-03' }))
    const { text } = await goodFile(key, `${KANSAS.replace('2026', '2024')}&${GIVEN}`)
    expect(text).toContain('<StateTaxDueFoodDrug>2.00</StateTaxDueFoodDrug>')
    expect(text).toContain('<StateTaxDueSalesOrigOutOfState>0.00</StateTaxDueSalesOrigOutOfState>')
    expect(text).toContain('<TotalTaxDue>2.00</TotalTaxDue>')
  })

  it('names the state by its number if there is no central registration, and can be nil', async () => {
    const key = await american()
    const { text } = await goodFile(key, `${KANSAS}&tin=123456789&transmission=26244000001`)
    expect(text).toContain('<StateID>004-123</StateID>')
    await expect(text).toMatchFileSnapshot(golden('sst-ser-nil.xml'))
  })

  it('names what is missing instead of a wrong file', async () => {
    const key = await seller(
      'US',
      { region: 'DE' },
      { jurisdiction_id: 'US-KS' },
      { jurisdiction_id: 'US-TX' },
    )
    await created(key, kansas('66604', 10_000))
    await created(key, kansas('66604', 10_000))
    await created(
      key,
      kansas('66604', 10_000, {
        line_items: [{ amount: 10_000, product_type: 'physical_goods', tax_amount: 1 }],
      }),
    )
    const paths = await missing(key, KANSAS)
    expect(paths.slice(0, 1)).toEqual(['sold_from'])
    expect(paths.slice(1)).toEqual([
      expect.stringMatching(/^transactions\./),
      'tin',
      'transmission',
      'sst_id',
    ])
    expect(await missing(key, KANSAS.replace('US-KS', 'US-TX'))).toContain('jurisdiction_id')
    expect(await missing(key, `${KANSAS}&${GIVEN.replace('26244000001', '1')}`)).toEqual(['transmission'])
  })
})

describe('the list of sales to businesses in the Union', () => {
  const DOMESTIC = 'type=eu_domestic&jurisdiction_id=DE&period=2026-Q3'
  const business = (country: string, vat_id: string) => ({
    customer: { address: { country }, type: 'business', vat_id },
  })

  async function sellToBusinesses(key: string): Promise<void> {
    const french = business('FR', 'FR40303265045')
    const id = await created(key, sale('FR', 800_050, 'physical_goods', french))
    await created(key, sale('FR', 100_00, 'physical_goods', french))
    await refund(key, id, 50_00, '2026-09-01')
    await created(key, sale('FR', 1_600_00, 'saas', french))
    await created(key, sale('IE', 320_49, 'saas', business('IE', 'IE6388047V')))
    await created(key, sale('DE', 640_00, 'saas', business('DE', 'DE136695976')))
  }

  it('adds up goods and services by customer', async () => {
    const key = await german()
    await sellToBusinesses(key)
    const { headers, text } = await goodFile(key, `${DOMESTIC}&format=ec_sales_list`)
    expect(headers.get('X-Layout')).toBe('own')
    await expect(text).toMatchFileSnapshot(golden('ec-sales-list.csv'))
    const german_list = await goodFile(key, `${DOMESTIC}&format=de_zm_csv`)
    expect(german_list.headers.get('X-Layout')).toBe('unverified')
    await expect(german_list.text).toMatchFileSnapshot(golden('de-zm.csv'))
  })

  it('is written for Germany alone in the German layout', async () => {
    const key = await seller('FR', {}, { jurisdiction_id: 'FR' })
    expect(await missing(key, 'type=eu_domestic&jurisdiction_id=FR&period=2026-Q3&format=de_zm_csv')).toEqual(
      ['jurisdiction_id'],
    )
  })
})

describe('the lines that a file needs', () => {
  const line = (id: string, day: string, taxable_amount: number) =>
    ({
      id,
      day,
      taxable_amount,
      net_amount: taxable_amount,
      tax_amount: 1,
      provincial_tax_amount: 0,
      customer_vat_id: null,
      customer_country: 'DE',
    }) as LineEntry

  it('are added up by their key, so that a return of any size fits into memory', () => {
    const kept = keptLines(({ day }) => day, 2)
    kept.add([line('a', '1', 10), line('b', '2', 20)])
    kept.add([line('c', '1', 5), line('d', '2', -20)])
    expect(kept.lines()).toMatchObject([
      { id: 'a', taxable_amount: 15, tax_amount: 2 },
      { id: 'b', taxable_amount: 0, tax_amount: 2 },
    ])
  })

  it('are refused if they are too many', () => {
    const kept = keptLines(null, 2)
    kept.add([line('a', '1', 10), line('b', '1', 20)])
    expect(() => kept.add([line('c', '1', 5)])).toThrow('more than 2 lines')
  })
})

const TO_NEW_YORK = { customer: { address: { country: 'US', region: 'NY', postal_code: '10001' } } }

describe('the files for accountants', () => {
  const ALL = 'type=generic&period=2026-Q3'
  const DATEV = 'format=datev_csv&consultant=1001&client=456&chart=skr03&debtor_account=10000'

  async function sellWithInvoices(key: string): Promise<void> {
    await created(key, sale('DE', 10_000, 'saas', { invoice_number: 'RE-1' }))
    const id = await created(key, sale('DE', 5_000, 'books', { invoice_number: 'RE-2' }))
    await refund(key, id, 1_070, '2026-09-01')
    await created(key, sale('FR', 20_000, 'physical_goods', { invoice_number: 'RE-3; "x"' }))
    await created(
      key,
      sale('FR', 40_000, 'physical_goods', {
        customer: { address: { country: 'FR' }, type: 'business', vat_id: 'FR40303265045' },
        invoice_number: 'RE-4',
      }),
    )
  }

  it('are the lines of SAF-T', async () => {
    const key = await german()
    await sellWithInvoices(key)
    const { headers, text } = await goodFile(key, `${ALL}&format=saft_lines_csv`)
    expect(headers.get('X-Layout')).toBe('unverified')
    const stable = text
      .replaceAll(/rfd_[0-9a-z]{26}/g, 'rfd_1')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-10-01T00:00:00.000Z')
    await expect(stable).toMatchFileSnapshot(golden('saft-lines.csv'))
    await created(key, sale('DE', 100, 'saas'))
    expect(await missing(key, `${ALL}&format=saft_lines_csv`)).toEqual([
      expect.stringMatching(/^transactions\./),
    ])
  })

  it('are postings for DATEV', async () => {
    const key = await german()
    await sellWithInvoices(key)
    const { headers, text } = await goodFile(key, `${ALL}&${DATEV}`)
    expect(headers.get('X-Layout')).toBe('unverified')
    await expect(text).toMatchFileSnapshot(golden('datev.csv'))
    expect(headers.get('Content-Disposition')).toContain('filename="EXTF_generic-2026-Q3-datev_csv.csv"')
    for (const posting of text.split('\r\n').slice(2, -1)) expect(posting).toMatch(/;0;\d{8};$/)
    const bytes = await exports.default.fetch(`https://service.test/v1/reports/filing/file?${ALL}&${DATEV}`, {
      headers: { Authorization: `Bearer ${key}`, 'CF-Connecting-IP': newAddress() },
    })
    expect(new Uint8Array(await bytes.arrayBuffer()).slice(0, 3)).toEqual(new Uint8Array([239, 187, 191]))
    expect(await missing(key, `${ALL}&format=datev_csv`)).toEqual([
      'consultant',
      'client',
      'chart',
      'debtor_account',
    ])
  })

  it('name the sales that DATEV cannot post, and have the others', async () => {
    const key = await german()
    const foreign = { ship_from: { country: 'PL' }, invoice_number: 'RE-9' }
    await created(key, sale('US', 7_000, 'physical_goods', { ...foreign, ...TO_NEW_YORK }))
    const asked = `${ALL}&${DATEV}`
    // A batch without a posting is no file.
    expect(await missing(key, asked)).toEqual([expect.stringMatching(/^transactions\./)])
    await created(key, sale('DE', 10_000, 'saas', { invoice_number: 'RE-1' }))
    await created(key, sale('DE', 100, 'saas', { currency: 'USD', invoice_number: 'RE-2' }))
    await created(key, sale('DE', 10_000, 'saas', { currency: 'JPY', invoice_number: 'RE-3' }))
    const { headers, text } = await goodFile(key, asked)
    const postings = text.split('\r\n').slice(2, -1)
    expect(postings).toEqual([expect.stringContaining('"RE-1"')])
    expect(headers.get('X-To-Type')?.split('; ')).toEqual([
      expect.stringMatching(/^RE-9 70\.00 EUR of 2026-\d\d-\d\d has no account: /),
      expect.stringMatching(/^RE-2 1\.19 USD of 2026-\d\d-\d\d is in USD: /),
      expect.stringMatching(/^RE-3 11900 JPY of 2026-\d\d-\d\d is in JPY: /),
    ])
  })

  it('are the figures of any return', async () => {
    const key = await german()
    const { headers, text } = await goodFile(key, `${OSS}&format=csv`)
    expect(headers.get('X-Layout')).toBe('own')
    expect(text).toMatch(/^section,box,.*,office_code,gross_sales_decimal,.*,tax_decimal,amount_decimal\r\n/)
  })
})
