import { describe, expect, it } from 'vitest'
import { assessed, type SaleInWords } from './sale.ts'

const DE = { country: 'DE' }
const FR = { country: 'FR' }
const TO_FRANCE = { from: DE, to: FR, over_eu_threshold: true, lines: [{ amount: 10_000 }] }
const firstLine = (words: SaleInWords) => assessed(words).lines[0]

describe('a small business with an EX number (Directive (EU) 2020/285)', () => {
  it('charges no tax in the member state of its registration', () => {
    const { lines, decision, notes } = assessed({ ...TO_FRANCE, registrations: ['FR-EX'] })
    expect(lines[0]).toMatchObject({
      tax_amount: 0,
      taxability_reason: 'small_business',
      jurisdiction_id: 'FR',
    })
    expect(decision).toMatchObject({ collect: false, reason: 'small_business', must_register: false })
    expect(notes.join()).toContain('art. 284')
  })

  it('has no such scheme before 2025, in another state, or from outside the Union', () => {
    const registrations = ['FR-EX']
    expect(firstLine({ ...TO_FRANCE, registrations, day: '2024-12-31' })?.taxability_reason).toBe(
      'not_collecting',
    )
    expect(firstLine({ ...TO_FRANCE, registrations: ['ES-EX'] })?.taxability_reason).toBe('not_collecting')
    const swiss = { ...TO_FRANCE, from: { country: 'CH' }, ship_from: FR, registrations }
    expect(firstLine(swiss)?.taxability_reason).not.toBe('small_business')
  })

  it('charges the tax of its own state, unless it is a small business there too', () => {
    const home = { ...TO_FRANCE, to: DE, registrations: ['FR-EX'] }
    expect(firstLine(home)?.tax_amount).toBe(1_900)
    expect(firstLine({ ...home, small_business: true })?.tax_amount).toBe(0)
  })
})
