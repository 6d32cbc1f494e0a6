import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readFacts } from '../../scripts/read-facts.ts'
import { readLocalData } from '../../scripts/read-local-data.ts'
import { PRODUCT_TYPES } from '../../src/engine/book/product-types.ts'

/** The names of places before the cell of a table that begins with this text. */
function placesOfRow(text: string, start: string): string[] {
  const row = text.split(' | ').findIndex((cell) => cell.startsWith(start))
  return (text.split(' | ')[row - 1] ?? '').replace(/^\|/, '').trim().split(', ').toSorted()
}

const page = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8').replaceAll(/\s+/g, ' ')
const sales = page('us-sales-tax.md')
const vat = page('eu-vat.md')
const of_a_sale = page('facts-of-a-sale.md')
const facts = readFacts()
const states = Object.entries(readLocalData('test').states)

/** The codes of states between two texts of a page. */
function statesBetween(text: string, before: string, after: string): string[] {
  const [, rest = ''] = text.split(before)
  return [...(rest.split(after)[0] ?? '').matchAll(/\b[A-Z]{2}\b/g)].map(([code]) => code).toSorted()
}

const withLaw = (holds: (law: (typeof states)[number][1]) => boolean) =>
  states.flatMap(([code, law]) => (holds(law) ? code : [])).toSorted()

const kindOf = (id: string) => PRODUCT_TYPES.find((product) => product.id === id)?.kind

describe('the guides list what the data says', () => {
  it('states without local taxes on general goods', () => {
    const listed = statesBetween(sales, 'no place has a local tax on general goods:', '|')
    expect(listed).toEqual(withLaw(({ coverage }) => coverage === 'full'))
  })

  it('states that tax their own sellers where they are', () => {
    const all = statesBetween(sales, 'A seller that is established in', ', and for goods in')
    expect(all).toEqual(withLaw(({ sourcing }) => sourcing === 'origin'))
    const goods = statesBetween(sales, ', and for goods in', 'is taxed at')
    expect(goods).toEqual(withLaw(({ sourcing }) => sourcing === 'origin_goods'))
  })

  it('states that tax the whole of a delivery charge', () => {
    const whole = facts.jurisdictions.filter(({ mixed_shipping }) => mixed_shipping === 'whole')
    expect(whole.map(({ name }) => name).toSorted()).toEqual(['Hawaii', 'New York'])
    expect(sales).toContain('New York and Hawaii tax the whole of one delivery charge')
  })

  it('states that tax a bundle whole, and those with a rule of their own', () => {
    const named = (of: string | null) =>
      facts.jurisdictions
        .filter(({ bundles, bundles_of }) => bundles === 'whole' && (bundles_of ?? null) === of)
        .map(({ name }) => name)
        .toSorted()
    expect(placesOfRow(of_a_sale, 'taxed whole, as the product with the most tax; exempt')).toEqual(
      named(null),
    )
    expect(placesOfRow(of_a_sale, 'goods are taxed whole')).toEqual(named('goods'))
    expect(placesOfRow(of_a_sale, 'goods with food are taxed whole')).toEqual(named('food'))
    const others = facts.jurisdictions.filter(({ bundles }) => bundles && bundles !== 'whole')
    expect(others.map(({ name }) => name).toSorted()).toEqual([
      'British Columbia',
      'California',
      'Manitoba',
      'Quebec',
      'Saskatchewan',
    ])
  })

  it('states that look at the year before', () => {
    const found = facts.thresholds.filter(
      ({ threshold_type, measurement_period, effective_to }) =>
        threshold_type === 'REMOTE_SELLER_NEXUS' &&
        measurement_period?.startsWith('previous_calendar_year') &&
        effective_to === null,
    )
    const named = facts.jurisdictions.filter(({ id }) => found.some((each) => each.jurisdiction_id === id))
    expect(named).toHaveLength(6)
    for (const { name } of named) expect(sales).toContain(name)
  })

  it('member states that make business customers liable', () => {
    const [, listed = ''] = vat.split('(art. 194). The data has these rules')
    const liable = facts.jurisdictions.filter(({ non_established_reverse_charge: kinds }) => kinds)
    expect(liable).toHaveLength(11)
    for (const { name } of liable) expect(listed.split('##')[0]).toContain(name)
  })

  it('the amounts of the retail delivery fees', () => {
    const amounts = facts.delivery_fees.flatMap(({ jurisdiction_id, amount }) =>
      jurisdiction_id === 'US-CO' && amount !== null ? amount : [],
    )
    expect([Math.min(...amounts), Math.max(...amounts)]).toEqual([27, 29])
    expect(sales).toContain('$0.27 to $0.29')
  })

  it.each([
    ['on_site', ['event_admission', 'accommodation', 'prepared_food', 'parking', 'vehicle_hire']],
    ['performed', ['live_training', 'installation_repair', 'security_services', 'education']],
    ['property', ['real_estate_services']],
  ] as const)('product types of the kind %s', (kind, ids) => {
    expect(ids.map(kindOf)).toEqual(ids.map(() => kind))
  })
})
