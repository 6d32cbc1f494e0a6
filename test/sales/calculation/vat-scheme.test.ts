import { beforeAll, describe, expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'

keepAccountsIn(1)

const SPAIN = { country: 'ES', postal_code: '28001' }
const RETAILER = { address: SPAIN, type: 'business', vat_scheme: 'es_recargo' }
const SALE = {
  currency: 'EUR',
  transaction_date: '2026-06-15',
  seller: { country: 'ES' },
  line_items: [{ amount: 10_000, product_type: 'physical_goods' }],
}

let key = ''
beforeAll(async () => {
  await loadTestData()
  key = (await newAccount()).key
})

const calculate = async (body: object) => call('POST', '/v1/calculate', { key, body: { ...SALE, ...body } })
const taxOf = async (body: object) => (await calculate(body)).body['tax_amount']
const newCustomer = async (body: object) =>
  call('POST', '/v1/customers', { key, body: { name: 'Tienda', ...body } })

describe('a calculation for a retailer under the recargo de equivalencia', () => {
  it('has both taxes on the line and in the sum by rate', async () => {
    const { status, body } = await calculate({ customer: RETAILER, explain: true })
    const taxes = [
      { jurisdiction_id: 'ES', tax_type: 'VAT', rate: 0.21, taxable_amount: 10_000, tax_amount: 2_100 },
      {
        jurisdiction_id: 'ES',
        tax_type: 'RECARGO_DE_EQUIVALENCIA',
        rate: 0.052,
        taxable_amount: 10_000,
        tax_amount: 520,
      },
    ]
    expect({ status, ...body }).toMatchObject({
      status: 200,
      tax_amount: 2_620,
      total: 12_620,
      tax_rate: 0.262,
      tax_breakdown: taxes,
      line_items: [{ tax_amount: 2_620, tax_rate: 0.262, taxability_reason: null, tax_breakdown: taxes }],
      notes: [],
    })
    expect(body['in_words']).toMatchObject({
      lines: [
        { sentence: expect.stringContaining('21 % VAT of Spain and 5.2 % recargo de equivalencia of Spain') },
      ],
    })
  })

  it('has the rates of food and books', async () => {
    const line_items = [
      { product_type: 'groceries', amount: 10_000 },
      { product_type: 'books', amount: 10_000 },
    ]
    expect(await taxOf({ customer: RETAILER, line_items })).toBe(1_590)
    expect(await taxOf({ customer: { ...RETAILER, vat_scheme: null }, line_items })).toBe(1_400)
  })

  it.each([
    ['at an address abroad', { ...RETAILER, address: { country: 'FR' } }],
    ['who is a consumer', { ...RETAILER, type: 'individual' }],
  ])('is refused for a customer %s', async (_, customer) => {
    const { status, body } = await calculate({ customer })
    expect(status).toBe(400)
    expect(body).toMatchObject({ errors: [{ path: 'customer.vat_scheme' }] })
  })

  it('is refused by an unknown word', async () => {
    const { status, body } = await calculate({ customer: { ...RETAILER, vat_scheme: 'es_simplificado' } })
    expect(status).toBe(400)
    expect(body).toMatchObject({ errors: [{ path: 'customer.vat_scheme' }] })
  })

  it('says that the scheme was not used for a service, and for goods from abroad', async () => {
    const said = [expect.stringContaining('customer.vat_scheme was not used')]
    const service = [{ amount: 10_000, product_type: 'professional_services' }]
    expect((await calculate({ customer: RETAILER, line_items: service })).body).toMatchObject({
      tax_amount: 2_100,
      notes: said,
    })
    const { body } = await calculate({ customer: RETAILER, seller: { country: 'FR', registrations: [] } })
    expect(body['notes']).toEqual(expect.arrayContaining(said))
  })
})

describe('a saved customer under a scheme', () => {
  it('bears the second tax, unless the request says null or another address', async () => {
    const { status, body } = await newCustomer({ address: SPAIN, vat_scheme: 'es_recargo' })
    expect({ status, ...body }).toMatchObject({ status: 201, vat_scheme: 'es_recargo' })
    const customer_id = body['id']
    expect(await taxOf({ customer_id })).toBe(2_620)
    expect(await taxOf({ customer_id, customer: { vat_scheme: null } })).toBe(2_100)
    expect(await taxOf({ customer_id, customer: { type: 'individual' } })).toBe(2_100)
    expect(await taxOf({ customer_id, customer: { address: { country: 'PT' } } })).toBe(2_100)
  })

  it('can leave it, and moves abroad only without it', async () => {
    const { body } = await newCustomer({ address: SPAIN, vat_scheme: 'es_recargo' })
    const change = async (changes: object) =>
      call('PUT', `/v1/customers/${String(body['id'])}`, { key, body: changes })
    const refused = await change({ address: { country: 'PT' } })
    expect(refused.status).toBe(400)
    expect(refused.body).toMatchObject({ errors: [{ path: 'vat_scheme' }] })
    const moved = await change({ address: { country: 'PT' }, vat_scheme: null })
    expect({ status: moved.status, ...moved.body }).toMatchObject({ status: 200, vat_scheme: null })
  })

  it('is refused without an address in Spain', async () => {
    for (const address of [undefined, { country: 'PT' }]) {
      const { status, body } = await newCustomer({ address, vat_scheme: 'es_recargo' })
      expect(status).toBe(400)
      expect(body).toMatchObject({ errors: [{ path: 'vat_scheme' }] })
    }
  })
})
