import { expect, it } from 'vitest'
import { countryFiles } from '../../scripts/country-files.ts'
import { dueLooks, dueLooksSection, lookedOn, looksSection } from '../../scripts/country-looks.ts'
import type { CountryFile } from '../../scripts/shipped-data/country-file.ts'

const change = (day: string | null) => ({
  day,
  what: 'The rate falls',
  source: 'A page',
  source_url: 'https://example.com/',
})
const file = (country: string, more: Partial<CountryFile>): CountryFile => ({
  country,
  law: null,
  records: {},
  ...more,
})
const due = (files: readonly CountryFile[], today: string) =>
  dueLooks(files, today).map(({ country, why }) => [country, ...why])

it('a look is due 90 days after the last one, the oldest first', () => {
  const files = [file('KE', { looked_on: '2026-06-02' }), file('UG', { looked_on: '2026-06-01' })]
  expect(due(files, '2026-08-29')).toEqual([])
  expect(due(files, '2026-08-30')).toEqual([['UG', 'The last look was on 2026-06-01']])
  expect(due(files, '2026-08-31').map(([country]) => country)).toEqual(['UG', 'KE'])
})

it('a look is due 30 days before an announced change, and until a person takes the change off', () => {
  const files = [file('JM', { looked_on: '2026-11-20', announced: [change('2027-01-01')] })]
  expect(due(files, '2026-12-01')).toEqual([])
  expect(due(files, '2026-12-02')).toEqual([['JM', '2027-01-01: The rate falls']])
  expect(due(files, '2027-01-05')).toEqual([['JM', '2027-01-01: The rate falls']])
})

it('a change without a day, and a country that nobody looked at, are always due', () => {
  const files = [file('BW', { looked_on: '2026-11-20', announced: [change(null)] }), file('ZZ', {})]
  expect(due(files, '2026-11-21')).toEqual([
    ['ZZ', 'Nobody has looked at it'],
    ['BW', 'Day unknown: The rate falls'],
  ])
})

it('each country tells the last look on its page', () => {
  for (const each of countryFiles()) {
    expect(lookedOn(each), each.country).not.toBeNull()
    expect(looksSection(each), each.country).toContain(`last on ${lookedOn(each)}`)
  }
})

it('the page on coverage lists the announced changes', () => {
  const files = [file('TH', { looked_on: '2026-11-20', announced: [change('2026-09-30')] })]
  expect(dueLooksSection(files, '2026-11-21')).toContain(
    '| Thailand (`TH`) | 2026-11-20 | 2026-09-30: The rate falls |',
  )
})
