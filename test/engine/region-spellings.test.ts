import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { regionKey } from '../../src/engine/book/region-names.ts'
import { findPlace } from '../../src/engine/supply/place.ts'
import { findRegion } from '../../src/platform/http/subdivisions.ts'
import { book } from './sale.ts'

const placeOf = (country: string, region: string) =>
  findPlace(book, { country, region }, 'customer.address').jurisdiction_id

describe('a state or province', () => {
  it.each([
    ['CA', 'NL', 'Newfoundland|NF|NFLD|Labrador|Newfoundland & Labrador|Terre-Neuve-et-Labrador'],
    ['CA', 'QC', 'PQ|Que.|Québec|Province of Quebec|quebec'],
    ['CA', 'YT', 'Yukon Territory|YK|Yukon'],
    ['CA', 'BC', 'B.C.|British-Columbia|British  Columbia|BC, Canada|ca_bc|Colombie-Britannique|b.c'],
    ['CA', 'PE', 'PEI|P.E.I.|Prince Edward Is.|Île-du-Prince-Édouard'],
    ['CA', 'NT', 'NWT|N.W.T.|Northwest Territory|Northwest Territories'],
    ['CA', 'ON', 'Ont.|ONT|Ontario Province'],
    ['CA', 'AB', 'Alta.|Alberta, Canada'],
    ['CA', 'SK', 'Sask.|SK.'],
    ['CA', 'NS', 'N.S.|Nouvelle-Écosse'],
    [
      'US',
      'DC',
      'Washington DC|Washington, D.C.|Washington D.C.|D.C.|District Of Columbia|Dist. of Columbia',
    ],
    ['US', 'CA', 'Calif.|Calif|State of California'],
    ['US', 'MA', 'Mass.|Commonwealth of Massachusetts'],
    ['US', 'NY', 'N.Y.|New York State|NewYork|us_ny|NY.|The State of New York'],
    ['US', 'WA', 'Washington|Washington State|Wash.'],
    ['US', 'NC', 'N. Carolina|N Carolina|North-Carolina|N.C.'],
    ['US', 'WV', 'W. Virginia|W.Va.|West-Virginia'],
    ['US', 'PA', 'Penna.|Penn|Pa.'],
    ['US', 'HI', 'Hawai‘i|Hawaiʻi|Hawai’i'],
    ['US', 'PR', 'P.R.|Puerto-Rico'],
    ['US', 'AE', 'A.E.|Armed Forces - Europe'],
  ])('of %s is understood as %s: %s', (country, code, spellings) => {
    const ids = spellings.split('|').map((region) => [region, placeOf(country, region)])
    expect(ids).toEqual(ids.map(([region]) => [region, `${country}-${code}`]))
    const found = spellings.split('|').map((region) => [region, findRegion(country, region)?.code])
    expect(found).toEqual(found.map(([region]) => [region, code]))
  })

  it.each([
    ['CA', 'Ontariio'],
    ['US', 'New'],
    ['US', 'Province'],
    ['US', 'Washington Heights'],
    ['US', 'D'],
  ])('of %s is refused if nobody knows it: %s', (country, region) => {
    expect(() => placeOf(country, region)).toThrow('is not a state or province')
  })

  it('is itself in each way of writing that leaves its letters', () => {
    const states = [...book.jurisdictions.values()].filter(
      ({ id, parent_id }) => ['US', 'CA'].includes(parent_id ?? '') && id.length === 5,
    )
    const signs = fc.constantFrom('.', ' ', '-', ', ', '_')
    fc.assert(
      fc.property(fc.constantFrom(...states), signs, fc.boolean(), ({ id, name, parent_id }, sign, upper) => {
        for (const written of [name, id.slice(3)]) {
          const spelled = (
            written.length === 2 ? [written.slice(0, 1), written.slice(1)] : written.split(' ')
          ).join(sign)
          expect(placeOf(parent_id ?? '', upper ? spelled.toUpperCase() : spelled)).toBe(id)
        }
      }),
      { numRuns: 1_000 },
    )
  })
})

it.each([
  ['ES', 'BI', 'Vizcaya|Bizkaia'],
  ['ES', 'GI', 'Gerona|GIRONA'],
  ['ES', 'CT', 'Cataluña|Catalonia'],
  ['IT', 'FC', 'Forlì|Forlì Cesena|FO'],
  ['IT', 'MS', 'Massa Carrara'],
  ['IT', 'RM', 'Roma|Rome'],
  ['IN', 'OD', 'Orissa|Odisha|OR'],
  ['IN', 'TN', 'Tamilnadu|Tamil Nadu'],
  ['IN', 'JK', 'Jammu & Kashmir'],
  ['AU', 'NSW', 'N.S.W.|New South Wales'],
  ['AU', 'QLD', 'Qld.'],
  ['MX', 'CMX', 'D.F.|Distrito Federal'],
])('a region of %s is understood as %s: %s', (country, code, spellings) => {
  for (const region of spellings.split('|')) expect(findRegion(country, region)?.code, region).toBe(code)
})

it('keeps letters and numbers of a name alone', () => {
  expect(regionKey(' Washington, D.C. ')).toBe('washingtondc')
  expect(regionKey('東京都')).toBe('東京都')
})

describe('what a form has in place of a region', () => {
  it.each(['N/A', 'n/a', 'n.a.', 'N / A', '-', '--', '.', 'none', 'None', 'NULL', 'unknown'])(
    'is no region: %j',
    (region) => {
      for (const country of ['IT', 'ES', 'US', 'CA', 'JP', 'DE', 'NA'])
        expect(findRegion(country, region)).toBeNull()
      const address = { country: 'US', region, postal_code: '10001' }
      expect(findPlace(book, address, 'customer.address').jurisdiction_id).toBe('US-NY')
      expect(() => placeOf('US', region)).toThrow('is required')
    },
  )

  it('is a region where the country has one with that code', () => {
    expect(findRegion('IT', 'NA')?.name).toBe('Napoli')
    expect(findRegion('ES', 'NA')?.name).toBe('Navarra')
    expect(findPlace(book, { country: 'US', region: 'NA', postal_code: '10001' }, '').jurisdiction_id).toBe(
      'US-NY',
    )
  })

  it('is not the number of a block', () => {
    expect(findRegion('JP', '13')?.code).toBe('13')
    expect(findRegion('JP', 'JP-13')?.code).toBe('13')
    expect(findRegion('JP', '1-3')).toBeNull()
    expect(() => placeOf('US', '1-3')).toThrow('is not a state')
  })
})
