import { describe, expect, it } from 'vitest'
import type { ProductRule } from '../../src/engine/book/facts.ts'
import { assessed, book } from './sale.ts'
import { dayOf, soldAt } from './sold-at.ts'

/** What a law treats otherwise within a product type is told on each line, whatever its tax. */

const WITH_CAVEAT = book.facts.product_rules.filter(({ caveat }) => caveat)

describe('a caveat', () => {
  it.each(WITH_CAVEAT.map((rule) => [rule.id, rule] as const))('%s is told on the line', (_id, rule) => {
    const { lines } = soldAt(rule, dayOf(rule))
    expect(lines[0]?.notes.join('\n')).toContain(rule.caveat)
    expect(lines[0]?.rule).not.toBe('specific')
  })

  it('is told where nothing is taxed, and where the seller collects nothing', () => {
    const to = { country: 'IE' }
    const lines = [{ amount: 10_000, product_type: 'concert' }]
    const free = assessed({ from: to, to, supply_address: to, lines })
    expect(free.tax_amount).toBe(0)
    expect(free.lines[0]?.notes).toContain(
      'Ireland: the tax on a show at which food or drink is sold is 13.5 %',
    )
    const meal = { from: { country: 'RO' }, to: { country: 'RO' }, supply_address: { country: 'RO' } }
    const unregistered = assessed({
      ...meal,
      seller_registered: false,
      lines: [{ amount: 10_000, product_type: 'cultural_event' }],
    })
    expect(unregistered.lines[0]?.notes).toContain(
      'Romania: the tax on concert or theatre is 21 %. Send its own product type',
    )
  })
})

describe('the British relief of the summer of 2026', () => {
  it.each(['GB', 'XI'])('%s: both halves are told from its first to its last day', (jurisdiction_id) => {
    for (const [product_type, word] of [
      ['prepared_food', 'children’s meal'],
      ['event_admission', 'family attractions'],
    ] as const) {
      const rule = { jurisdiction_id, product_type, customer_type: 'all' } as ProductRule
      const told = (day: string) => soldAt(rule, day).lines[0]?.notes.join('\n') ?? ''
      for (const day of ['2026-06-25', '2026-09-01']) expect(told(day)).toContain(word)
      for (const day of ['2026-06-24', '2026-09-02']) expect(told(day)).not.toContain(word)
    }
  })
})

describe('a part that usual laws treat otherwise', () => {
  it.each([
    ['RO', 'concert', '2026-06-15', 21],
    ['IE', 'concert', '2026-06-15', 0],
    ['FR', 'concert', '2026-06-15', 5.5],
    ['DE', 'restaurant_drinks', '2026-06-15', 19],
    ['IE', 'restaurant_drinks', '2026-06-15', 23],
    ['HU', 'restaurant_drinks', '2026-06-15', 27],
    ['SK', 'restaurant_drinks', '2026-06-15', 19],
    ['SK', 'takeaway_food', '2026-06-15', 19],
    ['SK', 'takeaway_food', '2024-06-15', 20],
    ['AT', 'restaurant_drinks', '2026-06-15', 20],
    ['PL', 'restaurant_drinks', '2026-06-15', 23],
    ['IE', 'magazines', '2026-06-15', 9],
    ['DK', 'magazines', '2026-06-15', 25],
    ['AT', 'takeaway_food', '2026-06-15', 10],
    ['SE', 'takeaway_food', '2026-03-31', 12],
    ['SE', 'takeaway_food', '2026-04-01', 6],
    ['SE', 'takeaway_food', '2028-01-01', 12],
    ['NO', 'takeaway_food', '2026-06-15', 15],
    ['NL', 'camping', '2026-06-15', 9],
    ['IE', 'digital_newspapers', '2022-12-31', 9],
    ['IE', 'digital_newspapers', '2023-01-01', 0],
    ['CA-ON', 'magazines', '2026-06-15', 13],
    ['US-NH', 'telecommunications', '2026-06-15', 7],
    ['US-MT', 'telecommunications', '2026-06-15', 3.75],
    ['US-DE', 'telecommunications', '2026-06-15', 0],
    ['US-DE', 'equipment_hire', '2026-06-15', 0],
    ['US-OH', 'takeaway_food', '2026-06-15', 0],
    ['US-OH', 'prepared_food', '2026-06-15', 5.75],
  ])('%s %s on %s bears %d %%', (jurisdiction_id, product_type, day, percent) => {
    const rule = { jurisdiction_id, product_type, customer_type: 'all' } as ProductRule
    expect(soldAt(rule, day).tax_amount).toBe(percent * 100)
  })

  it('has the rule of the closest type above it, which is told', () => {
    const { lines, tax_amount } = soldAt(
      { jurisdiction_id: 'LU', product_type: 'concert', customer_type: 'all' } as ProductRule,
      '2026-06-15',
    )
    expect(tax_amount).toBe(300)
    expect(lines[0]?.rule).toBe('default')
    expect(lines[0]?.notes[0]).toMatch(/^No rule in the data for concert or theatre in Luxembourg/)
  })
})

describe('a meal that is delivered', () => {
  const sold = (country: string, shipping?: { amount: number }) => {
    const to = { country }
    const currency = book.jurisdictions.get(country)?.currency ?? 'EUR'
    const lines = [{ amount: 10_000, product_type: 'prepared_food' }]
    return assessed({ from: to, to, currency, lines, seller_registered: true, ...(shipping && { shipping }) })
  }

  it.each([
    ['CH', 810, 260],
    ['NO', 2500, 1500],
    ['JP', 1000, 800],
    ['BE', 1200, 600],
    ['SE', 1200, 600],
    ['SK', 500, 1900],
  ])('in %s bears %d at the table and %d at the door', (country, served, delivered) => {
    const [at_table] = sold(country).lines
    const [at_door] = sold(country, { amount: 1_000 }).lines
    expect(at_table?.tax_amount).toBe(served)
    expect(at_door?.tax_amount).toBe(delivered)
    expect(at_door?.notes.join('\n')).toContain('the rule for takeaway food was used')
  })

  it('bears the rate of meals where no other rule is in the data', () => {
    expect(sold('ES', { amount: 1_000 }).lines[0]).toMatchObject({ tax_amount: 1_000 })
  })
})

describe('a service of a Spanish seller to a consumer in a Spanish territory', () => {
  const sold = (from: string, postal_code: string, product_type: string, type: 'individual' | 'business') => {
    const address = { country: 'ES', postal_code }
    return assessed({
      from: { country: from },
      to: address,
      customer: { address, type, vat_id: null },
      lines: [{ amount: 10_000, product_type }],
      seller_registered: true,
    })
  }

  it.each(['35001', '38001', '51001', '52001'])(
    '%s: is Spanish (Ley 37/1992, art. 69.Dos)',
    (postal_code) => {
      const { tax_amount, lines } = sold('ES', postal_code, 'legal_services', 'individual')
      expect(tax_amount).toBe(2_100)
      expect(lines[0]?.tax_breakdown).toMatchObject([{ jurisdiction_id: 'ES' }])
    },
  )

  it('stays outside for sellers of other states, and for other supplies', () => {
    expect(sold('DE', '35001', 'legal_services', 'individual').tax_amount).toBe(0)
    expect(sold('ES', '35001', 'saas', 'individual').tax_amount).toBe(0)
    expect(sold('ES', '35001', 'physical_goods', 'individual').tax_amount).toBe(0)
  })
})

describe('what a law says of a whole type', () => {
  it.each([
    ['NZ', 'NZD', 'prepared_food', 'takeaway_food'],
    ['NZ', 'NZD', 'accommodation', 'camping'],
    ['CA', 'CAD', 'accommodation', 'camping'],
  ])('binds its parts: a platform in %s (%s) owes %s and %s', (country, currency, whole, part) => {
    const to = country === 'CA' ? { country, region: 'ON' } : { country }
    const [of_whole, of_part] = [whole, part].map((product_type) => {
      const lines = [{ amount: 10_000, product_type }]
      const { tax_amount } = assessed({ from: to, to, currency, lines, marketplace: 'facilitated' })
      return tax_amount
    })
    expect(of_part).toBe(of_whole)
  })
})
