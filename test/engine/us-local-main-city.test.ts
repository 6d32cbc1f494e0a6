import { expect, it } from 'vitest'
import { readLocalData } from '../../scripts/read-local-data.ts'
import { invariant } from '../../src/engine/ground/invariant.ts'
import { openLocalBook } from '../../src/engine/regimes/us-local/local-book.ts'
import { localTaxAt } from '../../src/engine/regimes/us-local/local-tax-at.ts'
import { cityOfZip, zipsOfCities } from '../../src/engine/regimes/us-local/main-cities.ts'
import type { LocalFallback } from '../../src/engine/sale/sale.ts'

const local = openLocalBook(readLocalData('test'))

const taxAt = (state: string, zip5: string, city: string | null, fallback: LocalFallback | null = null) =>
  localTaxAt(local, { state, address: { zip5, zip4: null, city }, day: '2026-09-15', fallback })

it.each([
  ['MO', '63101', 'Saint Louis', 54_540],
  ['OK', '73102', 'Oklahoma City', 41_250],
  ['AL', '35203', 'Birmingham', 60_000],
  ['AZ', '85004', 'Phoenix', 35_000],
  ['KS', '66101', 'Kansas City', 26_250],
  ['GA', '30303', 'Atlanta', 49_000],
  ['IL', '60601', 'Chicago', 42_500],
  ['UT', '84101', 'Salt Lake City', 23_500],
  ['MN', '55401', 'Minneapolis', 21_500],
  ['WA', '98101', 'Seattle', 40_500],
  ['TX', '75201', 'Dallas', 20_000],
  ['TX', '77002', 'Houston', 20_000],
  ['CA', '90012', 'Los Angeles', 25_000],
  ['CA', '94105', 'San Francisco', 13_750],
  ['CO', '80202', 'Denver', 62_500],
  ['NY', '10001', 'New York', 48_750],
  ['LA', '70112', 'New Orleans', 50_000],
  ['NE', '68102', 'Omaha', 15_000],
])('the centre of a city has its tax by the ZIP alone: %s %s %s', (state, zip, city, rate) => {
  expect(taxAt(state, zip, null)?.stack.rate).toBe(rate)
  expect(taxAt(state, zip, city)?.stack.rate).toBe(rate)
})

it('says that the postal city was taken, and what the ZIP may have outside of it', () => {
  const found = taxAt('AL', '35203', null)
  expect(found).toMatchObject({ method: 'main_city', precision: 'county', rate_min: 20_000 })
  expect(found?.notes.join()).toContain('The postal city of the ZIP, Birmingham')
  expect(found?.notes.join()).toContain('Give the city')
})

it('takes the lowest rate in a member state of the agreement, unless the ZIP is within the city', () => {
  const suburb = taxAt('OK', '73120', null)
  expect(suburb).toMatchObject({ method: 'lowest_in_zip', rate_min: 0 })
  expect(suburb?.candidates.map(({ rate }) => rate).toSorted((a, b) => a - b)).toEqual([0, 41_250])
  expect(taxAt('OK', '73120', null, 'largest')?.stack.rate).toBe(41_250)
  expect(taxAt('OK', '73102', null)).toMatchObject({
    method: 'only_rate_in_zip',
    precision: 'zip5',
    notes: [],
  })
})

it('has the rate of the postal city in all its ZIPs, or one of the rates that it shows', () => {
  let asked = 0
  for (const [state, { law, main_cities }] of statesWithCities())
    for (const { city, from } of main_cities()) {
      const named = taxAt(state, from, city)
      const alone = taxAt(state, from, null)
      if (named?.method !== 'city_named' || alone === null || alone.method === 'none') continue
      asked += 1
      const rates = [alone.stack.rate, ...alone.candidates.map(({ rate }) => rate)]
      if (law.zip5 === 'largest') expect(alone.stack.rate, `${state} ${from} ${city}`).toBe(named.stack.rate)
      else expect([...rates, alone.rate_max], `${state} ${from} ${city}`).toContain(named.stack.rate)
    }
  expect(asked).toBeGreaterThan(5_000)
})

it('decides for a ZIP that the Census does not have', () => {
  expect(taxAt('TX', '73301', null)).toMatchObject({ method: 'main_city', stack: { rate: 20_000 } })
})

it('says what is missing if the tax of the postal city is not in the data', () => {
  const { main_cities, law } = invariant(local.state('IL'), 'Illinois is in the data')
  const gap = law.gaps?.find(({ city }) => main_cities().some((each) => each.city === city))
  const zip = main_cities().find(({ city }) => city === gap?.city)?.from ?? ''
  expect(taxAt('IL', zip, null)?.notes.join()).toContain(`A local tax of ${gap?.city} is not in the data`)
})

it('reads ranges of ZIPs', () => {
  const zips = zipsOfCities({ Birmingham: '35201-35298', Adger: '35006 35008-35009' })
  expect(['35200', '35201', '35250', '35299', '35008', '35007'].map((zip) => cityOfZip(zips, zip))).toEqual([
    null,
    'Birmingham',
    'Birmingham',
    null,
    'Adger',
    null,
  ])
})

function statesWithCities() {
  return ['AL', 'AZ', 'CA', 'CO', 'GA', 'IL', 'KS', 'MN', 'MO', 'NE', 'OK', 'TX', 'UT', 'WA', 'WV'].flatMap(
    (id) => {
      const state = local.state(id)
      return state === null ? [] : [[id, state] as const]
    },
  )
}
