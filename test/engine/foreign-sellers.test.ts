import { describe, expect, it } from 'vitest'
import { assessed } from './sale.ts'

const CONSUMER = { type: 'individual', vat_id: null } as const

/** A stream of a German course for a consumer. */
function streamed(to: string, day: string, from = 'DE') {
  return assessed({
    from: { country: from },
    registrations: ['oss_union'],
    over_eu_threshold: true,
    to: { country: to },
    customer: { address: { country: to, ...(to === 'US' && { region: 'NY' }) }, ...CONSUMER },
    day,
    lines: [{ amount: 10_000, product_type: 'live_training', live: true }],
  })
}

describe('an event that a consumer attends by a stream', () => {
  it('was supplied where it took place until 2024 (CJEU C-568/17), and since then at the consumer', () => {
    expect(streamed('FR', '2024-12-31').lines[0]?.jurisdiction_id).toBe('DE')
    expect(streamed('FR', '2025-01-01').lines[0]?.jurisdiction_id).toBe('FR')
    expect(streamed('US', '2024-06-01').tax_amount).toBe(1_900)
    expect(streamed('US', '2025-06-01').tax_amount).toBe(0)
    expect(streamed('FR', '2024-06-01', 'CH').tax_amount).toBe(0)
  })
})

describe('a business that buys on the spot from a seller from elsewhere', () => {
  const bought = (country: string, product_type: string) =>
    assessed({
      from: { country: 'IT' },
      registrations: [],
      to: { country },
      customer: {
        address: { country },
        type: 'business',
        vat_id: { country, good: true, invalid: false },
      },
      supply_address: { country },
      lines: [{ amount: 10_000, product_type }],
    })

  it.each([
    // UStG, s. 13b(2) no. 1, (5); ML (2023:200), ch. 16
    ['DE', 'accommodation'],
    ['DE', 'prepared_food'],
    ['DE', 'sports_event'],
    ['SE', 'accommodation'],
    ['FR', 'accommodation'],
  ])('is liable in %s for %s', (country, product_type) => {
    expect(bought(country, product_type)).toMatchObject({ reverse_charge: true, tax_amount: 0 })
  })

  it('is not liable in Germany for congresses and drives (UStG, s. 13b(6) no. 2, 4)', () => {
    for (const product_type of ['conference', 'ground_transport']) {
      const { reverse_charge, notes } = bought('DE', product_type)
      expect(reverse_charge).toBe(false)
      expect(notes.join()).not.toContain('(art. 194)')
    }
  })

  it('may be liable where the law is not in the data, and a note says so', () => {
    expect(bought('SE', 'conference').notes.join()).toContain('is not established there (art. 194)')
    expect(bought('AT', 'accommodation').notes.join()).toContain('is not established there (art. 194)')
  })
})
