import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { faultsOfVatReturn } from '../../support/hmrc-schema.ts'

/** The files that `files.test.ts` compares with what the service writes, read by readers of others. */
const FOLDER = join(import.meta.dirname, 'golden')
const golden = (name: string) => readFileSync(join(FOLDER, name), 'utf8')

async function faultsOf(contents: string, schema = 'oss-return.xsd'): Promise<string[]> {
  const { errors } = await validateXML({
    xml: [{ fileName: 'return.xml', contents }],
    schema: [golden(schema)],
  })
  return errors.map(({ message }) => message)
}

describe('the return of the one-stop shop', () => {
  it.each(['oss-return.xml', 'oss-establishment.xml', 'oss-nil-return.xml'])(
    '%s is valid by its schema',
    async (name) => {
      expect(await faultsOf(golden(name))).toEqual([])
    },
  )

  it.each<[string, RegExp, string]>([
    ['a Greek code of ISO', />EL</g, '>GR<'],
    ['a negative supply', />100.01</, '>-100.01<'],
    ['a rate of zero', />20.00<\/vun:VATRate>/, '>0.00</vun:VATRate>'],
    ['another currency', /TaxableAmount currency="EUR"/, 'TaxableAmount currency="USD"'],
    ['another order', /<vun:NilVatReturn>0<\/vun:NilVatReturn>/, ''],
  ])('would not be valid with %s', async (what, from, to) => {
    const text = golden('oss-return.xml').replace(from, to)
    const moved =
      what === 'another order'
        ? text.replace('</vun:OSS', `<vun:NilVatReturn>0</vun:NilVatReturn></vun:OSS`)
        : text
    expect(await faultsOf(moved)).not.toEqual([])
  })
})

describe('the common return of the Streamlined Sales Tax states', () => {
  it.each(['sst-ser.xml', 'sst-ser-nil.xml'])('%s is valid by its schema', async (name) => {
    expect(await faultsOf(golden(name), 'sst-ser.xsd')).toEqual([])
  })

  it.each<[string, RegExp, string]>([
    ['a transmission of another length', /26244000001</, '2624400001<'],
    ['a place without a code', /<JurisdictionCode>\d+</, '<JurisdictionCode><'],
    ['a kind of exemption of its own', />Other</, '>Food<'],
    ['another version', /SST2015V01/, 'SST2010V01'],
  ])('would not be valid with %s', async (_, from, to) => {
    expect(await faultsOf(golden('sst-ser.xml').replace(from, to), 'sst-ser.xsd')).not.toEqual([])
  })

  it('adds up: the taxes of the state and of its places are the tax due', () => {
    const amounts = (pattern: RegExp) =>
      [...golden('sst-ser.xml').matchAll(pattern)].map(([, amount]) => Math.round(Number(amount) * 100))
    const parts = amounts(/<(?:State|Juris)TaxDue\w+>([\d.]+)</g).reduce((a, b) => a + b, 0)
    expect(amounts(/<(?:TotalTaxDue|AmountDueOrRefund)>([\d.]+)</g)).toEqual([parts, parts])
  })
})

describe('the document of the Czech one-stop shop', () => {
  it('is valid by its schema', async () => {
    expect(await faultsOf(golden('cz-oss-return.xml'), 'cz-ossei1.xsd')).toEqual([])
  })

  it.each<[string, RegExp, string]>([
    ['a row without its state', / state_consumption="FR"/, ''],
    ['a rate of three decimals', /vat_rate="20.00"/, 'vat_rate="20.005"'],
    ['a correction before the filer', /<VetaP[^>]*>/, ''],
  ])('would not be valid with %s', async (_, from, to) => {
    expect(await faultsOf(golden('cz-oss-return.xml').replace(from, to), 'cz-ossei1.xsd')).not.toEqual([])
  })
})

it('the body for HMRC is valid by the schema of its interface', () => {
  expect(faultsOfVatReturn(JSON.parse(golden('hmrc-vat-return.json')))).toEqual([])
})

const records = (name: string, options: object): string[][] =>
  parse(golden(name), { relax_column_count: true, record_delimiter: '\r\n', ...options })

describe('the CSV files', () => {
  it('for the German one-stop shop have the fields of each record type', () => {
    const [version, ...rows] = records('bzst-oss.csv', {})
    expect(version).toEqual(['#v2.0'])
    const LENGTHS: Record<string, number> = { '1': 2, '2': 6, '3': 6, '5': 10 }
    for (const row of rows) {
      expect(row).toHaveLength(LENGTHS[row[0] ?? ''] ?? 0)
      for (const amount of row.slice(2).filter((cell) => cell.includes(',')))
        expect(amount).toMatch(/^\d+,\d\d$/)
    }
    const sums = rows.map((row) => row.at(-1) ?? '').filter((cell) => cell.includes(','))
    expect(sums.reduce((sum, cell) => sum + Number(cell.replace(',', '')), 0)).toBe(9_365)
  })

  it('for the German recapitulative statement have an id, whole euros and a kind', () => {
    const [version, head, ...rows] = records('de-zm.csv', {})
    expect([version, head]).toEqual([['#v3.0'], ['USt-IdNr.', 'Betrag (EUR)', 'Art der Leistung']])
    for (const [id = '', amount = '', kind = ''] of rows) {
      expect(id).toMatch(/^[A-Z]{2}[A-Z0-9+*]{2,12}$/)
      expect(amount).toMatch(/^-?\d{1,9}$/)
      expect(kind).toMatch(/^[LS]$/)
    }
  })

  it('for DATEV have as many cells in each posting as columns', () => {
    const [head = [], columns = [], ...rows] = records('datev.csv', { delimiter: ';' })
    expect(head.slice(0, 5)).toEqual(['EXTF', '700', '21', 'Buchungsstapel', '7'])
    expect(head).toHaveLength(31)
    expect(columns).toHaveLength(116)
    for (const row of rows) expect(row).toHaveLength(columns.length)
    const signed = rows.map((row) => Number((row[0] ?? '').replace(',', '')) * (row[1] === 'S' ? 1 : -1))
    expect(signed.reduce((sum, amount) => sum + amount, 0)).toBe(11_900 + 5_350 + 24_000 + 40_000 - 1_070)
  })

  it.each(['ec-sales-list.csv', 'saft-lines.csv'])('%s has a row of one length for each record', (name) => {
    const [head = [], ...rows] = records(name, { relax_column_count: false })
    expect(rows.length).toBeGreaterThan(2)
    for (const row of rows) expect(row).toHaveLength(head.length)
  })
})
