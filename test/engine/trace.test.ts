import { describe, expect, it } from 'vitest'
import type { Assessment, TraceStep } from '../../src/engine/found/assessment.ts'
import { isVoucher, PRODUCT_TYPES } from '../../src/engine/book/product-types.ts'
import { assessmentInWords } from '../../src/engine/words/assessment-in-words.ts'
import { assessed, book, type SaleInWords } from './sale.ts'

/** Goods, groceries, a service and an event of a Texan seller in New York, with shipping. */
const CART: SaleInWords = {
  from: { country: 'US', region: 'TX' },
  registrations: ['US-NY'],
  to: { country: 'US', region: 'NY' },
  currency: 'USD',
  lines: [
    { amount: 1999 },
    { amount: 999, product_type: 'groceries' },
    { amount: 5000, product_type: 'professional_services' },
    { amount: 2500 },
  ],
  shipping: { amount: 500 },
  explain: true,
}

function inWords(sale: Assessment, types: readonly string[]) {
  const sold = types.map((product_type) => ({ description: null, product_type }))
  return assessmentInWords(sale, sold, 'EUR', book)
}

function traceOf(words: SaleInWords): readonly TraceStep[] {
  return assessed({ ...words, explain: true }).trace ?? []
}

describe('the trace', () => {
  it('names the line of each step but the first, and each line has its own steps', () => {
    const [first, ...others] = traceOf(CART)
    expect(first).toMatchObject({ step: 'where', line: null, outcome: 'US-NY' })
    expect(others.every(({ line }) => line !== null)).toBe(true)
    // Shipping is the line after the last.
    for (const line of [0, 1, 2, 3, 4]) {
      const steps = others.filter((each) => each.line === line).map(({ step }) => step)
      expect(steps[0], `line ${line}`).toBe('place_of_supply')
      expect(steps.at(-1), `line ${line}`).toBe('tax')
      expect(steps, `line ${line}`).toContain('product_rule')
    }
  })

  it('says of two lines with one product the same', () => {
    const of = (line: number) =>
      traceOf(CART)
        .filter((each) => each.line === line && each.step !== 'tax')
        .map((each) => ({ ...each, line: null }))
    expect(of(3)).toEqual(of(0))
  })

  it('names the product, the tax and the place of a rule, and its source', () => {
    const rule = traceOf(CART).find(({ step, line }) => step === 'product_rule' && line === 1)
    expect(rule?.rule).toBe('groceries: SALES_TAX US-NY, rule of US-NY')
    expect(rule?.outcome).toBe('exempt')
    expect(rule?.basis).toMatch(/\(https:\/\/.+\/.+\)$/)
  })

  it.each(['US-NY', 'CA-QC', 'DE', 'FR', 'GB', 'AU', 'NZ'])('cites a source for each rule in %s', (id) => {
    const [country = id, region = null] = id.split('-')
    for (const { id: product_type } of PRODUCT_TYPES) {
      // The sale of a voucher is no supply, so no rule for products is asked.
      if (isVoucher(product_type)) continue
      const steps = traceOf({
        from: { country, region },
        registrations: [country, id],
        to: { country, region },
        lines: [{ amount: 1000, product_type }],
        supply_address: { country, region },
      }).filter(({ step }) => step === 'product_rule')
      expect(steps.length, product_type).toBeGreaterThan(0)
      for (const { basis } of steps) {
        expect(basis, product_type).toMatch(/\S/)
        expect(basis, product_type).not.toMatch(/\(https?:\/\/[^/]+\/?\)|\/tedb\/\)/)
      }
    }
  })

  it('says of a rule that nobody saw that it is not verified yet, and cites no home page for it', () => {
    const seminar = { from: { country: 'DE' }, to: { country: 'DE' }, lines: [{ amount: 1000 }] }
    const cited = (product_type: string) =>
      traceOf({ ...seminar, lines: [{ amount: 1000, product_type }] }).find(
        ({ step }) => step === 'product_rule',
      )?.basis
    expect(cited('soft_drinks')).toBe('Rule not verified yet')
  })

  it('says that a place has no rule for a product, with the source of the rate', () => {
    const words = { from: { country: 'DE' }, to: { country: 'DE' }, lines: [{ amount: 1000 }] }
    const steps = PRODUCT_TYPES.flatMap(({ id: product_type }) =>
      traceOf({ ...words, lines: [{ amount: 1000, product_type }] }),
    )
    const defaults = steps.filter(({ rule }) => rule.includes('no rule of DE for it'))
    expect(defaults.length).toBeGreaterThan(0)
    for (const { basis } of defaults) expect(basis).toMatch(/\S/)
  })

  it('names the flag that decided last, and each kind of supply cites its own article', () => {
    const home = { from: { country: 'DE' }, to: { country: 'DE' }, registrations: ['DE'] }
    const freed = assessed({ ...home, explain: true, lines: [{ amount: 1000, taxable: false }] })
    expect(freed.trace?.at(-2)).toEqual({
      step: 'request',
      line: 0,
      rule: 'This line is marked as not taxable',
      outcome: 'not taxed',
      basis: null,
    })
    const { lines } = inWords(freed, ['physical_goods'])
    expect(lines[0]).toMatchObject({
      badge: 'Marked not taxable',
      sentence: 'Physical goods · €10.00 · no tax · this line is marked as not taxable',
    })
    const basisOf = (product_type: string) =>
      traceOf({ ...home, lines: [{ amount: 1000, product_type }] }).find(
        ({ step }) => step === 'place_of_supply',
      )?.basis
    expect(basisOf('physical_goods')).toBe('Directive 2006/112/EC, art. 32')
    expect(basisOf('professional_services')).toBe('Directive 2006/112/EC, art. 45')
    expect(basisOf('saas')).toBe('Directive 2006/112/EC, art. 58')
  })

  it('says who decided on the registration', () => {
    const { trace } = assessed({ ...CART, explain: true, seller_registered: true })
    expect(trace?.find(({ step }) => step === 'registration')?.rule).toMatch(/, as the request states$/)
  })

  it('has no codes in its words', () => {
    const types = PRODUCT_TYPES.map(({ id }) => id).filter((id) => !isVoucher(id))
    const sale = assessed({
      from: { country: 'AT' },
      registrations: ['AT'],
      to: { country: 'AT' },
      explain: true,
      lines: types.map((product_type) => ({ amount: 1000, product_type })),
    })
    const words = inWords(sale, types).lines.flatMap(({ steps }) =>
      steps.flatMap((each) => [each.rule, each.outcome]),
    )
    expect(words.some((text) => text.startsWith('second reduced'))).toBe(true)
    expect(words.filter((text) => /[a-z]_[a-z0-9]/.test(text))).toEqual([])
  })

  it('has the comparison with a limit and the law of the origin at their line', () => {
    const trace = traceOf({
      from: { country: 'US', region: 'TX' },
      registrations: ['ioss'],
      to: { country: 'FR' },
      lines: [{ amount: 1000, product_type: 'saas' }, { amount: 10_000 }],
    })
    expect(trace.filter(({ step }) => step === 'consignment_value')).toEqual([
      { step: 'consignment_value', line: 1, rule: 'limit of EU', outcome: 'within', basis: null },
    ])
  })

  it('is left out if the request does not ask for it', () => {
    expect(assessed({ ...CART, explain: false }).trace).toBeNull()
  })
})

it('frees a small business at home of a sale for which the marketplace is not liable', () => {
  const sale = assessed({
    from: { country: 'GB' },
    to: { country: 'GB' },
    currency: 'GBP',
    marketplace: 'facilitated',
    small_business: true,
    lines: [{ amount: 1000 }],
  })
  expect(sale.lines[0]).toMatchObject({ tax_amount: 0, taxability_reason: 'small_business' })
  expect(sale.decision.reason).toBe('small_business')
})
