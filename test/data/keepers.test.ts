import { expect, it } from 'vitest'
import { countryPages } from '../../scripts/country-pages.ts'
import { keeperSection, keepersIn, keepersSection, readKeepers } from '../../scripts/keepers.ts'
import { readFacts } from '../../scripts/read-facts.ts'

const KEEPER = { country: 'LU', name: 'A. Person', url: null, since: '2026-01-02', looked_on: '2026-07-03' }

it('each keeper of the data keeps a country of the data', () => {
  const { jurisdictions, countries } = readFacts()
  const known = new Set([...jurisdictions, ...countries].map(({ id }) => id))
  expect(readKeepers().filter(({ country }) => !known.has(country))).toEqual([])
})

it('refuses a country with two keepers, a look before the first day, and a page that is not https', () => {
  expect(keepersIn([KEEPER])).toEqual([KEEPER])
  expect(() => keepersIn([KEEPER, { ...KEEPER, name: 'B. Person' }])).toThrow('LU has two keepers')
  expect(() => keepersIn([{ ...KEEPER, looked_on: '2026-01-01' }])).toThrow('must not be before since')
  expect(() => keepersIn([{ ...KEEPER, url: 'http://example.com' }])).toThrow()
})

it('shows the keeper of a country with the day of the last look, and says where there is none', () => {
  const kept = keeperSection([KEEPER], 'LU', '2026-07-04')
  expect(kept).toContain(
    'A. Person keeps this country since 2026-01-02, and read its pages last on 2026-07-03',
  )
  expect(kept).toContain('(/wrong?place=LU&day=2026-07-04)')
  expect(keeperSection([KEEPER], 'BE', '2026-07-04')).toContain('Nobody keeps this country yet')
  const all = keepersSection([{ ...KEEPER, url: 'https://example.com/' }], 56, '2026-07-04')
  expect(all).toContain('1 of 56 countries have a keeper')
  expect(all).toContain('| Luxembourg | [A. Person](https://example.com/) | 2026-01-02 | 2026-07-03 |')
})

it('every page of a country says how to report what is wrong', () => {
  for (const { text, slug } of countryPages())
    expect(text, slug).toMatch(/\[Report it\]\(\/wrong\?place=[A-Z]{2}&/)
})
