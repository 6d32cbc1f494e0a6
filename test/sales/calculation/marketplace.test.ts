import { describe, expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

await loadTestData()
const { key } = await newAccount()

const post = (path: string, body: object) => call('POST', path, { key, body })
const SALE = {
  currency: 'EUR',
  seller: { country: 'IE', registrations: ['oss_union'] },
  ship_from: { country: 'DE' },
  customer: { address: { country: 'FR', postal_code: '75002' } },
  line_items: [{ product_type: 'physical_goods', amount: 5_000 }],
}
const sold = (seller: object | undefined, more: object = {}) => ({
  ...SALE,
  marketplace: { role: 'facilitator', ...(seller && { seller }) },
  ...more,
})

describe('a marketplace', () => {
  it('collects for a seller from outside the Union, and leaves the tax to a seller of it', async () => {
    expect((await post('/v1/calculate', sold({ country: 'CN' }))).body).toMatchObject({ tax_amount: 1_000 })
    expect((await post('/v1/calculate', sold({ country: 'DE' }))).body).toMatchObject({
      tax_amount: 0,
      decision: { collect: false, reason: 'seller_accounts', must_register: false },
      line_items: [{ taxability_reason: 'seller_accounts', tax_if_registered: null }],
    })
    const { body } = await post('/v1/calculate', sold(undefined))
    expect(String(body['notes'])).toContain('only if the seller is not established in the European Union')
  })

  it('is told the same by a question before the sale', async () => {
    const { currency: _currency, line_items: _lines, ...question } = sold({ country: 'DE' })
    const asked = { ...question, product_type: 'physical_goods' }
    expect((await post('/v1/decision/collect', asked)).body).toMatchObject({ reason: 'seller_accounts' })
  })

  it.each([
    [{ role: 'facilitator', seller: {} }, 'marketplace.seller.country'],
    [{ role: 'facilitator', seller: { country: 'US', region: 'ZZ' } }, 'marketplace.seller.region'],
    [{ role: 'facilitator', seller: { country: 'DE', city: 'Bonn' } }, 'marketplace.seller'],
    [
      { role: 'facilitator', seller: { country: 'DE', registrations: ['QQ'] } },
      'marketplace.seller.registrations[0]',
    ],
    [{ role: 'facilitated', seller: { country: 'DE' } }, 'marketplace.seller'],
  ])('is refused if its seller is wrong: %j', async (marketplace, path) => {
    const { status, body } = await post('/v1/calculate', { ...SALE, marketplace })
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toContain(path)
  })

  it('keeps the seller with a recorded sale, which is in no return of its own', async () => {
    const books = await newAccount()
    const record = (seller: object, external_id: string) =>
      call('POST', '/v1/transactions', {
        key: books.key,
        body: { ...sold(seller), external_id, transaction_date: '2026-08-03' },
      })
    const left = await record({ country: 'DE' }, 'left')
    expect(left.body).toMatchObject({
      tax_amount: 0,
      marketplace: { role: 'facilitator', seller: { country: 'DE' } },
    })
    await record({ country: 'CN' }, 'own')
    await call('PUT', '/v1/account', { key: books.key, body: { name: 'Platform', country: 'IE' } })
    const { body } = await call('GET', '/v1/reports/filing?type=oss_union&period=2026-Q3', { key: books.key })
    expect(JSON.stringify(body['supplies'])).toContain('5000')
    expect(JSON.stringify(body['supplies'])).not.toContain('10000')
    const home = await call('GET', '/v1/reports/filing?type=eu_domestic&jurisdiction_id=DE&period=2026-08', {
      key: books.key,
    })
    expect(home.status).toBe(200)
    expect(JSON.stringify(home.body['boxes'])).not.toContain('5000')
  })
})

it('charges its commission to a private seller where the sale is, and says so if that is unknown', async () => {
  const fee = {
    currency: 'EUR',
    seller: { country: 'RO', registrations: ['oss_union'] },
    customer: { address: { country: 'FR', postal_code: '75002' }, type: 'individual' },
    line_items: [{ product_type: 'intermediary_commission', amount: 800 }],
  }
  const known = await post('/v1/calculate', { ...fee, supply_address: { country: 'FR' } })
  expect(known.body, known.text).toMatchObject({ jurisdiction_id: 'FR', tax_amount: 160 })
  const unknown = await post('/v1/calculate', fee)
  expect(String(unknown.body['notes'])).toContain('Send supply_address')
})
