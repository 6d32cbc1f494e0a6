import { describe, expect, it } from 'vitest'
import { assessed, type SaleInWords } from './sale.ts'

const US = { country: 'US', region: 'NY' }

/** Wine of 50 and a glass of 50 from the United States. */
const WINE = { amount: 5_000, product_type: 'alcohol' }
const GLASS = { amount: 5_000, product_type: 'physical_goods' }

const PLACES = [
  ['the European Union by IOSS', 'ioss', 'EUR', { country: 'DE' }, 950],
  ['Great Britain', 'GB', 'GBP', { country: 'GB' }, 1_000],
  ['Australia', 'AU', 'AUD', { country: 'AU', region: 'NSW' }, 500],
  ['New Zealand', 'NZ', 'NZD', { country: 'NZ' }, 750],
] as const

const sold = (
  registration: string,
  currency: string,
  words: Pick<SaleInWords, 'to' | 'lines' | 'marketplace'>,
) => assessed({ from: US, currency, registrations: [registration], ...words })

describe.each(PLACES)('a small parcel to %s', (_, registration, currency, to, tax) => {
  it('is taxed at the sale, but for alcohol and tobacco, which are taxed at the border', () => {
    expect(sold(registration, currency, { to, lines: [GLASS] }).tax_amount).toBe(tax)
    for (const product_type of ['alcohol', 'tobacco']) {
      const { tax_amount, lines } = sold(registration, currency, { to, lines: [{ ...WINE, product_type }] })
      expect(tax_amount).toBe(0)
      expect(lines[0]?.taxability_reason).toBe('not_subject_to_tax')
    }
  })

  it('is taxed at the border if a platform sells alcohol in it', () => {
    const by_platform = sold(registration, currency, { to, lines: [WINE], marketplace: 'facilitated' })
    expect(by_platform.tax_amount).toBe(0)
    expect(by_platform.decision.reason).not.toBe('marketplace_collects')
  })
})

describe('a parcel with wine and a glass', () => {
  it.each(PLACES.slice(0, 2))('to %s goes to the border whole, and says how to avoid it', (_, ...place) => {
    const [registration, currency, to] = place
    const { tax_amount, notes } = sold(registration, currency, { to, lines: [GLASS, WINE] })
    expect(tax_amount).toBe(0)
    expect(notes.join()).toContain('Goods under excise duty')
  })

  it.each(PLACES.slice(2))('to %s has the tax of the glass at the sale', (_, ...place) => {
    const [registration, currency, to, tax] = place
    for (const lines of [
      [GLASS, WINE],
      [WINE, GLASS],
    ]) {
      expect(sold(registration, currency, { to, lines }).tax_amount).toBe(tax)
    }
  })
})
