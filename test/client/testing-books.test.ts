import { exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { createFakeService } from '../../client/offline/testing.ts'
import { ApiError, createClient, type TaxClient, type TransactionRequest } from '../../client/src/client.ts'
import { recordOf } from '../../client/src/shop.ts'
import { newAccount } from '../support/account.ts'
import { loadTestData } from '../support/service-data.ts'
import { loadShippedLocalTaxes } from '../support/shipped-local-taxes.ts'

await loadTestData()
await loadShippedLocalTaxes()

type Seller = { country: string; region?: string; postal_code?: string }

/** The fake and the service, with the same seller. */
async function both(seller: Seller, registrations: readonly string[]): Promise<[TaxClient, TaxClient]> {
  const fake = createFakeService({ account: seller, registrations })
  const { key } = await newAccount()
  const fetch = async (request: Request) => exports.default.fetch(request)
  const service = createClient({ baseUrl: 'https://service.test', apiKey: key, fetch, retries: 0 })
  await service.account.update(seller)
  for (const id of registrations) {
    const place = /^[A-Z]/.test(id) ? { jurisdiction_id: id } : { scheme: id as 'oss_union' }
    await service.registrations.create({ ...place, valid_from: '2021-07-01' })
  }
  return [createClient({ baseUrl: 'https://tax.test', ...fake, retries: 0 }), service]
}

/** What differs by its nature, and the returns of a sale, which the fake does not know. */
const OWN = new Set(['data_version', 'meta', 'queried_at', 'returns'])

/** Without what differs, with one name for all ids and moments of a kind. */
function comparable(answer: object): unknown {
  const text = JSON.stringify(answer, (name, value: unknown) => (OWN.has(name) ? undefined : value))
  return JSON.parse(
    text
      .replaceAll(/\b(txn|li|rfd|req)_\w+/g, '$1')
      .replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"moment"')
      .replaceAll(/,?"Calculated without the service[^"]*"/g, ''),
  )
}

const EU = ['DE', 'oss_union']
const DAY = '2026-06-15'
const to = (country: string, more: object = {}) => ({ address: { country, ...more } })

const SALES: [string, TransactionRequest][] = [
  [
    'two lines and postage, calculated',
    {
      currency: 'EUR',
      customer: to('FR', { postal_code: '75002' }),
      line_items: [
        { amount: 4_999, quantity: 3, product_type: 'books', reference: 'a' },
        {
          unit_amount: 1_950,
          quantity: 2,
          product_type: 'physical_goods',
          description: 'Lamp',
          discount: 100,
        },
      ],
      shipping_cost: { amount: 590 },
      expected_total: 9_000,
      external_id: 'order-1',
      metadata: { cart: '7' },
      transaction_date: DAY,
    },
  ],
  [
    'a tax of the invoice that differs from the law',
    {
      currency: 'EUR',
      customer: to('DE'),
      line_items: [{ amount: 10_000, product_type: 'saas', tax_rate: 0.19, tax_amount: 1_800 }],
      transaction_date: DAY,
    },
  ],
  [
    'a business elsewhere, pending',
    {
      currency: 'EUR',
      customer: { ...to('AT'), vat_id: 'ATU13585627' },
      line_items: [{ amount: 10_000, product_type: 'saas' }],
      status: 'pending',
      transaction_date: DAY,
    },
  ],
  [
    'a tip and a seller of its own',
    {
      currency: 'GBP',
      seller: { country: 'GB', registrations: ['GB'] },
      customer: to('GB'),
      line_items: [
        { amount: 1_000, product_type: 'books' },
        { amount: 100, product_type: 'physical_goods', supply: false, supply_reason: 'tip' },
      ],
      transaction_date: DAY,
    },
  ],
]

const PLACES: [string, string][] = [
  ['CA', '94105'],
  ['CT', '06103'],
  ['DC', '20001'],
  ['DE', '19801'],
  ['FL', '33101'],
  ['MA', '02108'],
  ['MD', '21201'],
  ['ME', '04101'],
  ['MI', '48201'],
  ['MT', '59601'],
  ['NH', '03301'],
  ['NJ', '07102'],
  ['NY', '10001'],
  ['OR', '97201'],
  ['PA', '19103'],
  ['RI', '02903'],
  ['WA', '98101'],
]

describe('the books of the service for tests', () => {
  it.each(SALES)('record as the service does: %s', async (_name, sale) => {
    const [fake, service] = await both({ country: 'DE' }, EU)
    const [ours, theirs] = [await fake.transactions.create(sale), await service.transactions.create(sale)]
    expect(comparable(ours)).toEqual(comparable(theirs))
    expect(comparable(await fake.transactions.get(ours.id))).toEqual(
      comparable(await service.transactions.get(theirs.id)),
    )
  })

  it('record what was quoted', async () => {
    const answers = []
    for (const tax of await both({ country: 'DE' }, EU)) {
      const customer = to('DK')
      const line_items = [{ amount: 12_345, product_type: 'ebooks' as const }]
      const quote = await tax.calculate({ currency: 'DKK', customer, line_items, transaction_date: DAY })
      await tax.transactions.create(recordOf(quote, { customer, external_id: 'order-1' }))
      answers.push(comparable(await tax.transactions.getByExternalId('order-1')))
    }
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0]).toMatchObject({ tax_source: 'given', tax_variance: 0, tax_amount: 3_086 })
  })

  it('refund as the service does, to the cent and no further', async () => {
    const refunds = [
      { amount: 1_001, reason: 'a part' },
      { reason: 'a piece', line_items: [{ reference: 'a', quantity: 1 }], external_id: 'refund-1' },
      { reason: 'postage', shipping: true as const },
      { rest: true as const, reason: 'all of it', refunded_at: DAY },
      { amount: 1, reason: 'too much' },
      { reason: 'no such line', line_items: [{ reference: 'x' }] },
    ]
    const [, sale] = SALES[0] ?? []
    if (sale === undefined) throw new Error('There is a sale')
    const answers = []
    for (const tax of await both({ country: 'DE' }, EU)) {
      const { id, total } = await tax.transactions.create(sale)
      const given = []
      for (const refund of refunds)
        given.push(
          await tax.transactions.refund(id, refund).catch((error: unknown) => {
            if (!(error instanceof ApiError)) throw error
            return { status: error.status, reason: error.reason, errors: error.errors }
          }),
        )
      answers.push(comparable(given))
      const { amount_refunded } = await tax.transactions.get(id)
      expect(amount_refunded).toBe(total)
    }
    expect(answers[0]).toEqual(answers[1])
  })

  it('write once for each key, and refuse a number twice', async () => {
    const sale: TransactionRequest = {
      currency: 'EUR',
      customer: to('DE'),
      line_items: [{ amount: 10_000, product_type: 'saas' }],
      external_id: 'order-1',
    }
    for (const tax of await both({ country: 'DE' }, EU)) {
      const idempotencyKey = 'order-1'
      const first = await tax.transactions.create(sale, { idempotencyKey })
      expect((await tax.transactions.create(sale, { idempotencyKey })).id).toBe(first.id)
      const other = { ...sale, external_id: 'order-2' }
      const refused = { status: 400, reason: 'idempotency_key_reused' }
      await expect(tax.transactions.create(other, { idempotencyKey })).rejects.toMatchObject(refused)
      await expect(tax.transactions.create(sale)).rejects.toMatchObject({
        status: 400,
        reason: 'external_id_taken',
        errors: [{ path: 'external_id' }],
      })
      const refund = { amount: 100, reason: 'x', external_id: 'refund-1' }
      await tax.transactions.refund(first.id, refund)
      await expect(tax.transactions.refund(first.id, refund)).rejects.toMatchObject({
        reason: 'external_id_taken',
      })
      await expect(tax.transactions.refund('txn_none', refund)).rejects.toMatchObject({ status: 404 })
      await expect(tax.transactions.getByExternalId('order-3')).rejects.toMatchObject({ status: 404 })
    }
  })

  it('say what they do not keep', async () => {
    const [tax] = await both({ country: 'DE' }, EU)
    const line_items = [{ amount: 10_000, product_type: 'saas' as const }]
    const sale = { currency: 'EUR', customer: to('DE'), line_items }
    await expect(tax.transactions.create({ ...sale, customer_id: 'cus_1' })).rejects.toMatchObject({
      status: 501,
      reason: 'not_in_fake',
      message: expect.stringContaining('customer_id'),
    })
    const { id } = await tax.transactions.create(sale)
    await expect(tax.transactions.get(id, { explain: 'true' })).rejects.toMatchObject({ status: 501 })
    await expect(tax.transactions.void(id)).rejects.toMatchObject({ status: 501 })
  })
})

describe('states of the United States in the service for tests', () => {
  it('have the local taxes of the service', async () => {
    const registrations = PLACES.map(([state]) => `US-${state}`).filter((id) => !/DE|MT|NH|OR/.test(id))
    const [fake, service] = await both({ country: 'US', region: 'CA', postal_code: '94105' }, registrations)
    for (const [region, postal_code] of PLACES) {
      const sale = {
        currency: 'USD',
        customer: to('US', { region, postal_code }),
        line_items: [
          { amount: 123_45, product_type: 'physical_goods' as const },
          { amount: 20_00, product_type: 'clothing' as const },
        ],
        transaction_date: DAY,
      }
      const cart = { ...sale, explain: true }
      expect(comparable(await fake.calculate(cart)), region).toEqual(
        comparable(await service.calculate(cart)),
      )
      expect(comparable(await fake.transactions.create(sale)), region).toEqual(
        comparable(await service.transactions.create(sale)),
      )
    }
    const { tax_rate } = await fake.calculate({
      currency: 'USD',
      customer: to('US', { region: 'NY', postal_code: '10001' }),
      line_items: [{ amount: 100_00, product_type: 'physical_goods' }],
      transaction_date: DAY,
    })
    expect(tax_rate).toBe(0.08875)
  })

  it('that the package lacks are told, and nothing of them is recorded', async () => {
    const [fake] = await both({ country: 'US', region: 'TX', postal_code: '78701' }, ['US-TX'])
    const sale: TransactionRequest = {
      currency: 'USD',
      customer: to('US', { region: 'TX', postal_code: '78701' }),
      line_items: [{ amount: 100_00, product_type: 'physical_goods' }],
      external_id: 'order-1',
    }
    const lacking = { status: 501, message: expect.stringContaining('local taxes of US-TX') }
    await expect(fake.transactions.create(sale)).rejects.toMatchObject(lacking)
    await expect(fake.transactions.getByExternalId('order-1')).rejects.toMatchObject({ status: 404 })
  })
})
