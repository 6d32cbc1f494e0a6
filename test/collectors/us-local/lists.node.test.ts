import { describe, expect, it } from 'vitest'
import { ANCHORS } from '../../../collectors/us-local/anchors.ts'
import { anchorsMissed } from '../../../collectors/us-local/believe.ts'
import { continued, jurisdictionsOfList } from '../../../collectors/us-local/entries.ts'
import { alabama } from '../../../collectors/us-local/lists/alabama.ts'
import { arizona } from '../../../collectors/us-local/lists/arizona.ts'
import { california } from '../../../collectors/us-local/lists/california.ts'
import { illinois } from '../../../collectors/us-local/lists/illinois.ts'
import { texas } from '../../../collectors/us-local/lists/texas.ts'
import { virginia } from '../../../collectors/us-local/lists/virginia.ts'
import { readWorkbook } from '../../../collectors/us-local/workbook.ts'
import { readLocalData } from '../../../scripts/read-local-data.ts'
import { openLocalBook } from '../../../src/engine/regimes/us-local/local-book.ts'
import { zipOf } from '../../support/zip-file.ts'
import { book as rateBook } from '../../engine/sale.ts'
import { findRate } from '../../../src/engine/book/rate-book.ts'

const data = readLocalData('test')
const known = (state: string) => data.jurisdictions.filter((each) => each.state === state)
const document = (text: string) => ({ url: 'list', text })

describe('California', () => {
  const reading = { day: '2026-10-01', state_rate: 72_500 }
  const MAP = `OBJECTID,JURIS_NAME,County_name,City_name,City_Name_Proper,RATE,START_DATE
1,LONG BEACH,Los Angeles,LONG BEACH,Long Beach,0.105,2025/04/01 00:00:00+00
2,CITY OF INDUSTRY,Los Angeles,INDUSTRY,City of Industry,9.7500000000000003E-2,2025/04/01 00:00:00+00
3,ALAMEDA CO. UNINCORPORATED AREA,Alameda,,,0.1025,2021/07/01 00:00:00+00
4,LONG BEACH,Los Angeles,LONG BEACH,Long Beach,0.1075,2027/04/01 00:00:00+00
`
  it('reads areas, and a rate that is published before its day', () => {
    expect(california.read(document(MAP), reading).entries).toMatchObject([
      {
        type: 'city',
        name: 'Long Beach',
        rates: [
          { rate_millionths: 32_500, from: '2025-04-01', to: '2027-03-31' },
          { rate_millionths: 35_000, from: '2027-04-01', to: null },
        ],
      },
      { name: 'City of Industry', rates: [{ rate_millionths: 25_000 }] },
      { type: 'county', name: 'Alameda County', rates: [{ rate_millionths: 30_000, from: '2021-07-01' }] },
    ])
  })

  it('reads the table of the department, in which a county may have only a remark', () => {
    const table = `Effective Sales and Use Tax Rates
Location,Rate,County,Type,Notes
Yuba City,7.2499999999999995E-2,Sutter,City
Yuba County,Yuba,County,Please refer to the unincorporated area.
Yuba County Unincorporated Area,8.2500000000000004E-2,Yuba,County,Only there.
`
    expect(california.read(document(table), reading).entries).toMatchObject([
      { type: 'city', rates: [{ rate_millionths: 0 }] },
      { type: 'county', name: 'Yuba County', rates: [{ rate_millionths: 10_000 }] },
    ])
  })

  it('keeps the ids that are on file', () => {
    const made = jurisdictionsOfList(california.read(document(MAP), reading).entries, known('CA'), {
      state: 'CA',
      source: 'list',
      as_of: '2026-10-01',
    })
    const ids = new Set(known('CA').map(({ id }) => id))
    expect(made.filter(({ id }) => !ids.has(id))).toEqual([])
  })

  it.each([
    ['a rate below that of the state', MAP.replace('0.1025', '0.0525')],
    ['the answer while the file is made', '{"status":"ExportingData"}'],
  ])('is refused: %s', (_, text) => {
    expect(() => california.read(document(text), reading)).toThrow(/does not understand|looked for/)
  })
})

describe('Texas', () => {
  const reading = { day: '2026-10-20', state_rate: 62_500 }
  const LIST = [
    '1\t20264\t202612\t2026 - 4th\t0.0625\t0\t6\tnotice',
    'q\t20270120',
    'Abilene \t2221012\t0.02\tJones \tn/a\t0\tn/a\tn/a\t0\tn/a\tn/a\t0',
    'Addison \t2057217\t0.01\tDallas \tn/a\t0\tn/a\tn/a\t0\tDallas MTA \t3057994\t0.01',
    'Acton \tn/a\t0\tHood \t4111006\t0.005\tHood Co Dev Dist 1 \t5111505\t0.005\tn/a\tn/a\t0',
    'Abbott/Hill Co ESD 2-A\t6109512\t0.02\tHill \tn/a\t0\tn/a\tn/a\t0\tn/a\tn/a\t0',
    '',
  ].join('\r\n')

  it('reads cities, counties and districts with their codes, and which city has which district', () => {
    const { entries } = texas.read(document(LIST.replace('\t6\t', '\t5\t')), reading)
    expect(entries.map(({ type, name, code }) => `${type} ${name} ${code}`)).toEqual([
      'city Abilene 2221012',
      'district Dallas MTA 3057994',
      'city Addison 2057217',
      'district Hood Co Dev Dist 1 5111505',
      'county Hood 4111006',
    ])
    const made = jurisdictionsOfList(entries, known('TX'), { state: 'TX', source: 's', as_of: '2026-10-20' })
    expect(made.find(({ name }) => name === 'Addison')?.also).toEqual(['US-TX-D-DALLAS-MTA'])
    expect(made.find(({ name }) => name === 'Addison')?.code).toBe('2057217')
  })

  it.each([
    ['rows that are missing', LIST.replace('\t6\t', '\t3715\t')],
    ['a quarter that has not begun', LIST.replace('20264', '20271')],
    ['another rate of the state', LIST.replace('0.0625', '0.0725')],
    ['a row that is cut off', LIST.slice(0, -30)],
    ['a page', '<html><body>Access denied</body></html>'],
  ])('is refused: %s', (_, text) => {
    expect(() => texas.read(document(text), reading)).toThrow()
  })
})

describe('Illinois', () => {
  const reading = { day: '2026-10-01', state_rate: 62_500 }
  /** The general rates and those on food, high and low; then the same of the period before. */
  const record = (id: string, name: string, county: string, now: string, before: string) =>
    `${id}${name.padEnd(25)}${county.padEnd(25)}N${now}`.padEnd(132, '0') + before.padEnd(79, '0')
  const CHICAGO = record(
    '016-0001-1',
    'CHICAGO',
    'COOK',
    '2026080110500025001050002500',
    '20160101202607311025002250',
  )
  const COOK = record(
    '016-5000-1',
    'COOK COUNTY',
    'COOK',
    '2026080109250025000925002500',
    '20160101202607310900002250',
  )

  it('reads the rates in force and before, and those on food', () => {
    expect(illinois.read(document(`${CHICAGO}\r\n${COOK}\r\n`), reading).entries).toMatchObject([
      {
        type: 'city',
        name: 'CHICAGO',
        county: 'COOK',
        rates: [
          { rate_millionths: 40_000, food_millionths: 12_500, from: '2016-01-01', to: '2026-07-31' },
          { rate_millionths: 42_500, food_millionths: 25_000, from: '2026-08-01', to: null },
        ],
      },
      {
        type: 'county',
        name: 'COOK COUNTY',
        rates: [{ rate_millionths: 27_500 }, { rate_millionths: 30_000 }],
      },
    ])
  })

  it('leaves out places of other states, and those where an address decides', () => {
    const outside = record('244-0099-8', 'WASHINGTON', '', '1900010100000000000000000000', '')
    const override = record('084-0001-6', 'SPRINGFIELD', 'SANGAMON', '2026070100000000000000000000', '')
    const { entries } = illinois.read(document(`${outside}\n${override}\n`), reading)
    expect(entries).toMatchObject([{ name: 'SPRINGFIELD', rates: [], address_decides: true }])
    const made = jurisdictionsOfList(entries, known('IL'), { state: 'IL', source: 's', as_of: '2026-10-01' })
    expect(made).toEqual([])
  })

  it.each([
    ['a record that is cut off', CHICAGO.slice(0, 150)],
    ['a rate below that of the state', CHICAGO.replace('10500025', '05500025')],
    ['a page', '<html><body>Access denied</body></html>'],
  ])('is refused: %s', (_, text) => {
    expect(() => illinois.read(document(text), reading)).toThrow(/does not understand/)
  })
})

describe('Alabama and Arizona', () => {
  const AL = `Locality Code,Locality Name,County Number,TaxType,Rate Type,Administered,Active Date,Inactive Date,Rate,Indicator,PJ,County Code,PJ_Rate
7001,AUTAUGA COUNTY,1,ST,GENER,AVENU,20260901,,2.5000,RC,Y,7001,1.2500
7001,AUTAUGA COUNTY,1,ST,GENER,STATE,19950901,20260831,2.0000,NT,,,
7001,AUTAUGA COUNTY,1,ST,FARM,STATE,19950901,,0.5000,NT,,,
9001,PRATTVILLE,1,ST,GENER,AVENU,20200101,,3.5000,RC,Y,7001,1.7500
`
  const AZ = `RegionCode,RegionName,BusinessCode,BusinessCodesName,TaxRate,TaxRateType,RateStartDate,RateEndDate
AJ,APACHE JUNCTION,017,RETAIL,2.400000,Percent,1/01/2026 0:00,12/31/9999 0:00
AJ,APACHE JUNCTION,011,RESTAURANTS AND BARS,3.400000,Percent,1/01/2026 0:00,12/31/9999 0:00
MAR,MARICOPA,017,RETAIL,6.300000,Percent,1/01/2026 0:00,12/31/9999 0:00
`
  it('have periods, of which the general rates count', () => {
    expect(alabama.read(document(AL), { day: '2026-10-01', state_rate: 40_000 }).entries).toMatchObject([
      {
        type: 'county',
        code: '7001',
        rates: [
          { rate_millionths: 20_000, to: '2026-08-31' },
          { rate_millionths: 25_000, from: '2026-09-01', to: null },
        ],
      },
      { type: 'city', name: 'PRATTVILLE', rates: [{ rate_millionths: 35_000 }] },
    ])
    expect(arizona.read(document(AZ), { day: '2026-10-01', state_rate: 56_000 }).entries).toMatchObject([
      { type: 'city', rates: [{ rate_millionths: 24_000, from: '2026-01-01', to: null }] },
      { type: 'county', name: 'MARICOPA', rates: [{ rate_millionths: 7_000 }] },
    ])
  })

  it('are refused with other columns', () => {
    expect(() => alabama.read(document(AL.replace(',PJ_Rate', '')), { day: '', state_rate: 0 })).toThrow()
    expect(() =>
      arizona.read(document(AZ.replace('TaxRate,', 'Rate,')), { day: '', state_rate: 0 }),
    ).toThrow()
  })
})

describe('Virginia', () => {
  const SHEET = `<worksheet><sheetData>
<row r="1"><c r="A1" t="s"><v>0</v></c></row>
<row r="3"><c r="A3" t="inlineStr"><is><t>FIPS</t></is></c><c r="B3" t="s"><v>1</v></c><c r="D3" t="s"><v>2</v></c></row>
<row r="4"><c r="A4"><v>51001</v></c><c r="B4" t="s"><v>3</v></c><c r="D4"><v>0.053</v></c></row>
<row r="5"><c r="A5"><v>760</v></c><c r="B5" t="s"><v>4</v></c><c r="D5"><v>6.0000000000000005E-2</v></c></row>
</sheetData></worksheet>`
  const STRINGS = `<sst><si><t>Rates</t></si><si><t>Locality</t></si><si><r><t>Total </t></r><r><t>Rate</t></r></si><si><t>Accomack County</t></si><si><t>Richmond City</t></si></sst>`

  it('is read from its workbook, by FIPS codes', async () => {
    const bytes = await zipOf({
      '[Content_Types].xml': '<x/>',
      'xl/sharedStrings.xml': STRINGS,
      'xl/worksheets/sheet1.xml': SHEET,
    })
    const text = await readWorkbook(bytes, 'list')
    const { entries } = virginia.read(document(text), { day: '2026-10-03', state_rate: 53_000 })
    expect(entries).toMatchObject([
      { county_fips: '51001', rates: [{ rate_millionths: 0, from: '2026-10-01' }] },
      { county_fips: '51760', rates: [{ rate_millionths: 7_000 }] },
    ])
    const made = jurisdictionsOfList(entries, known('VA'), { state: 'VA', source: 's', as_of: '2026-10-03' })
    expect(made.map(({ id }) => id)).toEqual(['US-VA-001', 'US-VA-760'])
  })
})

describe('the history of a rate', () => {
  const open = [{ rate_millionths: 10_000, from: null, to: null }]

  it('goes on if a list says the same', () => {
    expect(continued(open, [{ rate_millionths: 10_000, from: '2026-10-01', to: null }])).toEqual(open)
  })

  it('ends on the day before another rate', () => {
    const other = { rate_millionths: 12_500, from: '2026-10-01', to: null }
    expect(continued(open, [other])).toEqual([
      { rate_millionths: 10_000, from: null, to: '2026-09-30' },
      other,
    ])
    const corrected = { rate_millionths: 15_000, from: '2026-10-01', to: null }
    expect(continued(continued(open, [other]), [corrected])).toEqual([
      { rate_millionths: 10_000, from: null, to: '2026-09-30' },
      corrected,
    ])
  })
})

describe('the addresses that a person looked up', () => {
  const book = openLocalBook(data)
  // The shipped data lacks the transit surcharge of Nashville; the files of Tennessee have it.
  const states = new Set(ANCHORS.map(({ state }) => state).filter((state) => state !== 'TN'))
  it.each([...states])('have their rate in the shipped data: %s', (state) => {
    const rate = findRate(rateBook, `US-${state}`, 'SALES_TAX', 'standard', '2026-11-20')
    expect(anchorsMissed(book, state, rate?.rate_millionths ?? 0, '2026-11-20')).toEqual([])
  })
})
