import { describe, expect, it } from 'vitest'
import { newAccount } from '../../../support/account.ts'
import { call } from '../../../support/service.ts'
import { loadTestData } from '../../../support/service-data.ts'
import { create } from '../sales.ts'

await loadTestData()

const DRINK = { amount: 1_000, product_type: 'soft_drinks' }
const deposit = (amount = 50, more: object = {}) => ({ amount, product_type: 'bottle_deposit', ...more })
const SCHEMES = [
  ['RO', 'RON', 210],
  ['AT', 'EUR', 200],
  ['PL', 'PLN', 230],
  ['IE', 'EUR', 230],
  ['HU', 'HUF', 270],
  ['HR', 'EUR', 250],
  ['LV', 'EUR', 210],
  ['MT', 'EUR', 180],
] as const

type Place = readonly [country: string, currency: string, tax_amount: number]
const [ROMANIA, AUSTRIA]: readonly [Place, Place, ...Place[]] = SCHEMES

const sale = ([country, currency]: Place, ...line_items: object[]) => ({
  currency,
  transaction_date: '2026-03-03',
  customer: { address: { country } },
  line_items,
})

async function sellerIn([country]: Place, more: object = {}) {
  const { key } = await newAccount()
  await call('PUT', '/v1/account', { key, body: { country, ...more } })
  return key
}

/** The taxed and the exempt sales of the return of a state. */
async function returned(key: string, [country]: Place): Promise<string> {
  const query = `type=eu_domestic&jurisdiction_id=${country}&period=2026-03`
  const { body, text, status } = await call('GET', `/v1/reports/filing?${query}`, { key })
  expect(status, text).toBe(200)
  return JSON.stringify(body['boxes'])
}

describe('a deposit of a scheme in the books', () => {
  it.each(SCHEMES)('is in the total, and in no box of the return of %s', async (...place) => {
    const key = await sellerIn(place)
    const without = await sellerIn(place)
    const { body, text } = await create(key, sale(place, DRINK, deposit()))
    expect(body, text).toMatchObject({
      subtotal: 1_050,
      tax_amount: place[2],
      total: 1_050 + place[2],
      line_items: [{ taxability_reason: null }, { taxability_reason: 'not_a_supply', tax_amount: 0 }],
    })
    await create(without, sale(place, DRINK))
    expect(await returned(key, place)).toBe(await returned(without, place))
  })

  it('takes no part of a discount on the whole sale', async () => {
    const key = await sellerIn(ROMANIA)
    const body = { ...sale(ROMANIA, DRINK, deposit(100)), discount_amount: 110 }
    for (const route of ['/v1/calculate', '/v1/transactions'])
      expect((await call('POST', route, { key, body })).body).toMatchObject({
        tax_amount: 187,
        line_items: [{ discount: 110 }, { net_amount: 100 }],
      })
  })

  it('is lessened only by a discount that is larger than the rest', async () => {
    const key = await sellerIn(ROMANIA)
    const asked = (discount_amount: number) =>
      call('POST', '/v1/calculate', {
        key,
        body: { ...sale(ROMANIA, DRINK, deposit(100)), discount_amount },
      })
    expect((await asked(1_000)).body).toMatchObject({ total: 100, tax_amount: 0 })
    expect((await asked(1_100)).body).toMatchObject({ total: 0, tax_amount: 0 })
    expect((await asked(1_101)).status).toBe(400)
  })

  it('is in no threshold of a seller from abroad', async () => {
    const key = await sellerIn(AUSTRIA)
    await create(key, sale(ROMANIA, deposit(90_000_000), { ...DRINK, product_type: 'saas' }))
    const { text } = await call('GET', '/v1/nexus', { key })
    expect(text).not.toContain('exceeded":true')
    expect(text).not.toContain('90000000')
  })

  it('keeps its reason when an invoice states its tax', async () => {
    const key = await sellerIn(ROMANIA)
    const lines = [
      { ...DRINK, tax_amount: 210 },
      { ...deposit(), tax_amount: 0 },
    ]
    const { body, text } = await create(key, sale(ROMANIA, ...lines))
    expect(body['line_items'], text).toMatchObject([{}, { taxability_reason: 'not_a_supply' }])
  })

  it('is refunded and credited without tax, which no return lists', async () => {
    const key = await sellerIn(ROMANIA)
    const before = await sellerIn(ROMANIA)
    await create(before, sale(ROMANIA, DRINK))
    const { body: sold } = await create(key, sale(ROMANIA, DRINK, deposit()))
    const [, line] = sold['line_items'] as { id: string }[]
    const refund = { reason: 'empty', refunded_at: '2026-03-05', line_items: [{ id: line?.id, amount: 20 }] }
    const path = `/v1/transactions/${String(sold['id'])}/refund`
    const { body, text } = await call('POST', path, { key, body: refund })
    expect(body, text).toMatchObject({ refund: { amount: 20, tax_amount: 0 } })
    const credit = { ...sale(ROMANIA, deposit(-30)), credit_note_for: { transaction_id: sold['id'] } }
    const noted = await create(key, credit)
    expect(noted.body, noted.text).toMatchObject({
      total: -30,
      tax_amount: 0,
      line_items: [{ taxability_reason: 'not_a_supply' }],
    })
    expect(await returned(key, ROMANIA)).toBe(await returned(before, ROMANIA))
  })

  it('has no certificate of its customer', async () => {
    const key = await sellerIn(ROMANIA)
    const exemption = { exemption_type: 'other', jurisdictions: ['RO'] }
    const { body, text } = await create(
      key,
      sale(ROMANIA, { ...DRINK, exemption }, deposit(50, { exemption })),
    )
    expect(body, text).toMatchObject({
      tax_amount: 0,
      line_items: [{ taxability_reason: 'customer_exempt' }, { taxability_reason: 'not_a_supply' }],
    })
    const { body: read } = await call('GET', `/v1/transactions/${String(body['id'])}`, { key })
    const [drink] = read['line_items'] as { id: string }[]
    expect(read['certificates']).toMatchObject([{ line_items: [drink?.id] }])
  })
})

describe('the e-invoice of a deposit of a scheme', () => {
  const asked = { einvoice: { language: 'en' } }

  it('has category E with a sentence beside taxed lines, and O alone', async () => {
    const key = await sellerIn(ROMANIA, { vat_id: 'RO18547290' })
    const { body, text } = await create(key, { ...sale(ROMANIA, DRINK, deposit()), ...asked })
    expect(body['einvoice'], text).toMatchObject({
      breakdown: [
        { category: 'S', taxable_amount: 1_000 },
        { category: 'E', taxable_amount: 50, exemption_text: expect.stringContaining('not a payment') },
      ],
      warnings: [],
    })
    const alone = await call('POST', '/v1/calculate', {
      key,
      body: { ...sale(ROMANIA, deposit()), ...asked },
    })
    expect(alone.body['einvoice'], alone.text).toMatchObject({
      breakdown: [{ category: 'O', exemption_code: 'VATEX-EU-O' }],
      warnings: [],
    })
  })
})
