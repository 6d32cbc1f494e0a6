import { describe, expect, it } from 'vitest'
import type { Exemption } from '../../src/engine/sale/sale.ts'
import { assessed } from './sale.ts'

const TEXAS = { country: 'US', region: 'TX' }
const NEW_YORK = { country: 'US', region: 'NY' }

const stated = (jurisdiction_id: string, exemption_type: Exemption['exemption_type'] = 'resale') => [
  { id: null, jurisdiction_id, exemption_type, valid_from: '2026-06-15', valid_to: '2026-06-15' },
]

const SALE = { from: NEW_YORK, to: TEXAS, registrations: ['US-TX'], currency: 'USD' }

describe('an exemption that the request states for a line', () => {
  it('frees that line as a stored certificate does, and the answer says who vouches for it', () => {
    const lines = [{ amount: 10_000, exemptions: stated('US-TX') }, { amount: 10_000 }]
    const answer = assessed({ ...SALE, lines })
    expect(answer.lines.map(({ tax_amount }) => tax_amount)).toEqual([0, 625])
    expect(answer.lines[0]).toMatchObject({ taxability_reason: 'customer_exempt' })
    expect(answer.lines[0]?.notes.join()).toContain('(resale, Texas) was applied. It is not verified')
    expect(answer.lines[1]?.notes.join()).not.toContain('exemption')
    expect(answer.exemption).toMatchObject({ id: null, jurisdiction_id: 'US-TX' })
  })

  it.each([
    ['another state', stated('US-NY'), 'physical_goods'],
    ['resale of what nobody resells', stated('US-TX'), 'installation_repair'],
  ])('frees nothing if it is for %s, and the answer says so', (_, exemptions, product_type) => {
    const { lines, notes } = assessed({ ...SALE, lines: [{ amount: 10_000, product_type, exemptions }] })
    expect(lines[0]?.tax_amount).toBe(625)
    expect(lines[0]?.notes.join()).toContain('exemption was not used, because ')
    expect(notes.join()).toContain('exemption was not used, because ')
  })

  it('covers the parts of a jurisdiction, and the shipping that follows the goods', () => {
    const shipping = { amount: 1_000 }
    const lines = [{ amount: 10_000, exemptions: stated('US', 'government') }]
    const answer = assessed({ ...SALE, lines, shipping })
    expect(answer.tax_amount).toBe(0)
    expect(answer.shipping).toMatchObject({ taxability_reason: 'customer_exempt' })
  })

  it('stands beside a stored certificate, which keeps its id', () => {
    const exemption = { jurisdiction_id: 'US-TX', exemption_type: 'government' as const }
    const lines = [{ amount: 10_000 }, { amount: 10_000, exemptions: stated('US') }]
    const answer = assessed({ ...SALE, exemption, lines })
    expect(answer.tax_amount).toBe(0)
    expect(answer.exemption?.id).toBe('exm_test')
    expect(answer.lines[1]?.notes.join()).toContain('(resale, the United States) was applied')
  })

  it('leaves the federal part of the HST if it is for a province', () => {
    const words = { from: { country: 'CA', region: 'ON' }, to: { country: 'CA', region: 'ON' } }
    const lines = [{ amount: 10_000, exemptions: stated('CA-ON', 'government') }]
    expect(assessed({ ...words, registrations: ['CA'], currency: 'CAD', lines }).tax_amount).toBe(500)
  })
})
