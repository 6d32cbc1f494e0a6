import { describe, expect, it } from 'vitest'
import { readFacts } from '../../scripts/read-facts.ts'
import { assessed } from './sale.ts'

const US = { country: 'US', region: 'NY' }
const saas = [{ amount: 10_000, product_type: 'saas' }]
const goods = [{ amount: 10_000, product_type: 'physical_goods' }]
const lineTo = (country: string, lines = saas, from: { country: string } = US) =>
  assessed({ from, to: { country }, registrations: [], lines }).lines[0]

const left_out = readFacts().countries.flatMap(({ id, left_out: found }) =>
  found === undefined ? [] : [{ id, ...found }],
)

describe('a country without such a tax', () => {
  it.each(left_out.flatMap(({ id, no_such_tax }) => (no_such_tax === undefined ? [] : [[id, no_such_tax]])))(
    '%s has none, as of %s',
    (country, day) => {
      const line = lineTo(country)
      expect(line).toMatchObject({
        taxability_reason: 'not_supported',
        tax_amount: 0,
        not_charged: { no_such_tax: true },
      })
      expect(line?.reason_detail).toContain(`, as of ${day}. No tax was computed`)
      expect(line?.reason_detail).not.toContain('may be due')
    },
  )

  it('may tax goods, as Gibraltar does', () => {
    expect(lineTo('GI', goods)).toMatchObject({
      not_charged: null,
      reason_detail: expect.stringContaining('tax may be due'),
    })
    expect(lineTo('HK', goods)?.not_charged).toEqual({ no_such_tax: true })
  })

  it('is told to a seller whose own law frees the sale', () => {
    const line = lineTo('HK', saas, { country: 'DE' })
    expect(line?.not_charged).toEqual({ no_such_tax: true })
    expect(line?.reason_detail).toContain('Hong Kong has no VAT')
  })
})

describe('a country whose tax on digital services others collect', () => {
  it.each([
    ['AR', 'payer'],
    ['PY', 'payer'],
    ['IL', 'recipient'],
  ])('%s: the %s does', (country, collected_by) => {
    const line = lineTo(country)
    expect(line?.not_charged).toEqual({ collected_by })
    expect(line?.reason_detail).toContain('A seller abroad charges nothing for this service')
    expect(line?.reason_detail).not.toContain('may be due')
  })

  it('says so where no duty of sellers abroad began', () => {
    expect(lineTo('DO')).toMatchObject({
      not_charged: null,
      reason_detail: expect.stringContaining('charges nothing'),
    })
  })

  it('may tax goods, and what a seller of the country sells', () => {
    for (const line of [lineTo('AR', goods), lineTo('AR', saas, { country: 'AR' })])
      expect(line).toMatchObject({
        not_charged: null,
        reason_detail: expect.stringContaining('tax may be due'),
      })
  })
})

it('says that tax may be due in each other country that is left out', () => {
  const others = left_out.filter((each) => each.no_such_tax === undefined && each.collected_by === undefined)
  expect(others.length).toBeGreaterThan(10)
  for (const { id, why } of others) {
    expect(lineTo(id)?.reason_detail).toContain(`tax may be due. ${why}`)
    expect(lineTo(id)?.not_charged).toBeNull()
  }
})
