import { describe, expect, it } from 'vitest'
import { readLocalData } from '../../scripts/read-local-data.ts'
import { assessSale } from '../../src/tax/assess.ts'
import type { Assessment } from '../../src/tax/assessment.ts'
import { openLocalBook } from '../../src/tax/regimes/us-local/local-book.ts'
import { book, saleOf, type SaleInWords } from './sale.ts'

/** The shipped local rates against combined rates that the states publish. */

const local = openLocalBook(readLocalData('test'))

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
    // CDTFA
    ['CA', '90210', 'Beverly Hills', 9_750],
    ['CA', '94503', 'American Canyon', 7_750],
    ['CA', '94513', 'Brentwood', 8_750],
    // Tennessee Department of Revenue: the transit surcharge since 2025-02-01
    ['TN', '37201', 'Nashville', 9_750],
    ['TN', '37205', 'Belle Meade', 9_750],
    ['TN', '37902', 'Knoxville', 9_250],
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
