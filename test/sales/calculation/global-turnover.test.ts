import { describe, expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

await loadTestData()
const large = { amount: 10_000_000, currency: 'CHF' }

async function sellerWith(profile: object): Promise<string> {
  const { key } = await newAccount()
  await call('PUT', '/v1/account', { key, body: { country: 'US', region: 'TX', ...profile } })
  return key
}

type Answer = { decision: { must_register: boolean }; notes: string[] }

async function soldToZurich(key: string, seller?: object): Promise<Answer> {
  const { body } = await call('POST', '/v1/calculate', {
    key,
    body: {
      currency: 'CHF',
      ...(seller && { seller: { country: 'US', region: 'TX', ...seller } }),
      customer: { address: { country: 'CH' } },
      line_items: [{ amount: 10_000, product_type: 'saas' }],
    },
  })
  return body as Answer
}

const decided = async (key: string, seller?: object) =>
  call('POST', '/v1/decision/collect', {
    key,
    body: {
      jurisdiction_id: 'SG',
      ...(seller && { seller: { country: 'US', region: 'TX', ...seller } }),
      product_type: 'saas',
      sales: { amount: 10_000_001, currency: 'SGD', transaction_count: 9 },
    },
  })

describe('the turnover of a seller in all countries', () => {
  it('is kept in the profile, and cleared by null', async () => {
    const key = await sellerWith({ global_turnover: large })
    expect((await call('GET', '/v1/account', { key })).body['global_turnover']).toEqual(large)
    await call('PUT', '/v1/account', { key, body: { name: 'Acme' } })
    expect((await call('GET', '/v1/account', { key })).body['global_turnover']).toEqual(large)
    await call('PUT', '/v1/account', { key, body: { global_turnover: null } })
    expect((await call('GET', '/v1/account', { key })).body['global_turnover']).toBeNull()
  })

  it('makes a seller register in Switzerland with its first sale', async () => {
    const { decision, notes } = await soldToZurich(await sellerWith({ global_turnover: large }))
    expect(decision.must_register).toBe(true)
    expect(notes.join()).not.toContain('worldwide turnover')
  })

  it('frees a smaller one', async () => {
    const small = { amount: 9_999_999, currency: 'CHF' }
    const { decision, notes } = await soldToZurich(await sellerWith({ global_turnover: small }))
    expect(decision.must_register).toBe(false)
    expect(notes.join()).not.toContain('worldwide turnover')
  })

  it('is asked for by a note if the answer depends on it', async () => {
    const { decision, notes } = await soldToZurich(await sellerWith({}))
    expect(decision.must_register).toBe(false)
    expect(notes).toContainEqual(expect.stringContaining('worldwide turnover'))
  })

  it('is that of the request before that of the profile', async () => {
    const key = await sellerWith({ global_turnover: { amount: 1, currency: 'CHF' } })
    expect((await soldToZurich(key, { global_turnover: large })).decision.must_register).toBe(true)
    expect((await soldToZurich(key, {})).decision.must_register).toBe(false)
  })

  it('decides in Singapore beside the sales there', async () => {
    const key = await sellerWith({ global_turnover: { amount: 100_000_001, currency: 'SGD' } })
    expect((await decided(key)).body).toMatchObject({ must_register: true, notes: [] })
    const unknown = await decided(await sellerWith({}))
    expect(unknown.body).toMatchObject({ must_register: false })
    expect(String(unknown.body['notes'])).toContain('worldwide turnover')
  })

  it('is refused with the name of the field', async () => {
    const { key } = await newAccount()
    const body = { global_turnover: { amount: -1, currency: 'CHF' } }
    const refused = await call('PUT', '/v1/account', { key, body })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('global_turnover.amount')
  })
})
