import { describe, expect, it } from 'vitest'
import { newAccount } from '../../../support/account.ts'
import { call } from '../../../support/service.ts'
import { loadTestData } from '../../../support/service-data.ts'
import { create } from '../sales.ts'

await loadTestData()

const GOODS = { amount: 10_000, product_type: 'physical_goods' }
const money = (supply_reason: string, amount = 2_500) => ({
  amount,
  product_type: 'physical_goods',
  supply: false,
  supply_reason,
})
const inGermany = (...line_items: object[]) => ({
  currency: 'EUR',
  transaction_date: '2026-03-03',
  customer: { address: { country: 'DE' } },
  line_items,
})

async function sellerIn(country: string, more: object = {}) {
  const { key } = await newAccount()
  await call('PUT', '/v1/account', { key, body: { country, ...more } })
  return key
}

async function boxes(key: string, query: string): Promise<Record<string, unknown>> {
  const { body, text, status } = await call('GET', `/v1/reports/filing?${query}`, { key })
  expect(status, text).toBe(200)
  const list = body['boxes'] as { box: string; amount: unknown }[]
  return Object.fromEntries(list.map(({ box, amount }) => [box, amount]))
}

describe('money for no supply in the books', () => {
  it.each(['late_fee', 'damages', 'donation', 'tip', 'other'])(
    'is a %s in the total, and in no box of the German return',
    async (reason) => {
      const key = await sellerIn('DE')
      const { body, text } = await create(key, inGermany(GOODS, money(reason)))
      expect(body, text).toMatchObject({
        subtotal: 12_500,
        tax_amount: 1_900,
        total: 14_400,
        line_items: [
          { taxability_reason: null },
          { taxability_reason: 'not_a_supply', supply: false, supply_reason: reason, tax_amount: 0 },
        ],
      })
      const found = await boxes(key, 'type=eu_domestic&jurisdiction_id=DE&period=2026-03')
      expect([found['81'], found['48'], found['45']]).toEqual([10_000, 0, 0])
    },
  )

  it('is not in box 6 of the British return, nor in E2 of the French one', async () => {
    const british = await sellerIn('GB')
    await create(british, {
      ...inGermany(GOODS, money('donation')),
      currency: 'GBP',
      customer: { address: { country: 'GB' } },
    })
    expect((await boxes(british, 'type=uk_vat100&period=2026-Q1'))['6']).toBe(10_000)
    const french = await sellerIn('FR')
    await create(french, { ...inGermany(GOODS, money('tip')), customer: { address: { country: 'FR' } } })
    const found = await boxes(french, 'type=eu_domestic&jurisdiction_id=FR&period=2026-03')
    expect(found['E2'] ?? 0).toBe(0)
  })

  it('is in no threshold', async () => {
    const key = await sellerIn('DE')
    const sale = inGermany(money('donation', 90_000_000), { ...GOODS, product_type: 'saas' })
    await create(key, { ...sale, customer: { address: { country: 'FR' } } })
    const { text } = await call('GET', '/v1/nexus', { key })
    expect(text).not.toContain('90000000')
    expect(text).not.toContain('exceeded":true')
  })

  it('keeps its reason when an invoice states its tax, also where no data assesses it', async () => {
    const key = await sellerIn('DE')
    const stated = { ...money('late_fee'), tax_amount: 0 }
    const known = await create(key, inGermany({ ...GOODS, tax_amount: 1_900 }, stated))
    expect(known.body['line_items']).toMatchObject([{}, { taxability_reason: 'not_a_supply' }])
    const unknown = await create(key, {
      ...inGermany({ ...GOODS, tax_amount: 0 }, stated),
      customer: { address: { country: 'BR' } },
      jurisdiction_id: 'BR',
    })
    expect(unknown.body['line_items'], unknown.text).toMatchObject([
      {},
      { taxability_reason: 'not_a_supply', supply_reason: 'late_fee' },
    ])
  })

  it('is recorded from the answer of a calculation', async () => {
    const key = await sellerIn('DE')
    const { body: calculation } = await call('POST', '/v1/calculate', {
      key,
      body: inGermany(GOODS, money('tip')),
    })
    const { body, text } = await create(key, {
      calculation,
      customer: { address: { country: 'DE' } },
    })
    expect(body['line_items'], text).toMatchObject([{}, { supply: false, supply_reason: 'tip' }])
  })
})

describe('what takes back money for no supply', () => {
  it('is a refund of the line without tax, which no return lists', async () => {
    const key = await sellerIn('DE')
    const { body: sale } = await create(key, inGermany(GOODS, money('tip')))
    const [, tip] = sale['line_items'] as { id: string }[]
    const refund = { reason: 'back', refunded_at: '2026-03-05', line_items: [{ id: tip?.id }] }
    const path = `/v1/transactions/${String(sale['id'])}`
    const { body, text } = await call('POST', `${path}/refund`, { key, body: refund })
    expect(body, text).toMatchObject({ refund: { amount: 2_500, tax_amount: 0 } })
    const found = await boxes(key, 'type=eu_domestic&jurisdiction_id=DE&period=2026-03')
    expect([found['81'], found['48']]).toEqual([10_000, 0])
  })

  it.each([
    ['no tax', { amount: 1_000, tax_amount: 0 }, 2_000],
    ['the tax of the goods', { amount: 1_190, tax_amount: 190 }, 1_000],
    ['less tax than its goods would bear', { amount: 1_690, tax_amount: 190 }, 1_000],
    ['no tax for more than it', { amount: 1_500, tax_amount: 0 }, 1_500],
    ['all of the tax', { amount: 3_380, tax_amount: 380 }, 0],
  ])('is a refund of an amount that states %s', async (_, stated, box) => {
    const key = await sellerIn('DE')
    const { body: sale } = await create(key, inGermany({ ...GOODS, amount: 2_000 }, money('tip', 1_000)))
    const path = `/v1/transactions/${String(sale['id'])}/refund`
    const refund = { reason: 'back', refunded_at: '2026-03-05', ...stated }
    const { body, text } = await call('POST', path, { key, body: refund })
    expect(body, text).toMatchObject({ refund: stated })
    const found = await boxes(key, 'type=eu_domestic&jurisdiction_id=DE&period=2026-03')
    expect(found['81']).toBe(box)
  })

  it('is a credit note with the reason of its sale, said or not', async () => {
    const key = await sellerIn('DE')
    const { body: sale } = await create(key, inGermany(GOODS, money('late_fee', 10_000)))
    const credit_note_for = { transaction_id: sale['id'] }
    const said = await create(key, { ...inGermany(money('late_fee', -4_000)), credit_note_for })
    expect(said.body, said.text).toMatchObject({
      total: -4_000,
      tax_amount: 0,
      line_items: [{ taxability_reason: 'not_a_supply', supply_reason: 'late_fee' }],
    })
    const [, fee] = sale['line_items'] as { id: string }[]
    const credit = { ...GOODS, amount: -6_000, reference: fee?.id }
    const named = await create(key, { ...inGermany(credit), credit_note_for })
    expect(named.body, named.text).toMatchObject({
      total: -6_000,
      line_items: [{ taxability_reason: 'not_a_supply', supply: false, supply_reason: 'late_fee' }],
    })
    const found = await boxes(key, 'type=eu_domestic&jurisdiction_id=DE&period=2026-03')
    expect([found['81'], found['48']]).toEqual([10_000, 0])
  })

  const noted = async (lines: object[], ...credits: object[]) => {
    const key = await sellerIn('DE')
    const { body: sale } = await create(key, inGermany(...lines))
    const credit_note_for = { transaction_id: sale['id'] }
    return create(key, { ...inGermany(...credits), credit_note_for })
  }
  const goods = (amount: number, more: object = {}) => ({ ...GOODS, amount, ...more })

  it.each([{}, { supply: true }])('is no credit note of goods, whatever its amount: %j', async (more) => {
    const { body, text } = await noted([GOODS, money('tip', 1_000)], goods(-1_000, more))
    expect(body, text).toMatchObject({ tax_amount: -190, line_items: [{ taxability_reason: null }] })
  })

  it('leaves no doubt which goods are credited, and is credited if the goods have less', async () => {
    const sold = [goods(1_000), money('late_fee', 1_000), goods(5_000)]
    const { body, text } = await noted(sold, goods(-1_000))
    expect(body, text).toMatchObject({ tax_amount: -190 })
    const large = await noted([goods(1_000), money('late_fee', 4_000)], goods(-4_000))
    expect(large.body, large.text).toMatchObject({ total: -4_000, tax_amount: 0 })
    const all = await noted(sold, goods(-6_000), goods(-1_000))
    expect(all.body, all.text).toMatchObject({
      line_items: [{ tax_amount: -1_140 }, { taxability_reason: 'not_a_supply' }],
    })
  })

  it('is the credit note of it that states no tax', async () => {
    const { body, text } = await noted([GOODS, money('tip', 1_000)], goods(-600, { tax_amount: 0 }))
    expect(body['line_items'], text).toMatchObject([{ taxability_reason: 'not_a_supply' }])
    const taxed = await noted([GOODS, money('tip', 1_000)], goods(-1_000, { tax_amount: -190 }))
    expect(taxed.body['line_items'], taxed.text).toMatchObject([{ taxability_reason: null, tax_rate: 0.19 }])
  })
})

describe('the e-invoice of money for no supply', () => {
  const asked = { einvoice: { language: 'de' } }

  it('has category E with a sentence beside taxed lines', async () => {
    const key = await sellerIn('DE', { vat_id: 'DE136695976' })
    const { body, text } = await create(key, { ...inGermany(GOODS, money('late_fee')), ...asked })
    expect(body['einvoice'], text).toMatchObject({
      breakdown: [
        { category: 'S' },
        { category: 'E', exemption_code: null, exemption_text: expect.stringContaining('Nicht steuerbar') },
      ],
      warnings: [],
    })
    const own = { ...money('late_fee'), exemption_reason: 'Verzugspauschale' }
    const worded = await create(key, { ...inGermany(GOODS, own), ...asked })
    expect(worded.body['einvoice'], worded.text).toMatchObject({
      breakdown: [{ category: 'S' }, { category: 'E', exemption_text: 'Verzugspauschale' }],
    })
  })

  it('has category O alone', async () => {
    const key = await sellerIn('DE', { vat_id: 'DE136695976' })
    const { body, text } = await create(key, { ...inGermany(money('damages')), ...asked })
    expect(body['einvoice'], text).toMatchObject({
      breakdown: [{ category: 'O', rate_percent: null, exemption_code: 'VATEX-EU-O' }],
      warnings: [],
    })
  })
})

describe('a request with money for no supply', () => {
  const refused = async (line: object) => {
    const { key } = await newAccount()
    const texts: string[] = []
    for (const route of ['/v1/calculate', '/v1/transactions']) {
      const { status, text } = await call('POST', route, { key, body: inGermany({ ...GOODS, ...line }) })
      expect(status, text).toBe(400)
      texts.push(text)
    }
    return texts.join()
  }

  it.each([
    [{ supply: false }, 'supply_reason'],
    [{ supply_reason: 'tip' }, 'supply_reason'],
    [{ supply: true, supply_reason: 'tip' }, 'supply_reason'],
    [{ ...money('gift') }, 'supply_reason'],
    [{ ...money('tip'), taxable: true }, 'taxable'],
    [{ ...money('tip'), trade_in: 10 }, 'trade_in'],
    [{ ...money('tip'), hs_code: '6109.10' }, 'hs_code'],
    [{ ...money('tip'), live: true, product_type: 'streaming' }, 'live'],
    [{ ...money('tip'), discount: 10, discount_funded_by: 'manufacturer' }, 'discount_funded_by'],
    [{ product_type: 'no_supply_tip', supply: true }, 'supply'],
    [{ product_type: 'no_supply_tip', supply: true, supply_reason: 'tip' }, 'supply'],
    [{ product_type: 'no_supply_tip', supply_reason: 'damages' }, 'supply_reason'],
    [{ product_type: 'no_supply_tip', supply: false, supply_reason: 'late_fee' }, 'supply_reason'],
    [{ product_type: 'no_supply_tip', taxable: true }, 'taxable'],
    [{ ...money('tip'), exemption: { exemption_type: 'other', jurisdictions: ['DE'] } }, 'exemption'],
  ])('is refused for a contradiction: %j names %s', async (line, name) => {
    expect(await refused(line)).toContain(`line_items[0].${name}:`)
  })

  it.each([{}, { supply: false }, { supply_reason: 'tip' }, { supply: false, supply_reason: 'tip' }])(
    'may say beside its code what the code says: %j',
    async (said) => {
      const { key } = await newAccount()
      const sale = inGermany({ ...GOODS, ...said, product_type: 'no_supply_tip' })
      const { body, text } = await call('POST', '/v1/calculate', { key, body: sale })
      expect(body['line_items'], text).toMatchObject([{ supply: false, supply_reason: 'tip' }])
    },
  )

  it('is refused for a stated tax', async () => {
    const { key } = await newAccount()
    const line = { ...money('tip'), tax_amount: 475 }
    const { status, text } = await create(key, { ...inGermany(line), seller: { country: 'DE' } })
    expect([status, text]).toEqual([400, expect.stringContaining('line_items[0].tax_amount')])
  })

  it('takes no discount on the whole sale', async () => {
    const { key } = await newAccount()
    const sale = { ...inGermany(GOODS, money('tip')), seller: { country: 'DE' }, discount_amount: 1_000 }
    const { body, text } = await call('POST', '/v1/calculate', { key, body: sale })
    expect(body, text).toMatchObject({
      tax_amount: 1_710,
      line_items: [{ discount: 1_000 }, { discount: 0, net_amount: 2_500 }],
    })
  })
})
