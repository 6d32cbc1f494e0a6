import { beforeAll, describe, expect, it } from 'vitest'
import { newAccount } from '../../../support/account.ts'
import { call } from '../../../support/service.ts'
import { loadTestData } from '../../../support/service-data.ts'
import { keepAccountsIn } from '../../../support/shards.ts'

keepAccountsIn(1)
beforeAll(loadTestData)

type Body = Record<string, unknown>
type Box = { box: string; amount: number | null; transactions_url: string | null }

async function spanishSeller(): Promise<string> {
  const { key } = await newAccount()
  const profile = { name: 'Mayorista', country: 'ES', vat_id: null, time_zone: 'Europe/Madrid' }
  expect((await call('PUT', '/v1/account', { key, body: profile })).status).toBe(200)
  const registration = { jurisdiction_id: 'ES', registration_number: 'ESA1', valid_from: '2020-01-01' }
  expect((await call('POST', '/v1/registrations', { key, body: registration })).status).toBe(201)
  return key
}

const RETAILER = {
  address: { country: 'ES', postal_code: '28001' },
  type: 'business',
  vat_scheme: 'es_recargo',
}
const SOLD = {
  customer: RETAILER,
  currency: 'EUR',
  transaction_date: '2026-08-03T10:00:00Z',
  line_items: [
    { amount: 100_00, product_type: 'physical_goods' },
    { amount: 50_00, product_type: 'groceries' },
  ],
}

const ok = async (method: string, path: string, key: string, body?: object): Promise<Body> => {
  const answer = await call(method, path, { key, ...(body !== undefined && { body }) })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}

const created = async (key: string, body: object) => ok('POST', '/v1/transactions', key, body)
const refunded = async (key: string, id: unknown, body: object) =>
  ok('POST', `/v1/transactions/${String(id)}/refund`, key, {
    reason: 'returned',
    refunded_at: '2026-08-20',
    ...body,
  })

/** The boxes of the quarter that are not 0. Each is the sum of the lines that it links. */
async function boxesOf(key: string): Promise<{ filed: Body; amounts: Record<string, number> }> {
  const path = '/v1/reports/filing?type=eu_domestic&jurisdiction_id=ES&period=2026-Q3'
  const filed = await ok('GET', path, key)
  const amounts: Record<string, number> = {}
  for (const { box, amount, transactions_url } of filed['boxes'] as Box[]) {
    if (amount === null || amount === 0 || transactions_url === null) continue
    amounts[box] = amount
    const { lines } = (await ok('GET', transactions_url, key)) as { lines: { figure_amount: number }[] }
    expect(
      lines.reduce((sum, line) => sum + line.figure_amount, 0),
      box,
    ).toBe(amount)
  }
  return { filed, amounts }
}

describe('a recorded sale to a retailer under the recargo de equivalencia', () => {
  it('has both taxes on its lines, and both are in the return', async () => {
    const key = await spanishSeller()
    const sold = await created(key, SOLD)
    expect(sold).toMatchObject({
      tax_amount: 31_90,
      line_items: [
        {
          tax_rate: 0.262,
          tax_breakdown: [
            { tax_type: 'VAT', rate: 0.21, tax_amount: 21_00 },
            { tax_type: 'RECARGO_DE_EQUIVALENCIA', rate: 0.052, tax_amount: 5_20 },
          ],
        },
        { tax_rate: 0.114 },
      ],
    })
    await created(key, { ...SOLD, customer: { ...RETAILER, vat_scheme: null } })
    const { filed, amounts } = await boxesOf(key)
    expect(amounts).toEqual({
      taxable: 300_00,
      tax: 2 * (21_00 + 5_00),
      '19': 50_00,
      '21': 70,
      '22': 100_00,
      '24': 5_20,
    })
    expect(filed['totals']).toMatchObject({ tax_amount: 57_90, tax_due: 57_90 })
    expect(filed['notes']).toContainEqual(expect.stringContaining('Modelo 303'))
  })

  it('says nothing of the recargo in a return without it', async () => {
    const key = await spanishSeller()
    await created(key, { ...SOLD, customer: { ...RETAILER, vat_scheme: null } })
    const { filed, amounts } = await boxesOf(key)
    expect(amounts).toEqual({ taxable: 150_00, tax: 26_00 })
    expect(JSON.stringify(filed)).not.toContain('ecargo')
  })

  it('gives back both taxes in proportion', async () => {
    const key = await spanishSeller()
    const { id } = await created(key, SOLD)
    const half = await refunded(key, id, { amount: 90_95 })
    expect(half).toMatchObject({ refund: { amount: 90_95, tax_amount: 15_95 } })
    expect((await boxesOf(key)).amounts).toEqual({
      taxable: 75_00,
      tax: 13_00,
      '19': 25_00,
      '21': 35,
      '22': 50_00,
      '24': 2_60,
    })
    await refunded(key, id, { amount: 90_95 })
    expect((await boxesOf(key)).amounts).toEqual({})
  })

  it('is credited at its own taxes', async () => {
    const key = await spanishSeller()
    const { id } = await created(key, SOLD)
    const note = await created(key, {
      credit_note_for: { transaction_id: id },
      customer: RETAILER,
      currency: 'EUR',
      transaction_date: '2026-08-10T10:00:00Z',
      line_items: [{ amount: -40_00, product_type: 'physical_goods' }],
    })
    expect(note).toMatchObject({
      tax_amount: -10_48,
      line_items: [{ tax_breakdown: [{ tax_amount: -8_40 }, { tax_amount: -2_08 }] }],
    })
    expect((await boxesOf(key)).amounts).toMatchObject({ '22': 60_00, '24': 3_12, tax: 17_60 })
  })

  it('is credited with another stated tax as it is refunded with it', async () => {
    const [noted, back] = [await spanishSeller(), await spanishSeller()]
    const sold = { ...SOLD, line_items: [{ amount: 20_00, product_type: 'physical_goods' }] }
    const credit = { amount: -10_00, product_type: 'physical_goods', tax_amount: -2_10 }
    const sale = await created(noted, sold)
    const credit_note_for = { transaction_id: sale['id'] }
    const day = '2026-08-10T10:00:00Z'
    const note = { ...SOLD, transaction_date: day, credit_note_for, line_items: [credit] }
    expect(await created(noted, note)).toMatchObject({ total: -12_10, tax_amount: -2_10 })
    const other = await created(back, sold)
    await refunded(back, other['id'], { amount: 12_10, tax_amount: 2_10 })
    const { amounts } = await boxesOf(noted)
    expect(amounts).toMatchObject({ '22': 10_00 })
    expect(amounts).toEqual((await boxesOf(back)).amounts)
    await refunded(noted, sale['id'], { rest: true })
    expect((await boxesOf(noted)).amounts).toEqual({})
  })

  it('takes a stated tax that holds both, and keeps its parts', async () => {
    const key = await spanishSeller()
    const sold = await created(key, {
      ...SOLD,
      einvoice: {},
      line_items: [{ amount: 100_00, product_type: 'physical_goods', tax_amount: 26_20 }],
    })
    expect(sold).toMatchObject({
      tax_amount: 26_20,
      line_items: [{ tax_rate: 0.262, tax_breakdown: [{ tax_amount: 21_00 }, { tax_amount: 5_20 }] }],
    })
    expect((await boxesOf(key)).amounts).toMatchObject({ tax: 21_00, '24': 5_20 })
  })

  it('records the calculation that was charged', async () => {
    const key = await spanishSeller()
    const { customer, currency, transaction_date, line_items } = SOLD
    const asked = { customer, currency, transaction_date: transaction_date.slice(0, 10), line_items }
    const calculation = await ok('POST', '/v1/calculate', key, asked)
    const sold = await created(key, { customer, calculation })
    expect(sold).toMatchObject({ tax_amount: 31_90 })
    expect((await boxesOf(key)).amounts).toMatchObject({ tax: 26_00, '21': 70, '24': 5_20 })
  })

  it('settles a prepayment with both taxes', async () => {
    const key = await spanishSeller()
    const prepaid = await created(key, {
      ...SOLD,
      line_items: [{ amount: 30_00, product_type: 'physical_goods' }],
    })
    const final = await created(key, { ...SOLD, settles: [{ transaction_id: prepaid['id'] }] })
    expect(final).toMatchObject({ tax_amount: 31_90 - 7_86 })
    expect((await boxesOf(key)).amounts).toMatchObject({ tax: 26_00, '21': 70, '22': 100_00, '24': 5_20 })
  })
})

describe('a delivery of goods at several rates to a retailer', () => {
  const DELIVERED = { ...SOLD, shipping_cost: { amount: 15_00 } }
  const LINE = { '19': 55_00, '21': 77, '22': 110_00, '24': 5_72 }

  it('has each rate apart, with the recargo of that rate', async () => {
    const key = await spanishSeller()
    const { id, tax_amount } = await created(key, DELIVERED)
    expect(tax_amount).toBe(23_10 + 5_72 + 5_50 + 77)
    expect((await boxesOf(key)).amounts).toEqual({ taxable: 165_00, tax: 28_60, ...LINE })
    const total = 165_00 + 35_09
    await refunded(key, id, { amount: 70_00 })
    await refunded(key, id, { amount: 80_01 })
    const { amounts } = await boxesOf(key)
    expect(Number(amounts['tax']) + Number(amounts['21']) + Number(amounts['24'])).toBe(
      35_09 - Math.round((35_09 * 150_01) / total),
    )
    await refunded(key, id, { rest: true })
    expect((await boxesOf(key)).amounts).toEqual({})
  })

  it('is credited with the recargo of each rate', async () => {
    const key = await spanishSeller()
    const { id } = await created(key, DELIVERED)
    const note = await created(key, {
      customer: RETAILER,
      currency: 'EUR',
      transaction_date: '2026-08-20T10:00:00Z',
      credit_note_for: { transaction_id: id },
      line_items: [{ amount: -15_00, product_type: 'shipping' }],
    })
    expect(note).toMatchObject({
      tax_amount: -(2_10 + 52 + 50 + 7),
      line_items: [
        {
          tax_breakdown: [
            { rate: 0.21, tax_amount: -2_10 },
            { rate: 0.052, tax_amount: -52 },
            { rate: 0.1, tax_amount: -50 },
            { rate: 0.014, tax_amount: -7 },
          ],
        },
      ],
    })
    expect((await boxesOf(key)).amounts).toEqual({
      taxable: 150_00,
      tax: 26_00,
      '19': 50_00,
      '21': 70,
      '22': 100_00,
      '24': 5_20,
    })
    const shown = await ok('GET', `/v1/transactions/${String(note['id'])}?einvoice=law`, key)
    expect(shown['einvoice']).toMatchObject({
      breakdown: [
        { rate_percent: '21', taxable_amount: -10_00, tax_amount: -2_10 },
        { rate_percent: '10', taxable_amount: -5_00, tax_amount: -50 },
      ],
    })
  })
})

describe('the e-invoice view of a sale with recargo', () => {
  const VIEW = {
    breakdown: [
      { category: 'S', rate_percent: '21', taxable_amount: 100_00, tax_amount: 21_00 },
      { category: 'S', rate_percent: '10', taxable_amount: 50_00, tax_amount: 5_00 },
    ],
    warnings: [
      { code: 'second_tax', message: expect.stringContaining('EquivalenceSurcharge'), lines: [0, 1] },
    ],
  }

  it('has the VAT alone, and says that the recargo has no field', async () => {
    const key = await spanishSeller()
    const { customer, currency, line_items } = SOLD
    const asked = { customer, currency, transaction_date: '2026-08-03', line_items, einvoice: {} }
    expect(await ok('POST', '/v1/calculate', key, asked)).toMatchObject({ einvoice: VIEW })
  })

  it('is kept with the sale, its refunds and its credit notes', async () => {
    const key = await spanishSeller()
    const { id, line_items } = await created(key, SOLD)
    const [line] = line_items as { id: string }[]
    await refunded(key, id, { line_items: [{ id: line?.id, amount: 63_10 }] })
    const shown = async (of: unknown) => ok('GET', `/v1/transactions/${String(of)}?einvoice=law`, key)
    expect(await shown(id)).toMatchObject({
      einvoice: VIEW,
      refunds: [
        { einvoice: [{ category: 'S', rate_percent: '21', taxable_amount: 50_00, tax_amount: 10_50 }] },
      ],
    })
    const note = await created(key, {
      ...SOLD,
      credit_note_for: { transaction_id: id },
      line_items: [{ amount: -50_00, product_type: 'groceries' }],
    })
    expect(await shown(note['id'])).toMatchObject({
      einvoice: {
        breakdown: [{ category: 'S', rate_percent: '10', taxable_amount: -50_00, tax_amount: -5_00 }],
        warnings: [{ code: 'second_tax', lines: [0] }],
      },
    })
  })
})
