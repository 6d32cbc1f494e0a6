import { describe, expect, it } from 'vitest'
import { changesOf, impossibilitiesOf, missingOf } from '../../../collectors/us-local/believe.ts'
import { BoundaryReader, type BoundaryTask } from '../../../collectors/us-local/boundary-file.ts'
import { jurisdictionsOfList, withoutDuplicates } from '../../../collectors/us-local/entries.ts'
import { alabama } from '../../../collectors/us-local/lists/alabama.ts'
import { arizona } from '../../../collectors/us-local/lists/arizona.ts'
import { california } from '../../../collectors/us-local/lists/california.ts'
import { illinois } from '../../../collectors/us-local/lists/illinois.ts'
import type { StateList } from '../../../collectors/us-local/lists/list.ts'
import { texas } from '../../../collectors/us-local/lists/texas.ts'
import { virginia } from '../../../collectors/us-local/lists/virginia.ts'
import { ratesOfFile, readRateRows } from '../../../collectors/us-local/rate-file.ts'
import { textOf } from '../../../collectors/us-local/read-list.ts'
import { readLocalData } from '../../../scripts/read-local-data.ts'
import { localRateOn } from '../../../src/engine/regimes/us-local/local-book.ts'
import { addressRecord, intervalRecord, zipRecord } from './boundary-records.ts'

/** The documents of states in the shapes in which they are published, made from our own data. */

const DAY = '2026-10-20'
const data = readLocalData('test')
const known = (state: string) => data.jurisdictions.filter((each) => each.state === state)
const fraction = (millionths: number) => String(millionths / 1_000_000)

function judged(list: StateList, text: string, state_rate: number) {
  const { entries, odd, records } = list.read({ url: list.state, text }, { day: DAY, state_rate })
  const before = known(list.state)
  const facts = { state: list.state, source: 'list', as_of: DAY }
  const after = jurisdictionsOfList(withoutDuplicates(entries).made, before, facts)
  const bounds = { day: DAY, state_rate, rows_min: list.rows_min, odd: odd.length }
  const wrong = impossibilitiesOf(before, after, bounds)
  const missing = missingOf(before, after, { day: DAY, odd: odd.length, undecided: new Set() })
  return { entries, odd, records, after, wrong, missing, changes: changesOf(before, after, DAY) }
}

describe('Virginia', () => {
  const rows = known('VA').map(({ code, name, rates }) => {
    const whole = (rates[0]?.rate_millionths ?? 0) + 53_000
    return ['51', code, name, '0.043', fraction(whole - 43_000), fraction(whole)].join('\t')
  })
  const HEAD = [
    'Virginia Sales Tax Rates by Locality',
    '',
    [
      'State Code (FIPS)',
      'County or City Code (FIPS)',
      'Locality Name',
      'State',
      'Local and regional',
      'Total General Sales Tax',
    ].join('\t'),
  ]
  it('has its codes in two columns under a title', () => {
    const { records, wrong, missing, changes } = judged(virginia, [...HEAD, ...rows].join('\n'), 53_000)
    expect({ records, wrong, missing, changes }).toEqual({
      records: 133,
      wrong: [],
      missing: [],
      changes: [],
    })
  })

  it('loses one row that is not understood, and no more', () => {
    const odd_row = rows.map((row, index) => (index === 7 ? row.replace(/[^\t]*$/, 'see note') : row))
    const found = judged(virginia, [...HEAD, ...odd_row].join('\n'), 53_000)
    expect(found).toMatchObject({ records: 133, wrong: [], changes: expect.anything() })
    expect(found.odd).toHaveLength(1)
    const many = rows.map((row, index) => (index < 7 ? row.replace(/[^\t]*$/, 'see note') : row))
    expect(() => judged(virginia, [...HEAD, ...many].join('\n'), 53_000)).toThrow(/7 of 133 records/)
  })
})

describe('Arizona', () => {
  const HEAD =
    'RegionCode,RegionName,BusinessCode,BusinessCodesName,TaxRate,TaxRateType,RateStartDate,RateEndDate'
  const row = (code: string, name: string, percent: number) =>
    `${code},${name},017,RETAIL,${percent.toFixed(6)},Percent,1/01/2020 0:00,12/31/9999 0:00`
  const rows = [
    row('MAR', 'MARICOPA', 6.3),
    row('PMA', 'PIMA', 6.1),
    row('YMA', 'YUMA', 6.712),
    row('MP', 'MARICOPA', 2.5),
    row('PM', 'PIMA', 2),
    row('YM', 'YUMA', 1.7),
    row('TSA', 'TOURISM AND SPORTS AUTHORITY DISTRICT', 6.3),
    row('RND', 'RIO NUEVO DISTRICT', 6.1),
    row('NAV', 'NAVAJO', 6.43),
    row('GIL', 'GILA RIVER INDIAN COMMUNITY', 6.9),
  ]
  it('has cities with the names of counties, and regions with the rate of their county', () => {
    const { entries } = arizona.read(
      { url: 'AZ', text: [HEAD, ...rows].join('\n') },
      {
        day: DAY,
        state_rate: 56_000,
      },
    )
    expect(entries.map(({ type, name, rates }) => [type, name, rates[0]?.rate_millionths])).toEqual([
      ['county', 'MARICOPA', 7_000],
      ['county', 'PIMA', 5_000],
      ['county', 'YUMA', 11_120],
      ['city', 'MARICOPA', 25_000],
      ['city', 'PIMA', 20_000],
      ['city', 'YUMA', 17_000],
      ['county', 'NAVAJO', 8_300],
    ])
  })
})

describe('Texas', () => {
  it('has due dates in the second cell, behind their period', () => {
    const cities = Array.from({ length: 120 }, (_, index) => [
      `Place ${index}`,
      String(2_000_000 + index),
      '0.02',
      'Jones',
      ...'n/a 0 n/a n/a 0 n/a n/a 0'.split(' '),
    ])
    const rows = [
      ['20264', 'q', '01/20/2027', '', '', ''],
      ['202610', 'm', '11/20/2026', '', '', ''],
      ...cities,
    ]
    const control = ['1', '20264', '202612', '2026 - 4th', '0.0625', '0', String(rows.length), 'notice']
    const read = (lines: readonly string[][]) =>
      texas.read(
        { url: 'TX', text: [control, ...lines].map((cells) => cells.join('\t')).join('\r\n') },
        { day: DAY, state_rate: 62_500 },
      )
    expect(read(rows)).toMatchObject({ odd: [], records: 120 })
    const odd = rows.map((cells) => (cells[0] === 'Place 9' ? cells.with(2, 'see note') : cells))
    expect(read(odd).odd).toHaveLength(1)
    expect(read(odd).entries).toHaveLength(119)
  })
})

describe('California', () => {
  const areas = known('CA').filter(({ type }) => type === 'city' || type === 'county')
  const counties = new Map(
    areas.flatMap(({ type, county_fips, name }) =>
      type === 'county' ? [[county_fips, name.replace(/ County$| \(City and County\)$/, '')] as const] : [],
    ),
  )
  const totalOf = (each: (typeof areas)[number]) => fraction(localRateOn(each, DAY) + 72_500)

  it('has San Francisco as a city only on its map', () => {
    const rows = areas.flatMap((each, index) => {
      const county = counties.get(each.county_fips) ?? 'Los Angeles'
      const start = '2020/01/01 00:00:00+00'
      if (each.type === 'city')
        return [`${index},${each.name},${county},${each.name},${each.name},${totalOf(each)},${start}`]
      return county === 'San Francisco'
        ? []
        : [`${index},${county} CO. UNINCORPORATED AREA,${county},,,${totalOf(each)},${start}`]
    })
    const head = 'OBJECTID,JURIS_NAME,County_name,City_name,City_Name_Proper,RATE,START_DATE'
    const { wrong, missing, changes } = judged(california, [head, ...rows].join('\n'), 72_500)
    expect({ wrong, missing, changes }).toEqual({ wrong: [], missing: [], changes: [] })
  })

  it('has it as a city and as a county in its table', () => {
    const rows = areas.map((each) => {
      const county = counties.get(each.county_fips) ?? 'Los Angeles'
      return each.type === 'city'
        ? `${each.name},${totalOf(each)},${county},City`
        : `${county} County,${totalOf(each)},${county},County`
    })
    const text = ['Effective Sales and Use Tax Rates', 'Location,Rate,County,Type,Notes', ...rows].join('\n')
    const { wrong, missing, changes } = judged(california, text, 72_500)
    expect({ wrong, missing, changes }).toEqual({ wrong: [], missing: [], changes: [] })
  })
})

describe('Alabama', () => {
  const HEAD =
    'Locality Code,Locality Name,County Number,TaxType,Rate Type,Administered,Active Date,Inactive Date,Rate,' +
    'Indicator,PJ,County Code,PJ_Rate'
  const row = (code: number, name: string, county: number, percent: number) =>
    `${code},${name},${county},ST,GENER,STATE,20200101,,${percent.toFixed(4)},NT,,,`
  const rows = [
    row(7_008, 'CALHOUN CO - UNINC AREA & PJ', 8, 3),
    row(7_108, 'CALHOUN CO PJ-GLE & HC & WEA', 8, 3),
    row(7_009, 'CHAMBERS COUNTY CL', 9, 1),
    row(7_109, 'CHAMBERS COUNTY UNINCORP AREAS', 9, 6),
    row(7_011, 'CHILTON COUNTY EXC 4 CITIES', 11, 4),
    row(7_041, 'LEE COUNTY', 41, 4),
    row(7_241, 'LEE CO CL AUB & OPE & PHENIX', 41, 1),
    row(7_052, 'MORGAN COUNTY UNINCORP AREAS', 52, 3),
    row(7_055, 'PIKE COUNTY EXC CL TROY', 55, 3.5),
    row(9_001, 'AUBURN', 41, 4),
  ]
  it('has counties in parts, of which that outside of the cities counts', () => {
    const text = [HEAD, ...rows].join('\n')
    const { entries } = alabama.read({ url: 'AL', text }, { day: DAY, state_rate: 40_000 })
    expect(entries.map(({ type, name, rates }) => [type, name, rates[0]?.rate_millionths])).toEqual([
      ['county', 'CALHOUN COUNTY', 30_000],
      ['county', 'CHAMBERS COUNTY', 60_000],
      ['county', 'CHILTON COUNTY', 40_000],
      ['county', 'LEE COUNTY', 40_000],
      ['county', 'MORGAN COUNTY', 30_000],
      ['county', 'PIKE COUNTY', 35_000],
      ['city', 'AUBURN', 40_000],
    ])
    const made = jurisdictionsOfList(entries, known('AL'), { state: 'AL', source: 's', as_of: DAY })
    const before = new Set(known('AL').map(({ id }) => id))
    expect(made.filter(({ id }) => !before.has(id))).toEqual([])
  })
})

describe('Illinois', () => {
  it('names a place twice, and has it once', () => {
    const record = (id: string, name: string, county: string, rate: string) =>
      `${id}${name.padEnd(25)}${county.padEnd(25)}N20250101${rate}00000`.padEnd(211, '0')
    const text = [
      record('100-0001-1', 'MARION', 'WILLIAMSON', '09750'),
      record('100-0001-1', 'MARION', 'WILLIAMSON', '09750'),
    ].join('\n')
    const { entries } = illinois.read({ url: 'IL', text }, { day: DAY, state_rate: 62_500 })
    const { made, odd } = withoutDuplicates(entries)
    expect([made.length, odd.length]).toEqual([1, 0])
    const other = withoutDuplicates([...entries.slice(1), ...entries.map((each) => ({ ...each, rates: [] }))])
    expect([other.made.length, other.odd.length]).toEqual([0, 2])
  })
})

describe('Nevada', () => {
  const FILE = [
    '32,45,32,0,0,0,0,20000101,29991231',
    '32,00,031,.08265,.08265,0,0,20200101,29991231',
    '32,00,003,.08375,.08375,0,0,20200101,29991231',
    '32,63,32601,.08265,.08265,0,0,20200101,29991231',
  ].join('\n')
  const rates = ratesOfFile(readRateRows(FILE, 'NV', 'NVR').made, [], {
    state: 'NV',
    included: 68_500,
    source: 's',
    as_of: DAY,
  })

  it('has improvement districts with the whole rate of their place', () => {
    const bounds = { day: DAY, state_rate: 68_500, rows_min: 1, odd: 0 }
    expect(impossibilitiesOf([], rates.jurisdictions, bounds)).toEqual([])
    const file = boundaries('NV', 'none', rates.jurisdictions, [
      zipRecord('89501', { state: '32', county: '031', districts: ['ST', '32601', '63'] }),
      zipRecord('89101', { state: '32', county: '003' }),
    ])
    expect(file.highest).toBe(15_250)
    expect(
      Object.values(file.edition.zips).map(([stack = -1]) => file.edition.stacks[stack]?.length),
    ).toEqual([1, 1])
  })
})

/** Reads records with the taxes of a state. */
function boundaries(
  state: string,
  city: BoundaryTask['city'],
  jurisdictions: ReturnType<typeof known>,
  lines: readonly string[],
) {
  const rated = jurisdictions.flatMap(({ id, type, code, ...each }): BoundaryTask['rated'] =>
    type === 'flat' ? [] : [{ id, type, code, rate: localRateOn(each, DAY) }],
  )
  const reader = new BoundaryReader({ state, day: DAY, rated, city, url: `${state}B` })
  for (const line of lines) reader.add(`${line}\n`)
  return reader.finish()
}

describe('Georgia, Vermont and North Dakota', () => {
  const rated = [{ id: 'US-KS-177', type: 'county', code: '177', rate: 13_500 }] as const
  const good = Array.from({ length: 399 }, (_, index) =>
    addressRecord('66604', String(index), { county: '177' }),
  )
  const read = (lines: readonly string[]) => {
    const reader = new BoundaryReader({ state: 'KS', day: DAY, rated, city: 'adds', url: 'KSB' })
    for (const line of lines) reader.add(`${line}\n`)
    return reader.finish()
  }
  it.each([
    ['an interval over 76 ZIPs', intervalRecord('66220', '8500', '66296', '0999', { county: '177' })],
    ['one that ends before it begins', intervalRecord('66858', '0001', '66851', '0002', { county: '177' })],
    ['a district of an unknown type', zipRecord('66609', { districts: ['ST', '21215', '77'] })],
  ])('have one odd record: %s', (_, odd) => {
    expect(read([odd, ...good])).toMatchObject({ rows: 400, odd: 1, odd_shown: odd.slice(0, 120) })
    expect(() => read([odd, odd, odd, odd, ...good])).toThrow(/4 of 403 records/)
  })

  it('end a record with its line', () => {
    const reader = new BoundaryReader({ state: 'KS', day: DAY, rated, city: 'adds', url: 'KSB' })
    const endless = () => {
      for (let piece = 0; piece < 1_000; piece += 1) reader.add('A,20051001,'.repeat(100))
    }
    expect(endless).toThrow(/more than 16384 characters/)
  })

  it('are cut off if the last record is odd', () => {
    const reader = new BoundaryReader({ state: 'KS', day: DAY, rated, city: 'adds', url: 'KSB' })
    for (const line of good) reader.add(`${line}\n`)
    reader.add(addressRecord('66604', '4000', { county: '177' }).slice(0, 60))
    expect(() => reader.finish()).toThrow(/does not understand its last record/)
  })
})

/**
 * The combinations of county and transit code in unincorporated Washington. Rates of Spokane are those of the
 * department's table; the others are distinct numbers, so that each sum names its parts.
 */
const TRANSIT = (
  '061+L3131 053+L2727 073+L3737 057+L2929 057+L2931 073+L3739 053+L2745 067+L3434 067+L3417 011+L0666 ' +
  '017+L0909 047+L2424 005+L0333 063+L3232 021+L1111 071+L3636'
).split(' ')

describe('Washington', () => {
  const pairs = TRANSIT.map((pair) => pair.split('+'))
  const counties = [...new Set(pairs.map(([county = '']) => county))]
  const rated: BoundaryTask['rated'] = [
    ...counties.map((code, index) => ({
      id: `US-WA-${code}`,
      type: 'county' as const,
      code,
      rate: code === '063' ? 16_000 : 10_000 + index * 100,
    })),
    ...pairs.map(([, code = ''], index) => ({
      id: `US-WA-${code}`,
      type: 'district' as const,
      code,
      rate: code === 'L3232' ? 8_000 : 3_000 + index * 7,
    })),
    { id: 'US-WA-033', type: 'county', code: '033', rate: 24_000 },
    { id: 'US-WA-L4000', type: 'district', code: 'L4000', rate: 24_000 },
    { id: 'US-WA-63000', type: 'city', code: '63000', rate: 40_500 },
    { id: 'US-WA-L1726', type: 'district', code: 'L1726', rate: 40_500 },
  ]
  const rateOf = new Map(rated.map(({ code, rate }) => [code, rate]))
  const spans = [
    ...pairs.map(([county = '', code = '']) => ({ county, codes: [code], parts: [county, code] })),
    ...counties.map((county) => ({ county, codes: [], parts: [county] })),
    { county: '033', codes: ['L4000'], parts: ['L4000'] },
    { county: '033', place: '63000', codes: ['L1726'], parts: ['L1726'] },
    { county: '', place: '63000', codes: [], parts: ['63000'] },
  ]

  it('adds county and transit code on every span where they stand together', () => {
    const lines = spans.flatMap(({ county, codes, ...span }, index) => {
      const taxes = { state: '53', county, ...span, districts: codes.flatMap((code) => ['ST', code, '63']) }
      const zip = String(99_001 + index)
      const low = String(index * 10).padStart(4, '0')
      return [zipRecord(zip, taxes), intervalRecord(zip, low, zip, '9999', taxes)]
    })
    const reader = new BoundaryReader({ state: 'WA', day: DAY, rated, city: 'replaces', url: 'WAB' })
    for (const line of lines) reader.add(`${line}\n`)
    const { edition } = reader.finish()
    const sums = spans.map((_, index) => {
      const [stack = -1] = edition.zips[String(99_001 + index)] ?? []
      return (edition.stacks[stack] ?? []).reduce((sum, id) => sum + (rateOf.get(id.slice(6)) ?? 0), 0)
    })
    expect(sums).toEqual(
      spans.map(({ parts }) => parts.reduce((sum, code) => sum + (rateOf.get(code) ?? 0), 0)),
    )
    expect(sums[TRANSIT.indexOf('063+L3232')]).toBe(24_000)
  })
})

it('reads a list of an older program, in windows-1252', () => {
  expect(textOf(new Uint8Array([0x43, 0x61, 0xf1, 0x6f, 0x6e]))).toBe('Cañon')
  expect(textOf(new TextEncoder().encode('Cañon'))).toBe('Cañon')
})
