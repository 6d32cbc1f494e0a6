import { describe, expect, it } from 'vitest'
import type { VatId } from '../../src/engine/sale/sale.ts'
import { assessed, type SaleInWords } from './sale.ts'

const AU = { country: 'AU' }
const CH = { country: 'CH' }
const DE = { country: 'DE' }
const ES = { country: 'ES' }
const FR = { country: 'FR' }
const GB = { country: 'GB' }
const NZ = { country: 'NZ' }
const TEXAS = { country: 'US', region: 'TX' }

const above = { lines: [{ amount: 250_000 }], currency: 'EUR' }
const firstLine = (words: SaleInWords) => assessed(words).lines[0]

describe('goods from abroad that the seller imports', () => {
  it.each([
    ['art. 32(2)', TEXAS, FR, 'FR', 50_000],
    ['s. 7(6)', TEXAS, GB, 'GB', 50_000],
    ['s. 7(6)', DE, GB, 'GB', 50_000],
    ['art. 32(2)', GB, DE, 'DE', 47_500],
    ['s. 9-25(3)', TEXAS, AU, 'AU', 25_000],
    ['s. 8(3)(a)', TEXAS, NZ, 'NZ', 37_500],
  ])('are sold in the country of arrival: %s', (section, from, to, id, tax_amount) => {
    const sale = { from, to, registrations: [id], importer: 'seller' as const, ...above }
    const { lines, trace } = assessed({ ...sale, explain: true })
    expect(lines[0]).toMatchObject({ jurisdiction_id: id, tax_amount })
    expect(trace?.map(({ basis }) => basis).join()).toContain(section)
  })

  it('oblige a seller without a registration to register', () => {
    const words = { from: TEXAS, to: FR, registrations: [], importer: 'seller' as const, ...above }
    expect(assessed(words).decision).toMatchObject({ collect: false, must_register: true })
  })

  it('leave the tax to a business of a state that says so: art. 194', () => {
    const vat_id: VatId = { country: 'ES', good: true, invalid: false }
    const customer = { address: ES, type: 'business' as const, vat_id }
    const words = { from: CH, to: ES, customer, importer: 'seller' as const, ...above }
    expect(firstLine(words)?.taxability_reason).toBe('reverse_charge')
  })
})

describe('goods from abroad that the customer imports', () => {
  it.each([
    [TEXAS, FR],
    [GB, FR],
    [TEXAS, GB],
    [TEXAS, AU],
  ])('are taxed at the border, and without a word on it the doubt is told', (from, to) => {
    const doubt = 'unless it is the importer'
    const unsaid = firstLine({ from, to, ...above })
    expect(unsaid?.tax_amount).toBe(0)
    expect(unsaid?.reason_detail).toContain(doubt)
    const said = firstLine({ from, to, importer: 'customer', ...above })
    expect(said?.tax_amount).toBe(0)
    expect(said?.reason_detail).toContain('due at the border')
    expect(said?.reason_detail).not.toContain(doubt)
  })
})
