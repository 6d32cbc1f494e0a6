import { describe, expect, it } from 'vitest'
import { readLocalData } from '../../scripts/read-local-data.ts'
import { assessSale } from '../../src/engine/answer/assess.ts'
import type { Assessment } from '../../src/engine/found/assessment.ts'
import { cityKey, countiesOfZip, openLocalBook } from '../../src/engine/regimes/us-local/local-book.ts'
import { productInSentence } from '../../src/engine/book/product-types.ts'
import { STATE_FIPS } from '../../src/engine/regimes/us-local/state-fips.ts'
import { book, named, saleOf, type SaleInWords } from './sale.ts'

/** The shipped local rates against combined rates that the states publish. */

const data = readLocalData('test')
const local = openLocalBook(data)

/** The tax on 1,000.00 USD of goods of a remote seller. */
function soldTo(
  region: string,
  postal_code: string,
  city: string,
  more: Partial<SaleInWords> = {},
): Assessment {
  const to = { country: 'US', region, postal_code, city }
  const words = { from: { country: 'US', region: 'DE' }, seller_registered: true, to, currency: 'USD' }
  return assessSale(
    saleOf({ ...words, day: '2026-09-15', lines: [{ amount: 100_000 }], ...more }),
    book,
    local,
  )
}

it('says that cities may tax groceries, where the state and the county do not', () => {
  const lines = [{ amount: 100_000, product_type: 'groceries' }]
  const to = { country: 'US', region: 'OK', postal_code: '73120', city: null }
  const { tax_amount, notes } = soldTo('OK', '73120', '', { lines, to })
  expect(tax_amount).toBe(0)
  expect(notes).toContain('Cities of Oklahoma may add a tax. Give the city of the customer')
  expect(soldTo('OK', '73102', 'Oklahoma City', { lines }).tax_amount).toBeGreaterThan(0)
})

describe('combined rates', () => {
  it.each([
    // DR 1002 of July 2026. A city's row holds its county and its districts.
    ['CO', '80302', 'Boulder', 9_195],
    ['CO', '80903', 'Colorado Springs', 8_200],
    ['CO', '80521', 'Fort Collins', 8_300],
    ['CO', '81611', 'Aspen', 10_350],
    ['CO', '80012', 'Aurora', 8_000],
    ['CO', '80202', 'Denver', 9_150],
    ['CO', '80020', 'Broomfield', 8_150],
    ['CO', '80027', 'Superior', 9_110],
    // The table of the Arizona Department of Revenue of 2026-09-01: 5.6, Mohave 0, and 3.0 since that day.
    ['AZ', '86401', 'Kingman', 8_600],
    // CDTFA
    ['CA', '90210', 'Beverly Hills', 9_750],
    ['CA', '94503', 'American Canyon', 7_750],
    ['CA', '94513', 'Brentwood', 8_750],
    // Tennessee Department of Revenue: the transit surcharge since 2025-02-01
    ['TN', '37201', 'Nashville', 9_750],
    ['TN', '37205', 'Belle Meade', 9_750],
    ['TN', '37902', 'Knoxville', 9_250],
    // Parishes and cities of Louisiana, on top of 5 % of the state
    ['LA', '70112', 'New Orleans', 10_000],
    ['LA', '70001', 'Metairie', 9_750],
    ['LA', '70601', 'Lake Charles', 10_750],
    ['LA', '71201', 'Monroe', 10_990],
    ['LA', '71270', 'Ruston', 11_000],
    ['LA', '70401', 'City of Hammond', 10_500],
    ['LA', '70801', 'Baton Rouge', 10_500],
    ['LA', '70631', 'Cameron', 5_000],
    // Alabama: the county takes less inside of cities
    ['AL', '36830', 'Auburn', 9_000],
    ['AL', '35801', 'Huntsville', 9_000],
    ['AL', '36602', 'Mobile', 10_000],
    ['AL', '35476', 'Northport', 10_000],
    ['AL', '35401', 'Tuscaloosa', 10_000],
    ['AL', '35007', 'Alabaster', 10_000],
    ['AL', '36867', 'Phenix City', 9_750],
    // Cities of several counties
    ['MO', '64106', 'Kansas City', 8_975],
    ['MO', '64055', 'Independence', 8_600],
    ['MO', '64063', "Lee's Summit", 8_475],
    ['IL', '60004', 'Arlington Heights', 10_250],
    // Districts of Texas, Georgia and Minnesota
    ['TX', '76102', 'Fort Worth', 8_250],
    ['TX', '78205', 'San Antonio', 8_250],
    ['TX', '76201', 'Denton', 8_250],
    ['TX', '79701', 'Midland', 8_250],
    ['TX', '75001', 'Addison', 8_250],
    ['TX', '78209', 'Alamo Heights', 8_250],
    ['GA', '30303', 'Atlanta', 8_900],
    ['GA', '30075', 'Roswell', 7_750],
    ['GA', '30030', 'Decatur', 8_000],
    ['GA', '30601', 'Athens', 8_000],
    ['MN', '55606', 'Hovland', 8_375],
    // New Mexico: outside of towns the county, in a town its own rate
    ['NM', '87544', 'Los Alamos', 7_688],
    ['NM', '87124', 'Rio Rancho', 7_438],
    ['NM', '87102', 'Albuquerque', 7_625],
  ])('%s %s %s: %i thousandths of a percent', (state, zip5, city, tax) => {
    expect(soldTo(state, zip5, city).tax_amount).toBe(tax)
  })

  it('holds the surcharge of Nashville on food, and on the first 1,600 USD of an item', () => {
    const groceries = [{ amount: 100_000, product_type: 'groceries' }]
    expect(soldTo('TN', '37201', 'Nashville', { lines: groceries }).tax_amount).toBe(6_750)
    const { tax_amount } = soldTo('TN', '37201', 'Nashville', { lines: [{ amount: 500_000 }] })
    expect(tax_amount).toBe(35_000 + 4_400 + 4_400)
  })
})

describe('a state whose every county taxes', () => {
  const zipsOf = (state: string, zip3: RegExp) =>
    [...local.zips]
      .filter(([prefix]) => zip3.test(prefix))
      .flatMap(([zip3, text]) =>
        text
          .split('\n')
          .map((line) => zip3 + line.slice(0, 2))
          .filter((zip5) => countiesOfZip(local, zip5)[0]?.county_fips.startsWith(STATE_FIPS[state] ?? '-')),
      )
  const tellsMissing = ({ coverage, lines }: Assessment) =>
    coverage === 'state' && lines.some(({ notes }) => notes.join().includes('is missing in the answer'))

  it('of Louisiana has no ZIP below 8 % but those of Cameron Parish, or says what is missing', () => {
    const zips = zipsOf('LA', /^7(0|1[0-4])/)
    expect(zips.length).toBeGreaterThan(500)
    const low = zips.filter((zip5) => {
      const answer = soldTo('LA', zip5, '')
      return answer.tax_amount < 8_000 && !tellsMissing(answer)
    })
    for (const zip5 of low)
      expect(countiesOfZip(local, zip5)[0]?.county_fips, `ZIP ${zip5} is in Cameron Parish`).toBe('22023')
  })

  it('of New Mexico has no ZIP below the lowest county, or says what is missing', () => {
    const zips = zipsOf('NM', /^8(7|8[0-4])/)
    expect(zips.length).toBeGreaterThan(300)
    for (const zip5 of zips) {
      const answer = soldTo('NM', zip5, '')
      if (!tellsMissing(answer)) expect(answer.tax_amount, zip5).toBeGreaterThanOrEqual(5_250)
    }
  })

  it('answers `state` where the county is not in the data, and how large the gap is', () => {
    const answer = soldTo('LA', '70785', 'Walker')
    expect(answer).toMatchObject({ coverage: 'state', tax_amount: 5_000 })
    expect(answer.notes.join() + answer.lines[0]?.notes.join()).toContain('3 to 7 points')
    expect(soldTo('LA', '', '').lines[0]?.notes.join()).toContain('3 to 7 points')
  })
})

it('says that the rate of the county was used, not that a city has no tax', () => {
  const notes = soldTo('LA', '70526', 'Rayne').lines[0]?.notes.join()
  expect(notes).toContain('No city rate was found for Rayne, so the rate of the county was used')
})

it.each([
  ['10001', 'New York'],
  ['11201', 'Brooklyn'],
  ['11430', 'Jamaica'],
  ['10001', ''],
])('does not miss the city of an address in New York City: %s %s', (zip, city) => {
  // Publication 718 has one rate for the city, which the rates of its five counties contain.
  const { tax_amount, lines, notes } = soldTo('NY', zip, city)
  expect(tax_amount).toBe(8_875)
  expect([...notes, ...lines.flatMap((line) => line.notes)].join()).not.toMatch(/city/i)
})

it.each([
  ['City of Ruston', 'Ruston'],
  ['Superior (Mail Via Louisville)', 'superior'],
  ['Tallassee Within Elmore Co', 'Tallassee'],
  ['Jena Sales', 'Jena'],
  ['Village Of The Hills', 'Village of the Hills'],
  ['Saint Joseph', 'St. Joseph'],
])('takes %s for %s', (listed, named) => {
  expect(cityKey('LA', listed)).toBe(cityKey('LA', named))
})

describe('meals and stays', () => {
  const sold = (region: string, product_type: string) =>
    soldTo(region, '', '', {
      supply_address: { country: 'US', region },
      lines: [{ amount: 100_000, product_type }],
    })

  it('have no full coverage where a place may tax them alone, and a note says so', () => {
    for (const [state, { places_may_tax = [] }] of Object.entries(data.states))
      for (const product_type of places_may_tax) {
        const { coverage, lines } = sold(state, product_type)
        expect(coverage, `${state} ${product_type}`).not.toBe('full')
        const note = `Local taxes on ${productInSentence(product_type)} in ${named(`US-${state}`)} are not in the data and not in the answer`
        expect(lines[0]?.notes.join()).toContain(note)
      }
  })

  it('have it where none may', () => {
    expect(sold('NH', 'accommodation')).toMatchObject({ coverage: 'full' })
    expect(sold('MI', 'prepared_food')).toMatchObject({ coverage: 'full' })
    expect(sold('MA', 'physical_goods')).toMatchObject({ coverage: 'full' })
  })

  it('bear the meals tax of Rhode Island in every town', () => {
    expect(sold('RI', 'prepared_food')).toMatchObject({ coverage: 'full', tax_amount: 8_000 })
  })

  it('say it of stays in Canada too', () => {
    const stay = (region: string) =>
      soldTo('', '', '', {
        currency: 'CAD',
        to: { country: 'CA', region },
        supply_address: { country: 'CA', region },
        lines: [{ amount: 100_000, product_type: 'accommodation' }],
      })
    expect(stay('BC').coverage).toBe('state')
    expect(stay('BC').lines[0]?.notes.join()).toContain('Local taxes on accommodation in British Columbia')
    expect(stay('YT').coverage).toBe('full')
  })
})

describe('a sale that nothing taxes', () => {
  const FREE_SOMEWHERE = ['groceries', 'prescription_drugs', 'otc_drugs', 'newspapers', 'clothing']

  /** Whether an exemption of these states binds their places is not on file (La. R.S. 47:337.9, 337.10). */
  const BY_CHOICE = ['AK', 'AZ', 'CO', 'LA']

  it.each(FREE_SOMEWHERE)('lacks no local tax: %s in each other state', (product_type) => {
    let free = 0
    for (const state of Object.keys(data.states).filter((each) => !BY_CHOICE.includes(each))) {
      const { coverage, lines, tax_amount } = soldTo(state, '', '', {
        lines: [{ amount: 1_000, product_type }],
      })
      const [line] = lines
      if (tax_amount > 0 || line?.taxability_reason !== 'product_exempt') continue
      free += 1
      expect(coverage, state).not.toBe('state')
    }
    expect(free).toBeGreaterThan(2)
  })
})

describe('local taxes on a part of a product', () => {
  type City = readonly [state: string, postal_code: string, city: string]
  const CITIES: readonly City[] = [
    ['GA', '30303', 'Atlanta'],
    ['TN', '37201', 'Nashville'],
    ['MO', '63101', 'St. Louis'],
    ['KS', '66101', 'Kansas City'],
    ['AL', '35203', 'Birmingham'],
    ['LA', '70112', 'New Orleans'],
    ['AR', '72201', 'Little Rock'],
    ['OK', '73102', 'Oklahoma City'],
    ['NC', '27601', 'Raleigh'],
    ['UT', '84101', 'Salt Lake City'],
  ]
  const taxOn = (place: City, product_type: string) =>
    soldTo(...place, { lines: [{ amount: 10_000, product_type }] }).tax_amount

  it.each(CITIES)('are those on groceries for bread and food of babies: %s %s', (...place) => {
    const groceries = taxOn(place, 'groceries')
    expect(groceries).toBeGreaterThan(0)
    expect(taxOn(place, 'basic_food')).toBe(groceries)
    expect(taxOn(place, 'baby_food')).toBe(groceries)
  })

  it('are those on clothes for the clothes of children', () => {
    const albany = ['NY', '12207', 'Albany'] as const
    expect(taxOn(albany, 'clothing')).toBe(400)
    expect(taxOn(albany, 'children_clothing')).toBe(400)
  })
})
