import { describe, expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

await loadTestData()
const { key } = await newAccount({ tier: 'enterprise' })

type Duty = { items: number | null; amount: number | null; message: string }
type Calculated = { tax_amount: number; total: number; customs_duty?: Duty; notes: string[] }

const PARCEL = {
  seller: { country: 'CN', registrations: ['ioss'] },
  customer: { type: 'individual', address: { country: 'FR' } },
  currency: 'EUR',
  transaction_date: '2026-07-01',
  line_items: [{ product_type: 'physical_goods', amount: 5_000 }],
}
const goods = (amount: number, hs_code?: string) => ({ product_type: 'physical_goods', amount, hs_code })

async function calculated(more: object = {}): Promise<Calculated> {
  const answer = await call('POST', '/v1/calculate', { key, body: { ...PARCEL, ...more } })
  expect(answer.status, answer.text).toBe(200)
  return answer.body as Calculated
}

const dutyOf = async (more: object = {}) => (await calculated(more)).customs_duty

describe('the customs duty of the Union on small consignments', () => {
  it('is told beside the tax, which it does not change', async () => {
    const before = await calculated({ transaction_date: '2026-06-30' })
    expect(before).not.toHaveProperty('customs_duty')
    const after = await calculated()
    expect(after).toMatchObject({
      tax_amount: 1_000,
      total: before.total,
      customs_duty: { currency: 'EUR', per_item: 300, items: null, amount: null, effective_to: '2028-06-30' },
    })
    expect(after.notes).toContain(after.customs_duty?.message)
    expect(after.customs_duty?.message).toContain('hs_code')
  })

  it('counts each subheading of six digits once, if all goods have a code', async () => {
    const lines = [goods(2_000, '6109.10'), goods(2_000, '6109100010'), goods(1_000, '9102.11')]
    expect(await dutyOf({ line_items: lines })).toMatchObject({ items: 2, amount: 600 })
    const digital = { product_type: 'streaming', amount: 500 }
    expect(await dutyOf({ line_items: [...lines, digital] })).toMatchObject({ items: 2 })
    expect(await dutyOf({ line_items: [...lines, goods(100)] })).toMatchObject({ items: null, amount: null })
  })

  it('is for consumers, for goods from outside up to 150 EUR, and for days until 2028-06-30', async () => {
    expect(await dutyOf({ transaction_date: '2028-06-30' })).toMatchObject({ per_item: 300 })
    expect(await dutyOf({ line_items: [goods(15_000)] })).toBeDefined()
    // Without an import scheme too: the tax is then due at the border.
    expect(await dutyOf({ seller: { country: 'CN', registrations: [] } })).toBeDefined()
    const none = [
      { transaction_date: '2028-07-01' },
      { line_items: [goods(15_001)] },
      { ship_from: { country: 'PL' } },
      { seller: { country: 'DE' } },
      { customer: { type: 'business', vat_id: 'FR40303265045', address: { country: 'FR' } } },
      { line_items: [{ product_type: 'streaming', amount: 5_000 }] },
      { customer: { type: 'individual', address: { country: 'GB' } } },
    ]
    for (const more of none) expect(await dutyOf(more), JSON.stringify(more)).toBeUndefined()
  })

  it('is refused a code that is none, and a recorded sale takes the lines of a calculation', async () => {
    const wrong = { ...PARCEL, line_items: [goods(100, '61')] }
    const answer = await call('POST', '/v1/calculate', { key, body: wrong })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('line_items[0].hs_code')
    const right = { ...PARCEL, line_items: [goods(5_000, '610910')] }
    expect((await call('POST', '/v1/transactions', { key, body: right })).status).toBe(201)
  })
})

it('says that goods from abroad bear duty in the United States at any value, since 2025-08-29', async () => {
  const sale = {
    seller: { country: 'DE' },
    customer: { address: { country: 'US', region: 'NY', postal_code: '10001' } },
    currency: 'USD',
  }
  expect(await dutyOf({ ...sale, transaction_date: '2025-08-28' })).toBeUndefined()
  expect(await dutyOf({ ...sale, transaction_date: '2025-08-29' })).toMatchObject({
    per_item: null,
    amount: null,
  })
  const stock = { ship_from: { country: 'US', region: 'NJ', postal_code: '07001' } }
  expect(await dutyOf({ ...sale, ...stock, transaction_date: '2026-08-29' })).toBeUndefined()
})
