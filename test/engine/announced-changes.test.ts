import { describe, expect, it } from 'vitest'
import { assessed } from './sale.ts'

type Change = [
  place: string,
  postal_code: string,
  product_type: string,
  last_day: string,
  before: number,
  first_day: string,
  after: number,
]

/** The tax in percent that a seller of the place adds for a consumer, with the sureness of its rule. */
function taxIn(place: string, postal_code: string, product_type: string, day: string) {
  const [country = '', region] = place.split('-')
  const to = { country, postal_code, ...(region !== undefined && { region }) }
  const { tax_amount, lines } = assessed({
    from: to,
    to,
    day,
    supply_address: to,
    ...(country === 'CA' && { registrations: ['CA', 'CA-BC', 'CA-MB'] }),
    lines: [{ amount: 1_000_000, product_type }],
  })
  return { percent: tax_amount / 10_000, rule: lines[0]?.rule }
}

describe('an announced change takes effect on its day', () => {
  it.each<Change>([
    ['LV', '1010', 'basic_food', '2027-06-30', 12, '2027-07-01', 21],
    ['CY', '1010', 'sanitary_products', '2026-12-31', 0, '2027-01-01', 19],
    ['CY', '1010', 'diapers', '2026-12-31', 0, '2027-01-01', 19],
    ['SE', '11120', 'groceries', '2027-12-31', 6, '2028-01-01', 12],
    ['US-SD', '57501', 'physical_goods', '2027-06-30', 4.2, '2027-07-01', 4.5],
    ['US-LA', '70801', 'physical_goods', '2029-12-31', 5, '2030-01-01', 4.75],
    ['US-CA', '94105', 'saas', '2026-12-31', 0, '2027-01-01', 7.25],
    ['US-CA', '94105', 'software_download', '2026-12-31', 0, '2027-01-01', 7.25],
    ['US-CO', '80202', 'saas', '2026-12-31', 0, '2027-01-01', 2.9],
    ['US-CO', '80202', 'software_download', '2026-12-31', 0, '2027-01-01', 2.9],
    ['US-DC', '20001', 'physical_goods', '2026-09-30', 6, '2026-10-01', 7],
    ['US-DC', '20001', 'accommodation', '2027-09-30', 15.95, '2027-10-01', 14.95],
    ['US-AL', '36104', 'diapers', '2025-08-31', 4, '2025-09-01', 0],
    ['US-AL', '36104', 'diapers', '2028-08-31', 0, '2028-09-01', 4],
    ['US-AL', '36104', 'sanitary_products', '2028-08-31', 0, '2028-09-01', 4],
    ['CA-BC', 'V6B1A1', 'accounting_services', '2026-09-30', 5, '2026-10-01', 12],
    ['CA-MB', 'R3C0A1', 'candy', '2026-06-30', 12, '2026-07-01', 5],
  ])('%s %s %s: on %s %d %%, on %s %d %%', (place, code, product, last, before, first, after) => {
    expect([taxIn(place, code, product, last).percent, taxIn(place, code, product, first).percent]).toEqual([
      before,
      after,
    ])
  })
})

describe('what no act has enacted is not charged', () => {
  it.each([
    // Finance Bill 2026: no act was seen.
    ['DK', '1050', 'books', 25],
    // Withdrawn in February 2026.
    ['BE', '1000', 'cultural_event', 6],
    // SB 122 leaves infrastructure and platforms out.
    ['US-CA', '94105', 'infrastructure_services', 0],
    ['US-CA', '94105', 'platform_services', 0],
    ['HU', '1051', 'groceries', 27],
  ])('%s %s %s', (place, code, product, percent) => {
    expect(taxIn(place, code, product, '2027-06-15').percent).toBe(percent)
  })

  it('a change whose signature was not seen is called uncertain', () => {
    expect(taxIn('US-OR', '97201', 'accommodation', '2027-01-01').rule).toBe('uncertain')
  })
})
