import { describe, expect, it } from 'vitest'
import { verifyTotals } from '../../../../scripts/verify/totals.ts'
import { newAccount } from '../../../support/account.ts'
import { type Answer, call } from '../../../support/service.ts'
import { loadTestData } from '../../../support/service-data.ts'
import { keepAccountsIn } from '../../../support/shards.ts'
import { create, created } from '../sales.ts'

const { books } = keepAccountsIn(1)

await loadTestData()

async function seller() {
  const account = await newAccount()
  const { key } = account
  await call('PUT', '/v1/account', { key, body: { country: 'US', region: 'TX' } })
  for (const of of [{ jurisdiction_id: 'US-CO' }, { scheme: 'co_retail_delivery_fee' }]) {
    const answer = await call('POST', '/v1/registrations', { key, body: { ...of, valid_from: '2022-07-01' } })
    expect(answer.status, answer.text).toBe(201)
  }
  return account
}

const SALE = {
  currency: 'USD',
  customer: { address: { country: 'US', region: 'CO', postal_code: '80202' } },
  transaction_date: '2026-03-10',
  line_items: [
    { amount: 10_000, product_type: 'physical_goods' },
    { amount: 5_000, product_type: 'physical_goods' },
  ],
}
type Line = { id: string; product_type: string; amount: number; net_amount: number; tax_amount: number }
const get = async (key: string, path: string): Promise<Record<string, unknown>> => {
  const answer = await call('GET', path, { key })
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}
const linesOf = async (key: string, id: string) =>
  (await get(key, `/v1/transactions/${id}`))['line_items'] as Line[]
const refund = (key: string, id: string, body: object): Promise<Answer> =>
  call('POST', `/v1/transactions/${id}/refund`, { key, body: { reason: 'returned', ...body } })

describe('a sale with a retail delivery fee', () => {
  it('is recorded with the fee as a line without a price', async () => {
    const { key } = await seller()
    const id = await created(key, SALE)
    const sale = await get(key, `/v1/transactions/${id}`)
    expect(sale).toMatchObject({ subtotal: 15_000, tax_amount: 463, total: 15_463, tax_rate: 0.029 })
    expect((sale['line_items'] as Line[]).at(-1)).toMatchObject({
      product_type: 'retail_delivery_fee',
      description: 'Retail delivery fee',
      amount: 0,
      net_amount: 0,
      tax_amount: 28,
      tax_breakdown: [{ jurisdiction_id: 'US-CO', tax_type: 'RETAIL_DELIVERY_FEE', tax_amount: 28 }],
    })
  })

  it('is recorded from a calculation with the same figures, and without variance', async () => {
    const { key } = await seller()
    const { customer, ...sale } = SALE
    const calculated = await call('POST', '/v1/calculate', { key, body: SALE })
    expect(calculated.body['fees']).toEqual([
      {
        jurisdiction_id: 'US-CO',
        tax_type: 'RETAIL_DELIVERY_FEE',
        name: 'Retail delivery fee',
        tax_amount: 28,
      },
    ])
    const id = await created(key, { customer, calculation: calculated.body })
    expect(await get(key, `/v1/transactions/${id}`)).toMatchObject({ tax_amount: 463, tax_variance: 0 })
    expect(sale.line_items).toHaveLength(2)
  })

  it('has the fee that the invoice states, or none', async () => {
    const { key } = await seller()
    const line_items = [{ amount: 10_000, product_type: 'physical_goods', tax_rate: 0.029, tax_amount: 290 }]
    const given = { ...SALE, jurisdiction_id: 'US-CO', line_items }
    const fees = [{ jurisdiction_id: 'US-CO', tax_amount: 28 }]
    const charged = await created(key, { ...given, fees })
    expect(await get(key, `/v1/transactions/${charged}`)).toMatchObject({ tax_amount: 318, tax_variance: 0 })
    const not = await created(key, given)
    expect(await get(key, `/v1/transactions/${not}`)).toMatchObject({ tax_amount: 290, tax_variance: -28 })
  })

  it('refuses a fee of a state without one, and beside lines whose tax is calculated', async () => {
    const { key } = await seller()
    const line_items = [{ amount: 10_000, product_type: 'physical_goods', tax_rate: 0, tax_amount: 0 }]
    const refused = async (body: object) => {
      const { status, body: error } = await create(key, { ...SALE, ...body })
      return [status, (error['errors'] as { path: string }[])[0]?.path]
    }
    const fee = (jurisdiction_id: string) => [{ jurisdiction_id, tax_amount: 28 }]
    expect(await refused({ line_items, fees: fee('US-KS') })).toEqual([400, 'fees[0].jurisdiction_id'])
    expect(await refused({ fees: fee('US-CO') })).toEqual([400, 'fees'])
  })
})

describe('a refund', () => {
  it('of goods leaves the fee, and the rest of the sale gives it back', async () => {
    const { key } = await seller()
    const id = await created(key, SALE)
    const part = await refund(key, id, { amount: 5_000 })
    expect(part.body['refund']).toMatchObject({ amount: 5_000, tax_amount: 141 })
    const over = await refund(key, id, { amount: 10_450 })
    expect([over.status, over.text]).toEqual([
      400,
      expect.stringContaining('must be at most 10435 ($104.35), or the whole rest of 10463 ($104.63)'),
    ])
    const rest = await refund(key, id, { amount: 10_463 })
    expect(rest.body).toMatchObject({ amount_refunded: 15_463, tax_refunded: 463 })
  })

  it('of all goods by line leaves the fee, which its own line gives back', async () => {
    const { key } = await seller()
    const id = await created(key, SALE)
    const lines = await linesOf(key, id)
    const ids = lines.map((line) => ({ id: line.id }))
    const goods = await refund(key, id, { line_items: ids.slice(0, 2) })
    expect(goods.body).toMatchObject({ amount_refunded: 15_435, tax_refunded: 435 })
    const fee = await refund(key, id, { line_items: ids.slice(2) })
    expect(fee.body['refund']).toMatchObject({ amount: 28, tax_amount: 28 })
  })

  it('of the whole sale gives the fee back, because the sale is cancelled', async () => {
    const { key } = await seller()
    const id = await created(key, SALE)
    expect((await refund(key, id, { amount: 15_463 })).body).toMatchObject({ tax_refunded: 463 })
  })

  it('in small amounts never passes the goods, and adds up', async () => {
    const { key } = await seller()
    const id = await created(key, SALE)
    let tax = 0
    for (const amount of [1, 3_333, 7, 12_000, 94]) {
      const { body, status, text } = await refund(key, id, { amount })
      expect(status, text).toBe(200)
      tax += (body['refund'] as { tax_amount: number }).tax_amount
    }
    expect(tax).toBe(435)
    expect((await refund(key, id, { amount: 28 })).body).toMatchObject({ amount_refunded: 15_463 })
  })
})

it('the return of the state has the fee as a row of its own', async () => {
  const { key, account_id } = await seller()
  const id = await created(key, SALE)
  await created(key, SALE)
  await refund(key, id, { amount: 15_463, refunded_at: '2026-03-20' })
  const filed = await get(key, '/v1/reports/filing?type=us_state&period=2026-Q1&jurisdiction_id=US-CO')
  const supplies = filed['supplies'] as { tax_amount: number; transactions_url: string; tax_type?: string }[]
  expect(supplies).toMatchObject([
    { jurisdiction_id: 'US-CO', gross_sales: 15_000, taxable_amount: 15_000, tax_amount: 435 },
    { jurisdiction_id: 'US-CO', gross_sales: 0, tax_amount: 28, tax_type: 'RETAIL_DELIVERY_FEE' },
  ])
  expect(supplies[0]).not.toHaveProperty('tax_type')
  expect((filed['notes'] as string[]).join()).toContain('DR 1786')
  expect(filed['totals']).toMatchObject({ tax_due: 463 })
  for (const { transactions_url, tax_amount } of supplies) {
    const lines = (await get(key, transactions_url))['lines'] as { figure_amount: number }[]
    expect(lines.reduce((sum, line) => sum + line.figure_amount, 0)).toBe(tax_amount)
  }
  const taxes = filed['jurisdiction_taxes'] as { tax_type: string; tax_amount: number }[]
  expect(taxes.map(({ tax_type, tax_amount }) => [tax_type, tax_amount])).toEqual([
    ['RETAIL_DELIVERY_FEE', 28],
    ['SALES_TAX', 435],
  ])
  const period = 'from_date=2026-03-01&to_date=2026-03-31'
  const summary = await get(key, `/v1/reports/summary?${period}&group_by=product_type`)
  expect(summary['rows']).toContainEqual(
    expect.objectContaining({ product_type: 'retail_delivery_fee', tax_collected: 56, net_tax: 28 }),
  )
  expect(await verifyTotals(books, account_id)).toEqual([])
})
