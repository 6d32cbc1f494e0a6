import { describe, expect, it } from 'vitest'
import { BoundaryReader, type BoundaryTask } from '../../../collectors/us-local/boundary-file.ts'
import { stackOfZip4 } from '../../../src/engine/regimes/us-local/boundaries.ts'
import { addressRecord, intervalRecord, zipRecord } from './boundary-records.ts'

const rated: BoundaryTask['rated'] = [
  { id: 'US-KS-177', type: 'county', code: '177', rate: 13_500 },
  { id: 'US-KS-71000', type: 'city', code: '71000', rate: 15_000 },
  { id: 'US-KS-D-21215', type: 'district', code: '21215', rate: 20_000 },
  { id: 'US-KS-045', type: 'county', code: '045', rate: 0 },
]

function read(lines: readonly string[], more: Partial<BoundaryTask> = {}, piece = 100) {
  const task: BoundaryTask = { state: 'KS', day: '2026-10-01', rated, city: 'adds', url: 'KSB', ...more }
  const reader = new BoundaryReader(task)
  const text = lines.map((line) => `${line}\r\n`).join('')
  for (let at = 0; at < text.length; at += piece) reader.add(text.slice(at, at + piece))
  return reader.finish()
}

const idsOf = (file: ReturnType<typeof read>, zip: string) =>
  (file.edition.zips[zip] ?? []).map((stack) => file.edition.stacks[stack] ?? null)

/** The ids of a ZIP+4. */
function at(file: ReturnType<typeof read>, zip5: string, zip4: string) {
  const edition = file.zip4[zip5.slice(0, 3)]
  return edition === undefined ? null : stackOfZip4({ from: '2026-10-01', ...edition }, zip5, zip4)
}

const COUNTY = ['US-KS-177']
const TOPEKA = ['US-KS-177', 'US-KS-71000']

describe('a boundary file', () => {
  const file = read([
    zipRecord('66604', { county: '177' }),
    zipRecord('66409', { county: '177' }),
    intervalRecord('66604', '1900', '66604', '1999', { county: '177', place: '71000' }),
    addressRecord('66604', '1908', { county: '177' }),
    addressRecord('66604', '2000', { county: '177', place: '71000', districts: ['', '21215', '63'] }),
  ])

  it('names the combinations of a ZIP, that of its five-digit record first', () => {
    expect(idsOf(file, '66604')).toEqual([COUNTY, TOPEKA, [...TOPEKA, 'US-KS-D-21215']])
    expect(idsOf(file, '66409')).toEqual([COUNTY])
  })

  it('has ZIP+4 of those ZIPs only that have several', () => {
    expect(Object.keys(file.zip4['666']?.zips ?? {})).toEqual(['66604'])
    expect(file.zip4['664']).toBeUndefined()
  })

  it('prefers an address to an interval, and an interval to the ZIP', () => {
    expect(at(file, '66604', '1908')?.ids).toEqual(COUNTY)
    expect(at(file, '66604', '1909')?.ids).toEqual(TOPEKA)
    expect(at(file, '66604', '2000')?.ids).toEqual([...TOPEKA, 'US-KS-D-21215'])
    expect(at(file, '66604', '2001')).toBeNull()
  })

  it('is the same however the network cuts it', () => {
    const lines = [
      zipRecord('66604', { county: '177' }),
      addressRecord('66604', '1', { county: '177', place: '71000' }),
    ]
    expect(read(lines, {}, 1)).toEqual(read(lines, {}, 10_000))
    expect(at(read(lines), '66604', '0001')?.ids).toEqual(TOPEKA)
  })

  it('walks over gaps between districts', () => {
    const gap = read([
      zipRecord('66604', { county: '177', districts: ['ST', '', '', '', '', '', 'ST', '21215', '63'] }),
    ])
    expect(idsOf(gap, '66604')).toEqual([['US-KS-177', 'US-KS-D-21215']])
  })

  it('lets an interval cross the border of a ZIP', () => {
    const crossing = read([
      zipRecord('66604', { county: '177' }),
      zipRecord('66605', { county: '177' }),
      intervalRecord('66604', '9990', '66605', '0010', { county: '177', place: '71000' }),
    ])
    expect(at(crossing, '66604', '9999')?.ids).toEqual(TOPEKA)
    expect(at(crossing, '66605', '0000')?.ids).toEqual(TOPEKA)
    expect(at(crossing, '66605', '0011')).toBeNull()
  })

  it('takes the lowest of several addresses with one ZIP+4, and says that they differ (SSUTA 305 F)', () => {
    const two = read([
      zipRecord('66604', { county: '045' }),
      addressRecord('66604', '1908', { county: '177', place: '71000' }),
      addressRecord('66604', '1908', { county: '177' }),
    ])
    expect(at(two, '66604', '1908')).toEqual({ ids: COUNTY, disputed: true })
  })

  it('counts a code without a rate as nothing', () => {
    expect(idsOf(read([zipRecord('66604', { county: '045', place: '99999' })]), '66604')).toEqual([[]])
  })

  it('finds a code that the rate file has under another type', () => {
    const wa: BoundaryTask['rated'] = [{ id: 'US-WA-L1702', type: 'district', code: 'L1702', rate: 40_000 }]
    const file_of_wa = read([zipRecord('98001', { state: '53', districts: ['ST', 'L1702', '45'] })], {
      state: 'WA',
      rated: wa,
      city: 'replaces',
    })
    expect(idsOf(file_of_wa, '98001')).toEqual([['US-WA-L1702']])
  })

  it('counts one of the whole rates of Washington', () => {
    const wa: BoundaryTask['rated'] = [
      { id: 'US-WA-033', type: 'county', code: '033', rate: 24_000 },
      { id: 'US-WA-63000', type: 'city', code: '63000', rate: 40_500 },
      { id: 'US-WA-L1726', type: 'district', code: 'L1726', rate: 40_500 },
    ]
    const seattle = { state: '53', county: '033', place: '63000', districts: ['ST', 'L1726', '63'] }
    const task = { state: 'WA', rated: wa, city: 'replaces' } as const
    expect(idsOf(read([zipRecord('98101', seattle)], task), '98101')).toEqual([['US-WA-L1726']])
    const { districts: _, ...without } = seattle
    expect(idsOf(read([zipRecord('98101', without)], task), '98101')).toEqual([['US-WA-63000']])
  })

  it('leaves out composite codes and tribal totals', () => {
    const composite = zipRecord('66604', {
      county: '177',
      districts: ['ST', '21215', '79', 'ST', '71000', '49'],
    })
    expect(idsOf(read([composite]), '66604')).toEqual([COUNTY])
  })

  it('reads the records of the day, and names the next day with a change', () => {
    const dated = read([
      zipRecord('66604', { county: '177', days: '20051001,20260930' }),
      zipRecord('66604', { county: '177', place: '71000', days: '20261001,20991231' }),
      zipRecord('66605', { county: '177', days: '20051001,20261231' }),
      zipRecord('66605', { county: '177', place: '71000', days: '20270101,29991231' }),
    ])
    expect(idsOf(dated, '66604')).toEqual([TOPEKA])
    expect(dated).toMatchObject({ from: '2026-10-01', next_change: '2027-01-01', rows: 4, rows_in_force: 2 })
  })

  it.each([
    ['a record that is cut off', addressRecord('66604', '1908', { county: '177' }).slice(0, 90)],
    ['another state', zipRecord('66604', { state: '29', county: '177' })],
    ['an unknown record', zipRecord('66604', { county: '177' }).replace('Z', 'Q')],
    ['no ZIP', zipRecord('6660x', { county: '177' })],
    ['a day that is none', zipRecord('66604', { county: '177', days: '2026100,29991231' })],
    ['an unknown type of district', zipRecord('66604', { districts: ['ST', '21215', '77'] })],
    ['an interval that ends before it begins', intervalRecord('66605', '0001', '66604', '0002', {})],
    ['a page', '<html><body>Access denied</body></html>'],
  ])('is refused: %s', (_, line) => {
    expect(() => read([zipRecord('66609', { county: '177' }), line])).toThrow(/does not understand/)
  })

  it('is refused without a record that is in force', () => {
    expect(() => read([zipRecord('66604', { days: '20051001,20060101' })])).toThrow(/in force/)
  })
})
