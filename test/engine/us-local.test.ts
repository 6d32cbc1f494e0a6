import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readMisses, sourcingTable } from '../../scripts/local-page.ts'
import { taxOfDocument, taxOfLine } from '../../src/engine/arithmetic/document-tax.ts'
import { readLocalData, readSourcingLaws } from '../../scripts/read-local-data.ts'
import { assessSale } from '../../src/engine/answer/assess.ts'
import { localBookOf, openLocalBook } from '../../src/engine/regimes/us-local/local-book.ts'
import { STATE_FIPS } from '../../src/engine/regimes/us-local/state-fips.ts'
import { book, saleOf, type SaleInWords } from './sale.ts'

const data = readLocalData('test')
const local = openLocalBook(data)

const soldTo = (region: string, postal_code: string, city: string | null, more: Partial<SaleInWords> = {}) =>
  assessSale(
    saleOf({
      from: { country: 'US', region: 'DE' },
      seller_registered: true,
      to: { country: 'US', region, postal_code, city },
      currency: 'USD',
      day: '2026-07-01',
      lines: [{ amount: 10_000 }],
      ...more,
    }),
    book,
    local,
  )

it('reads a state from the book when a sale into it first asks, and no other', () => {
  const asked: string[] = []
  const stored = (state: string) => {
    asked.push(state)
    const law = data.states[state]
    const jurisdictions = data.jurisdictions.filter((each) => each.state === state)
    return law === undefined ? null : { law, jurisdictions, boundaries: [] }
  }
  const zips = new Map(Object.entries(data.zips))
  const lazy = localBookOf({ version: 'test', zips, zip4: new Map(), stored })
  const sale = saleOf({
    from: { country: 'US', region: 'DE' },
    seller_registered: true,
    to: { country: 'US', region: 'MN', postal_code: '55401', city: 'Minneapolis' },
    currency: 'USD',
    day: '2026-07-01',
    lines: [{ amount: 1_007 }, { amount: 500, product_type: 'groceries' }],
  })
  expect(assessSale(sale, book, lazy)).toEqual(assessSale(sale, book, local))
  assessSale(sale, book, lazy)
  expect(asked).toEqual(['MN'])
})

describe('a sale into a state with local taxes', () => {
  it('bears a charge for each jurisdiction, rounded as one sum', () => {
    const { lines, coverage, tax_amount } = soldTo('MN', '55401', 'Minneapolis', {
      lines: [{ amount: 1_007 }],
    })
    expect(coverage).toBe('local')
    expect(lines[0]?.tax_breakdown.map(({ jurisdiction_id }) => jurisdiction_id)).toEqual([
      'US-MN',
      'US-MN-053',
      'US-MN-43000',
      'US-MN-D-METRO',
      'US-MN-D-HENNEPIN-TRANSIT',
    ])
    expect(tax_amount).toBe(91)
    expect(lines[0]?.tax_breakdown.reduce((sum, each) => sum + each.tax_amount, 0)).toBe(91)
  })

  it('has one rate if all of the ZIP has one', () => {
    const { local: found, tax_amount } = soldTo('FL', '33010', null)
    expect(found).toMatchObject({
      precision: 'zip5',
      method: 'only_rate_in_zip',
      rate_min: 10_000,
      rate_max: 10_000,
    })
    expect(tax_amount).toBe(700)
  })

  it.each([
    ['CA', '94105', 'San Francisco', 13_750],
    ['CO', '80202', 'Denver', 62_500],
  ])('needs no name of a city that fills its county: %s %s', (state, zip, city, rate) => {
    const { local: alone } = soldTo(state, zip, null)
    const { local: named } = soldTo(state, zip, city)
    expect(alone).toMatchObject({ method: 'only_rate_in_zip', rate_min: rate, rate_max: rate, notes: [] })
    expect(alone?.stack).toEqual(named?.stack)
    expect(soldTo(state, zip, 'A quarter of it').local?.stack).toEqual(named?.stack)
  })

  it('knows such a city in a ZIP of several counties, and that the other parts differ', () => {
    const { local: found } = soldTo('CO', '80020', null)
    expect(found).toMatchObject({ method: 'main_city', rate_min: 5_000 })
    expect(found?.stack.parts.map(({ id }) => id)).toEqual(['US-CO-014-BROOMFIELD'])
    expect(found?.notes.join()).toContain('Give the city')
  })

  it('has the range of the cities of its counties, if the address has no city', () => {
    const { local: found } = soldTo('WV', '26003', null)
    const { local: named } = soldTo('WV', '26003', 'Wheeling')
    expect(found?.method).toBe('lowest_in_zip')
    expect(found?.rate_max).toBeGreaterThanOrEqual(named?.stack.rate ?? 0)
    expect(found?.rate_max).toBeGreaterThan(found?.stack.rate ?? 0)
    expect(found?.notes.join()).toContain('Give the city')
  })

  it('claims no certainty in any ZIP without a city, and holds the rate of its cities', () => {
    for (const state of Object.keys(STATE_FIPS)) {
      const { law, cities = [] } = local.state(state) ?? {}
      if (law === undefined || law.city === 'none' || law.coverage !== 'local') continue
      for (const { name, zips } of cities.filter(({ zips: all }) => all.length > 0).slice(0, 20)) {
        const zip = zips[0] ?? ''
        const { local: alone } = soldTo(state, zip, null)
        const { local: named } = soldTo(state, zip, name)
        if (alone === null || named?.method !== 'city_named') continue
        expect(alone.rate_max, `${state} ${zip} ${name}`).toBeGreaterThanOrEqual(named.stack.rate)
      }
    }
  })

  it('bears the lowest rate of a ZIP in a member state of the agreement, and says so', () => {
    const { local: found } = soldTo('OK', '73072', null)
    expect(found?.method).toBe('lowest_in_zip')
    expect(found?.notes.join()).toContain('SSUTA 305')
    expect(found?.candidates.length).toBeGreaterThan(1)
  })

  it.each([
    ['lowest', 10_000],
    ['highest', 20_000],
    ['state_only', 0],
  ] as const)('bears the rate that the request asks for: %s', (local_fallback, rate) => {
    expect(soldTo('FL', '32096', null, { local_fallback }).local?.stack.rate).toBe(rate)
  })

  it('takes the named city, and warns that postal names differ', () => {
    const { local: found, tax_amount } = soldTo('CA', '90802', 'Long Beach')
    expect(found).toMatchObject({ precision: 'zip5_city', method: 'city_named' })
    expect(found?.notes.join()).toContain('postal name')
    expect(tax_amount).toBe(1_050)
  })

  it('believes the ZIP if the city lies elsewhere, and notes it', () => {
    const { local: found } = soldTo('CA', '94105', 'Long Beach')
    expect(found?.notes.join()).toContain('is in no county of the ZIP 94105')
  })

  it('is never a silent zero: without a ZIP only the state is computed, and told', () => {
    const { coverage, lines } = soldTo('FL', '', null)
    expect(coverage).toBe('state')
    expect(lines[0]?.notes.join()).toContain('Local taxes may come on top')
  })

  it('bears at most 2 % of local tax in Texas', () => {
    expect(soldTo('TX', '75201', 'Dallas').tax_amount).toBe(825)
  })

  it('is taxed where the seller is, if the state says so', () => {
    const from = { country: 'US', region: 'TX', postal_code: '75201', city: 'Dallas' }
    expect(soldTo('TX', '79101', null, { from, seller_registered: null }).local?.stack.parts[0]?.name).toBe(
      'Dallas',
    )
  })

  it('is taxed where the customer is, if the goods of such a seller come from another state', () => {
    const from = { country: 'US', region: 'TX', postal_code: '75201', city: 'Dallas' }
    const ship_from = { country: 'US', region: 'NY', postal_code: '10001' }
    const { local: found } = soldTo('TX', '79101', null, { from, ship_from, seller_registered: null })
    expect(found?.stack.parts[0]?.name).toBe('Amarillo')
  })

  describe('by a seller that registered for one rate of the state', () => {
    const holds = (...registrations: string[]) => ({ registrations, seller_registered: null })

    it('bears 1.75 % in Texas on top of the tax of the state, at any address', () => {
      for (const zip of ['75201', '79101', '99999']) {
        const {
          local: found,
          lines,
          tax_amount,
          coverage,
        } = soldTo('TX', zip === '99999' ? '' : zip, null, {
          ...holds('US-TX', 'tx_single_local'),
        })
        expect([tax_amount, coverage]).toEqual([800, 'local'])
        expect(found).toMatchObject({ precision: 'state', method: 'remote_seller_rate', candidates: [] })
        expect(lines[0]?.tax_breakdown).toMatchObject([
          { jurisdiction_id: 'US-TX', tax_amount: 625 },
          { jurisdiction_id: 'US-TX-SINGLE', rate_millionths: 17_500, tax_amount: 175 },
        ])
      }
    })

    it('bears 8 % in Alabama instead of all other tax, on groceries too', () => {
      for (const product_type of ['physical_goods', 'groceries'] as const) {
        const {
          local: found,
          lines,
          tax_amount,
        } = soldTo('AL', '35203', 'Birmingham', {
          ...holds('al_ssut'),
          lines: [{ amount: 10_000, product_type }],
        })
        expect(tax_amount).toBe(800)
        expect(lines[0]?.tax_breakdown).toMatchObject([
          { jurisdiction_id: 'US-AL', levied_as: 'SIMPLIFIED_SELLERS_USE_TAX', rate_millionths: 80_000 },
        ])
        expect(found?.notes.join()).toContain('contains state tax')
      }
    })

    it('bears it from its first day on', () => {
      const early = soldTo('TX', '79101', null, { ...holds('US-TX', 'tx_single_local'), day: '2019-09-30' })
      expect(early.local?.method).not.toBe('remote_seller_rate')
    })

    it.each([
      ['is established in the state', { from: { country: 'US', region: 'TX', postal_code: '75201' } }],
      ['sells from stock in the state', { ship_from: { country: 'US', region: 'TX' } }],
      ['is a marketplace', { marketplace: 'facilitator' }],
    ] as const)('bears the rates of the address if it %s, and says so', (_, more) => {
      const { local: found, tax_amount } = soldTo('TX', '75201', 'Dallas', {
        ...holds('US-TX', 'tx_single_local'),
        ...more,
      })
      expect(tax_amount).toBe(825)
      expect(found?.notes.join()).toContain(
        'Single local use tax rate of Texas does not apply to this sale, because',
      )
    })

    it('lets a marketplace charge the rate of Alabama', () => {
      expect(
        soldTo('AL', '35203', null, { ...holds('al_ssut'), marketplace: 'facilitator' }).tax_amount,
      ).toBe(800)
    })

    it('is only for those who registered: `seller_registered` alone does not choose it', () => {
      expect(soldTo('TX', '75201', 'Dallas').tax_amount).toBe(825)
    })

    it('adds up under each rounding, and leaves exempt products free', () => {
      for (const tax_behavior of ['exclusive', 'inclusive'] as const) {
        const { lines, tax_amount } = soldTo('AL', '35203', null, {
          ...holds('al_ssut'),
          lines: [
            { amount: 999, tax_behavior },
            { amount: -101, tax_behavior },
          ],
          rounding: 'document',
        })
        const entries = lines.flatMap(({ tax_breakdown }) => tax_breakdown)
        expect(entries.reduce((sum, each) => sum + each.tax_amount, 0)).toBe(tax_amount)
      }
      const medicine = [{ amount: 10_000, product_type: 'prescription_drugs' }]
      expect(soldTo('AL', '35203', null, { ...holds('al_ssut'), lines: medicine }).tax_amount).toBe(0)
    })
  })

  it('says of a product with a rate of its own that local taxes on it are not in the data', () => {
    const { lines } = soldTo('MS', '39201', null, { lines: [{ amount: 10_000, product_type: 'groceries' }] })
    expect(lines[0]?.notes.join()).toContain('Local taxes on groceries in Mississippi are not in the data')
  })

  it('adds up on any line: gross, credit, discount, document rounding', () => {
    for (const amount of [1, 33, 999, -1_007, 123_457])
      for (const tax_behavior of ['exclusive', 'inclusive'] as const)
        for (const rounding of ['line', 'document'] as const) {
          const { lines, tax_amount, subtotal, total } = soldTo('MN', '55401', 'Minneapolis', {
            rounding,
            lines: [{ amount, tax_behavior }, { amount: 77 }],
          })
          const parts = lines.flatMap(({ tax_breakdown }) => tax_breakdown.map((each) => each.tax_amount))
          expect(parts.reduce((sum, each) => sum + each, 0)).toBe(tax_amount)
          expect(subtotal + tax_amount).toBe(total)
        }
  })
})

describe('what local taxes fall on', () => {
  const goods = (amount: number, more: object = {}) => ({
    lines: [{ amount, product_type: 'physical_goods', ...more }],
  })
  const entries = (assessed: ReturnType<typeof soldTo>) =>
    assessed.tax_breakdown.map(({ jurisdiction_id, levied_as, taxable_amount, tax_amount }) => [
      jurisdiction_id,
      levied_as,
      taxable_amount,
      tax_amount,
    ])

  it('is the first 5,000 USD of an item in Florida, of goods only', () => {
    expect(entries(soldTo('FL', '33010', null, goods(750_000)))).toEqual([
      ['US-FL', null, 750_000, 45_000],
      ['US-FL-086', null, 500_000, 5_000],
    ])
    expect(soldTo('FL', '33010', null, goods(750_000, { quantity: 2 })).tax_amount).toBe(52_500)
    expect(soldTo('FL', '33010', null, goods(500_000)).tax_amount).toBe(35_000)
    expect(soldTo('FL', '33010', null, goods(-750_000)).tax_amount).toBe(-50_000)
    const { notes } = soldTo('FL', '33010', null, goods(750_000))
    expect(notes.join()).toContain('first $5,000.00')
  })

  it('is the same price for a buyer whose price contains the tax', () => {
    const inclusive = soldTo('FL', '33010', null, goods(800_000, { tax_behavior: 'inclusive' }))
    expect(inclusive).toMatchObject({ total: 800_000, tax_amount: 50_000 })
  })

  it('is the first 1,600 USD of an item in Tennessee, and the state has its tax on single articles', () => {
    expect(entries(soldTo('TN', '37902', 'Knoxville', goods(500_000)))).toEqual([
      ['US-TN', null, 500_000, 35_000],
      ['US-TN-40000', null, 160_000, 3_600],
      ['US-TN', 'SINGLE_ARTICLE', 160_000, 4_400],
    ])
  })

  it('is not guessed for a quantity that tells no number of items, unless all of it is within', () => {
    const kilos = (amount: number) => soldTo('TN', '37902', 'Knoxville', goods(amount, { quantity: 1.5 }))
    expect(() => kilos(500_000)).toThrow('a quantity of 1.5 does not say how many items')
    expect(entries(kilos(160_000))).toEqual(entries(soldTo('TN', '37902', 'Knoxville', goods(160_000))))
  })

  it('is capped on the price that the law taxes, with a coupon and without a trade-in', () => {
    const coupon = { discount: 150_000, funded_discount: 150_000 }
    const sold = soldTo('FL', '33010', null, goods(750_000, coupon))
    expect(entries(sold)).toEqual([
      ['US-FL', null, 750_000, 45_000],
      ['US-FL-086', null, 500_000, 5_000],
    ])
    expect(sold.lines[0]?.net_amount).toBe(600_000)
    const traded = soldTo('FL', '33010', null, goods(750_000, { trade_in: 300_000 }))
    expect(entries(traded)).toEqual([
      ['US-FL', null, 450_000, 27_000],
      ['US-FL-086', null, 450_000, 4_500],
    ])
    expect(traded.lines[0]).toMatchObject({ net_amount: 750_000, taxability_reason: 'taxable_basis_reduced' })
  })

  it('is not capped in another currency, and a note says so', () => {
    const { notes, tax_amount } = soldTo('FL', '33010', null, { ...goods(750_000), currency: 'EUR' })
    expect(tax_amount).toBe(52_500)
    expect(notes.join()).toContain('was not applied')
  })

  it('is clothing under 110 USD in New York, unless the place frees it', () => {
    const shirt = { lines: [{ amount: 9_900, product_type: 'clothing' }] }
    expect(soldTo('NY', '10001', null, shirt).tax_amount).toBe(0)
    expect(entries(soldTo('NY', '14201', null, shirt))).toEqual([['US-NY-029', null, 9_900, 470]])
    const coat = { lines: [{ amount: 19_900, product_type: 'clothing' }] }
    expect(soldTo('NY', '14201', null, coat).tax_amount).toBe(1_741)
  })

  it('is groceries where the state taxes them lower or not at all, if the law says so', () => {
    const food = { lines: [{ amount: 10_000, product_type: 'groceries' }] }
    expect(entries(soldTo('TN', '37902', 'Knoxville', food)).map(([id]) => id)).toEqual([
      'US-TN',
      'US-TN-40000',
    ])
    const georgia = soldTo('GA', '30303', 'Atlanta', food)
    expect(georgia.tax_amount).toBe(490)
    expect(georgia.tax_breakdown.map(({ jurisdiction_id }) => jurisdiction_id)).not.toContain('US-GA')
    expect(soldTo('VA', '23451', null, food)).toMatchObject({ tax_amount: 100, notes: [] })
  })
})

it('a state without local tax has full coverage', () => {
  expect(soldTo('MD', '21202', null)).toMatchObject({ coverage: 'full', local: null, tax_amount: 600 })
})

type OracleCase = { state: string; city: string; zip5: string; rate: number; tolerance: number }
/** The cases are of addresses, so the seller has a place in a state that taxes no others. */
const inState = (region: string): Partial<SaleInWords> =>
  data.states[region]?.remote_sellers_exempt === true ? { from: { country: 'US', region } } : {}
const STEPS = new Set(['1', '2', '2b', '3', '2, 4', '2b, 4'])

it('agrees with nine tenths of the cases of other projects, and each miss has a note', () => {
  const oracles = join(import.meta.dirname, 'oracles/us_local.json')
  const { cases } = JSON.parse(readFileSync(oracles, 'utf8')) as { cases: OracleCase[] }
  const states = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../data/us-local/states.json'), 'utf8'),
  ) as Record<string, { step: string }>
  const asked = cases.filter(({ state }) => STEPS.has(states[state]?.step ?? ''))
  const missed = asked.filter(({ state, city, zip5, rate, tolerance }) => {
    const plain = city.replace(/ \(.*\)/, '')
    const { rate_millionths } = soldTo(state, zip5, plain, inState(state))
    return Math.abs(rate_millionths / 1_000_000 - rate) > tolerance + 1e-9
  })
  expect(asked.length).toBeGreaterThan(170)
  expect(missed.length / asked.length).toBeLessThanOrEqual(0.1)
  for (const { state, city, zip5 } of missed) {
    const { local: found } = soldTo(state, zip5, city.replace(/ \(.*\)/, ''), inState(state))
    expect(found?.precision, `${state} ${city}`).not.toBe('zip4')
    expect(found?.notes.length, `${state} ${city}`).toBeGreaterThan(0)
  }
})

it('explains each case of other projects that it answers otherwise', () => {
  const oracles = join(import.meta.dirname, 'oracles/us_local.json')
  const { cases } = JSON.parse(readFileSync(oracles, 'utf8')) as { cases: OracleCase[] }
  const missed = cases.filter(({ state, city, zip5, rate, tolerance }) => {
    const plain = city.replace(/ \(.*\)/, '')
    const { rate_millionths, notes } = soldTo(state, zip5, plain, inState(state))
    const differs = Math.abs(rate_millionths / 1_000_000 - rate) > tolerance + 1e-9
    if (differs) expect(notes.length, `${state} ${city}`).toBeGreaterThan(0)
    return differs
  })
  const named = (list: readonly { state: string; zip5: string; city: string }[]) =>
    list.map(({ state, zip5, city }) => `${state} ${zip5} ${city}`).toSorted()
  expect(named(missed)).toEqual(named(readMisses()))
})

it('rounds a stack in doubles as in exact fractions', () => {
  for (let index = 0; index < 5_000; index += 1) {
    const base = ((index * 7_919_777) % 2_000_003) - 1_000_001
    const rates = [65_000, 13_500, 15_000 + (index % 97), 1 + (index % 7_919), 5_000].slice(
      0,
      2 + (index % 4),
    )
    const components = rates.map((rate_millionths, at) => {
      return { key: String(at), rate_millionths, fraction_millionths: 1_000_000, compound: false, stack: 's' }
    })
    const line = { base, tax_behavior: 'exclusive', components } as const
    const amounts = (taxes: readonly number[] = []) => taxes.map((tax) => tax + 0)
    expect(amounts(taxOfLine(line))).toEqual(amounts(taxOfDocument([line]).get(line)))
  }
})

describe('the place of a product within a state', () => {
  const TO: Record<string, string[]> = {
    OH: ['43085', 'Worthington'],
    UT: ['84060', 'Park City'],
    TN: ['37201', 'Nashville'],
  }
  const FROM: Record<string, string[]> = {
    OH: ['44113', 'Cleveland'],
    UT: ['84601', 'Provo'],
    TN: ['37402', 'Chattanooga'],
  }
  const partsOf = (region: string, product_type: string, abroad = false) => {
    const [postal_code = '', city = ''] = TO[region] ?? []
    const [zip = '', town = ''] = FROM[region] ?? []
    const from = abroad
      ? { country: 'US', region: 'DE' }
      : { country: 'US', region, postal_code: zip, city: town }
    const { lines } = soldTo(region, postal_code, city, { from, lines: [{ amount: 10_000, product_type }] })
    return lines[0]
  }
  const ratesOf = (region: string, type: string, abroad = false) =>
    partsOf(region, type, abroad)?.rate_millionths

  it.each([
    ['OH', 'streaming'],
    ['OH', 'software_download'],
    ['UT', 'ebooks'],
    ['UT', 'software_download'],
    ['TN', 'software_download'],
    ['TN', 'equipment_hire'],
  ])(
    'in %s is the seller’s for %s as for goods, and the buyer’s of a seller from elsewhere',
    (region, type) => {
      expect(ratesOf(region, type)).toBe(ratesOf(region, 'physical_goods'))
      expect(ratesOf(region, type, true)).toBe(ratesOf(region, 'physical_goods', true))
    },
  )

  it('is the buyer’s for software as a service, and the line says where that is not sure', () => {
    expect(ratesOf('UT', 'saas')).toBe(ratesOf('UT', 'saas', true))
    const note = 'It is not sure whether Tennessee taxes this where the seller in the state is'
    expect(partsOf('TN', 'saas')?.notes).toContain(`${note}. The place of the customer was used`)
    expect(partsOf('TN', 'saas', true)?.notes.join()).not.toContain(note)
  })
})

describe('the rate of a condition', () => {
  it('contains the local rates of the line', () => {
    const more = (type: 'business' | null) => ({
      lines: [{ amount: 10_000, product_type: 'saas' }],
      customer: { address: { country: 'US', region: 'OH', postal_code: '44113' }, type, vat_id: null },
    })
    const [unknown] = soldTo('OH', '44113', 'Cleveland', more(null)).lines
    const [business] = soldTo('OH', '44113', 'Cleveland', more('business')).lines
    expect(business?.rate_millionths).toBe(80_000)
    expect(unknown?.conditions).toEqual([{ fact: 'customer.type', if: 'business', rate_millionths: 80_000 }])
    expect(unknown?.notes.join()).toContain('is 8 % for a business and 0 % for others')
  })

  it('leaves out local rates where places do not tax the other product', () => {
    const [fur] = soldTo('PA', '19103', 'Philadelphia', {
      lines: [{ amount: 10_000, product_type: 'clothing' }],
    }).lines
    expect(fur?.conditions).toMatchObject([{ fact: 'product', rate_millionths: 80_000 }])
  })
})

describe('local taxes of Idaho', () => {
  const taxed = (more: Partial<SaleInWords>) => soldTo('ID', '83340', 'Ketchum', more)

  it('are not collected by sellers without a place in the state, and the answer says so', () => {
    const { tax_amount, coverage, local: found, notes } = taxed({})
    expect([tax_amount, coverage, found?.precision]).toEqual([600, 'local', 'state'])
    expect(notes).toContain('In Idaho, sellers without a place of business in the state collect no local tax')
  })

  it('are collected by sellers with a place in the state', () => {
    const { tax_amount, notes } = taxed({ from: { country: 'US', region: 'ID' } })
    expect(tax_amount).toBe(900)
    expect(notes.join()).not.toContain('collect no local tax')
  })
})

it('names a law for the place that decides in each state with local taxes, but for South Carolina', () => {
  const laws = readSourcingLaws()
  const without = Object.entries(data.states).flatMap(([id, { coverage }]) =>
    coverage === 'local' && laws.get(id) === undefined ? id : [],
  )
  expect(without).toEqual(['SC'])
  expect(sourcingTable().match(/^\| [A-Z]{2} /gm)).toHaveLength(37)
})

it('doubts the place of hired equipment in Alabama for a lessor in the state alone', () => {
  const hire = { lines: [{ amount: 10_000, product_type: 'equipment_hire' }] }
  const from = { country: 'US', region: 'AL', postal_code: '36104', city: 'Montgomery' }
  const doubt = 'It is not sure whether places in Alabama tax leases where the lessor in the state is'
  const { lines } = soldTo('AL', '35203', 'Birmingham', { ...hire, from })
  expect(lines[0]?.notes.join()).toContain(doubt)
  expect(soldTo('AL', '35203', 'Birmingham', hire).lines[0]?.notes.join()).not.toContain(doubt)
})
