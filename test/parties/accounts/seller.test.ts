import { beforeAll, describe, expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

let key = ''
beforeAll(async () => {
  await loadTestData()
  key = (await newAccount()).key
})

/** A shop in Germany sells to a consumer, and has the registrations that are given. */
const sale = (country: string, registrations: string[]) => ({
  currency: 'EUR',
  transaction_date: '2026-06-15',
  seller: { country: 'DE', registrations, over_eu_threshold: true },
  customer: { address: { country } },
  line_items: [{ amount: 10_000, product_type: 'saas' }],
})
const calculate = async (body: object) => call('POST', '/v1/calculate', { key, body })

describe('the registrations of the seller in the request', () => {
  it.each([
    ['GR', 'EL'],
    ['GR', 'el'],
    ['GB', 'UK'],
    ['GB', 'uk'],
    ['FR', 'fr'],
  ])('hold in %s where they name it as %s', async (country, id) => {
    expect((await calculate(sale(country, []))).body['seller_registered']).toBe(false)
    expect((await calculate(sale(country, [id]))).body['seller_registered']).toBe(true)
    const recorded = await call('POST', '/v1/transactions', { key, body: sale(country, [id]) })
    expect(recorded.body['seller_registered']).toBe(true)
    const { seller, transaction_date } = sale(country, [id])
    const decided = await call('POST', '/v1/decision/collect', {
      key,
      body: { jurisdiction_id: country, seller, date: transaction_date },
    })
    expect(decided.body['seller_registered']).toBe(true)
  })

  it('may name a part of a country by its alias, and a scheme', async () => {
    expect((await calculate(sale('FR', ['EL-69', 'oss_union']))).body['seller_registered']).toBe(true)
  })

  it('are refused where they name a jurisdiction that is unknown', async () => {
    const misspelt = sale('DE', ['oss_union', 'us-nyy'])
    const fault = {
      reason: 'unknown_jurisdiction',
      errors: [
        { path: 'seller.registrations[1]', message: '"US-NYY" is not a known jurisdiction or scheme' },
      ],
    }
    expect((await calculate(misspelt)).body).toMatchObject(fault)
    expect((await call('POST', '/v1/transactions', { key, body: misspelt })).body).toMatchObject(fault)
    const batch = await call('POST', '/v1/calculate/batch', {
      key,
      body: { calculations: [misspelt, sale('DE', ['ioss'])] },
    })
    expect(batch.body['results']).toMatchObject([{ success: false, error: fault }, { success: true }])
  })
})
