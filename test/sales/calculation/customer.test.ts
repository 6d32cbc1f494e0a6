import { keepAccountsIn } from '../../support/shards.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

const { books } = keepAccountsIn(1)

const SELLER = { country: 'DE', registrations: ['oss_union'] }
const SAAS = [{ amount: 10_000, product_type: 'saas' }]
const US = {
  currency: 'USD',
  transaction_date: '2026-06-15',
  seller: { country: 'US', region: 'NY', registrations: ['US-CA', 'US-NY'] },
}
const BOOKS = [{ amount: 10_000, product_type: 'physical_goods' }]

let key = ''
beforeAll(async () => {
  await loadTestData()
  key = (await newAccount()).key
})

const newCustomer = async (body: object, own = key) =>
  String((await call('POST', '/v1/customers', { key: own, body: { name: 'Ada', ...body } })).body['id'])
const calculate = async (body: object, own = key) => call('POST', '/v1/calculate', { key: own, body })
const eu = async (customer_id: string, body: object = {}) =>
  calculate({
    currency: 'EUR',
    transaction_date: '2026-06-15',
    seller: SELLER,
    line_items: SAAS,
    customer_id,
    ...body,
  })

async function exempt(customer: string, body: object, status = 'verified'): Promise<string> {
  const path = `/v1/customers/${customer}/exemptions`
  const exemption = {
    exemption_type: 'government',
    certificate_number: 'C-1',
    valid_from: '2026-01-01',
    ...body,
  }
  const id = String((await call('POST', path, { key, body: exemption })).body['id'])
  if (status !== 'pending') await call('PUT', `${path}/${id}`, { key, body: { status } })
  return id
}

describe('a calculation with a VAT id', () => {
  const to = async (country: string, customer: object) =>
    (await eu('', { customer_id: null, customer: { address: { country }, ...customer } })).body['notes']

  it('says that nothing but its form could be checked', async () => {
    const said = expect.stringContaining(
      'format of the VAT id was checked, because the United Arab Emirates publishes no check digits',
    )
    expect(await to('AE', { vat_id: '100354321900003' })).toContainEqual(said)
    expect(await to('AE', { vat_id: '100354321900003', vat_id_validated: true })).not.toContainEqual(said)
    expect(await to('AE', { vat_id: '1003543219' })).not.toContainEqual(said)
  })

  it('says that everybody has such a number', async () => {
    const said = expect.stringContaining('does not prove a business in Chile')
    expect(await to('CL', { vat_id: '76.086.428-5' })).toContainEqual(said)
    expect(await to('CL', { vat_id: '76.086.428-5', vat_id_validated: true })).not.toContainEqual(said)
  })
})

describe('a calculation for a saved customer', () => {
  it('takes the stored address', async () => {
    const customer = await newCustomer({ address: { country: 'FR', postal_code: '75002', city: 'Paris' } })
    expect((await eu(customer)).body).toMatchObject({
      jurisdiction_id: 'FR',
      tax_amount: 2_000,
      exemption: null,
    })
  })

  it('prefers the address and the type of the request to those in the data', async () => {
    const customer = await newCustomer({ address: { country: 'FR' } })
    expect((await eu(customer, { customer: { address: { country: 'IT' } } })).body).toMatchObject({
      jurisdiction_id: 'IT',
    })
    const business = await eu(customer, { customer: { type: 'business', vat_id: 'FR40303265045' } })
    expect(business.body).toMatchObject({
      reverse_charge: true,
      tax_amount: 0,
      customer: { jurisdiction_id: 'FR' },
    })
  })

  it('uses the stored VAT id if it is good', async () => {
    const address = { country: 'FR' }
    expect((await eu(await newCustomer({ address, vat_id: 'FR40303265045' }))).body).toMatchObject({
      reverse_charge: true,
      customer: { vat_id_status: 'format_valid' },
    })
    expect((await eu(await newCustomer({ address, vat_id: '40303265045' }))).body).toMatchObject({
      reverse_charge: true,
    })
    expect((await eu(await newCustomer({ address, vat_id: 'FR00000000000' }))).body).toMatchObject({
      reverse_charge: false,
      tax_amount: 2_000,
      customer: { vat_id_status: 'format_invalid' },
    })
  })

  it('uses the authority’s result for the stored VAT id, unless the request overrides it', async () => {
    const customer = await newCustomer({ address: { country: 'FR' }, vat_id: 'FR40303265045' })
    const setValidated = async (valid: number) =>
      books
        .prepare(
          `UPDATE customers SET vat_id_validated = ?, vat_id_validated_at = '2026-11-01T00:00:00.000Z'
         WHERE id = ?`,
        )
        .bind(valid, customer)
        .run()
    await setValidated(1)
    expect((await eu(customer)).body).toMatchObject({
      reverse_charge: true,
      customer: { vat_id_status: 'valid' },
    })
    await setValidated(0)
    expect((await eu(customer)).body).toMatchObject({
      reverse_charge: false,
      customer: { vat_id_status: 'invalid' },
    })
    expect((await eu(customer, { customer: { vat_id_validated: true } })).body).toMatchObject({
      customer: { vat_id_status: 'valid' },
    })
    expect((await eu(customer, { customer: { vat_id: 'FR40303265045' } })).body).toMatchObject({
      customer: { vat_id_status: 'format_valid' },
    })
  })

  it('names the field `customer` if no address is known', async () => {
    const customer = await newCustomer({})
    for (const body of [{ customer_id: customer }, {}, { customer_id: null }]) {
      const refused = await calculate({ currency: 'EUR', line_items: SAAS, ...body })
      expect(refused.status).toBe(400)
      expect(refused.body['errors']).toMatchObject([{ path: 'customer' }])
    }
    const partly = await calculate({ currency: 'EUR', line_items: SAAS, customer: { type: 'business' } })
    expect(partly.body['errors']).toMatchObject([{ path: 'customer.address' }])
  })

  it('answers NOT_FOUND for an unknown or deleted customer, or one of another account', async () => {
    const { key: other } = await newAccount()
    const foreign = await newCustomer({ address: { country: 'FR' } }, other)
    const erased = await newCustomer({ address: { country: 'FR' } })
    await call('DELETE', `/v1/customers/${erased}`, { key })
    for (const id of [foreign, erased, 'cust_00000000000000000000000000', 'x', "' OR 1=1 --"]) {
      const answer = await eu(id, { customer: { address: { country: 'FR' } } })
      expect(answer.status).toBe(404)
      expect(answer.body).toMatchObject({
        error_code: 'NOT_FOUND',
        reason: 'not_found',
        errors: [{ path: 'customer_id' }],
      })
    }
    for (const customer_id of [7, {}, '\ud800', 'x'.repeat(61)])
      expect(
        (await calculate({ currency: 'EUR', line_items: SAAS, customer_id })).body['errors'],
      ).toMatchObject([{ path: 'customer_id' }])
  })
})

describe('an exempt customer', () => {
  const california = { address: { country: 'US', region: 'CA', postal_code: '94105' } }
  const usa = async (customer_id: string, body: object = {}) =>
    calculate({ ...US, line_items: BOOKS, customer_id, ...body })

  it.each(['US', 'US-CA'])('pays no tax in California with an exemption for %s', async (jurisdiction_id) => {
    const customer = await newCustomer(california)
    expect((await usa(customer)).body).toMatchObject({ tax_amount: 725, exemption: null })
    const id = await exempt(customer, { jurisdiction_id })
    expect((await usa(customer)).body).toMatchObject({
      tax_amount: 0,
      total: 10_000,
      line_items: [{ taxable: false, taxability_reason: 'customer_exempt', tax_amount: 0 }],
      decision: { collect: false, reason: 'customer_exempt' },
      exemption: {
        id,
        jurisdiction_id,
        exemption_type: 'government',
        valid_from: '2026-01-01',
        valid_to: null,
      },
    })
  })

  it.each([
    ['for another state', { jurisdiction_id: 'US-NY' }, 'verified'],
    ['that is pending', { jurisdiction_id: 'US-CA' }, 'pending'],
    ['that was rejected', { jurisdiction_id: 'US-CA' }, 'rejected'],
    ['that has ended', { jurisdiction_id: 'US-CA', valid_to: '2026-06-14' }, 'verified'],
    ['that has not begun', { jurisdiction_id: 'US-CA', valid_from: '2026-06-16' }, 'verified'],
  ])('pays tax with an exemption %s', async (_, body, status) => {
    const customer = await newCustomer(california)
    await exempt(customer, body, status)
    expect((await usa(customer)).body).toMatchObject({ tax_amount: 725, exemption: null })
  })

  it('pays no tax on the first and the last day', async () => {
    const customer = await newCustomer(california)
    await exempt(customer, { jurisdiction_id: 'US-CA', valid_from: '2026-06-15', valid_to: '2026-06-15' })
    expect((await usa(customer)).body).toMatchObject({ tax_amount: 0 })
  })

  it('is exempt only in the jurisdiction of the request’s address', async () => {
    const customer = await newCustomer(california)
    await exempt(customer, { jurisdiction_id: 'US-CA' })
    const address = { country: 'US', region: 'NY', postal_code: '10001' }
    expect((await usa(customer, { customer: { address } })).body).toMatchObject({
      jurisdiction_id: 'US-NY',
      tax_amount: 400,
      exemption: null,
    })
  })

  it('still pays the federal part if the exemption is for a province', async () => {
    const customer = await newCustomer({ address: { country: 'CA', region: 'QC' } })
    await exempt(customer, { jurisdiction_id: 'CA-QC' })
    const seller = { country: 'CA', region: 'QC', registrations: ['CA', 'CA-QC'] }
    const answer = await calculate({
      currency: 'CAD',
      transaction_date: '2026-06-15',
      seller,
      line_items: BOOKS,
      customer_id: customer,
    })
    expect(answer.body).toMatchObject({ tax_amount: 500, exemption: { jurisdiction_id: 'CA-QC' } })
  })

  it('changes the decision to collect', async () => {
    const customer = await newCustomer(california)
    const decide = async (body: object) =>
      call('POST', '/v1/decision/collect', { key, body: { seller: US.seller, date: '2026-06-15', ...body } })
    expect((await decide({ customer_id: customer })).body).toMatchObject({
      jurisdiction_id: 'US-CA',
      collect: true,
      reason: 'registered',
    })
    await exempt(customer, { jurisdiction_id: 'US-CA' })
    expect((await decide({ customer_id: customer })).body).toMatchObject({
      collect: false,
      reason: 'customer_exempt',
    })
    expect((await decide({ customer_id: customer, jurisdiction_id: 'US-NY' })).body).toMatchObject({
      collect: true,
    })
    expect((await decide({ customer_id: 'cust_00000000000000000000000000' })).body).toMatchObject({
      reason: 'not_found',
      errors: [{ path: 'customer_id' }],
    })
    expect((await decide({ customer_id: await newCustomer({}) })).body['errors']).toMatchObject([
      { path: 'jurisdiction_id' },
    ])
  })
})

describe('a batch', () => {
  it('uses the customer of each calculation, or none', async () => {
    const paris = await newCustomer({ address: { country: 'FR' } })
    const { key: other } = await newAccount()
    const foreign = await newCustomer({ address: { country: 'FR' } }, other)
    const one = { currency: 'EUR', transaction_date: '2026-06-15', seller: SELLER, line_items: SAAS }
    const exempted = await newCustomer({ address: { country: 'IT' } })
    await exempt(exempted, { jurisdiction_id: 'IT' })
    const calculations = [
      { ...one, customer_id: paris },
      { ...one, customer_id: foreign },
      { ...one, customer: { address: { country: 'DE' } } },
      { ...one, customer_id: exempted },
      { ...one, customer_id: paris, customer: { address: { country: 'ES' } } },
      { ...one, customer_id: 7 },
      null,
      one,
    ]
    const { body } = await call('POST', '/v1/calculate/batch', { key, body: { calculations } })
    expect(body).toMatchObject({
      results: [
        { success: true, data: { jurisdiction_id: 'FR', tax_amount: 2_000 } },
        {
          success: false,
          error: { error_code: 'NOT_FOUND', reason: 'not_found', errors: [{ path: 'customer_id' }] },
        },
        { success: true, data: { jurisdiction_id: 'DE' } },
        {
          success: true,
          data: { jurisdiction_id: 'IT', tax_amount: 0, decision: { reason: 'customer_exempt' } },
        },
        { success: true, data: { jurisdiction_id: 'ES' } },
        { success: false, error: { errors: [{ path: 'customer_id' }] } },
        { success: false, error: { errors: [{ path: 'body' }] } },
        { success: false, error: { errors: [{ path: 'customer' }] } },
      ],
      summary: { total: 8, succeeded: 4, failed: 4 },
    })
  })

  it('reads a customer for each of 100 calculations', async () => {
    const customers = await Promise.all(
      Array.from({ length: 100 }, async () => newCustomer({ address: { country: 'FR' } })),
    )
    const calculations = customers.map((customer_id) => ({
      currency: 'EUR',
      seller: SELLER,
      line_items: SAAS,
      customer_id,
    }))
    const { body } = await call('POST', '/v1/calculate/batch', { key, body: { calculations } })
    expect(body['summary']).toEqual({ total: 100, succeeded: 100, failed: 0 })
  })
})
