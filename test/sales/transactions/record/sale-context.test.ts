import { keepAccountsIn } from '../../../support/shards.ts'
import { expect, it } from 'vitest'
import { verifyTotals } from '../../../../scripts/verify/totals.ts'
import { newAccount } from '../../../support/account.ts'
import { call } from '../../../support/service.ts'
import { loadTestData } from '../../../support/service-data.ts'
import { create } from '../sales.ts'

const { books } = keepAccountsIn(2)

await loadTestData()

const CART = {
  seller: { country: 'DE', registrations: ['DE', 'oss_union'] },
  customer: { address: { country: 'FR', postal_code: '75002' } },
  currency: 'EUR',
  line_items: [
    { amount: 12_000, product_type: 'physical_goods', reference: 'sku-1', discount: 2_000, quantity: 2 },
    { amount: 3_000, product_type: 'books' },
  ],
  shipping_cost: { amount: 700 },
}

it('keeps what a calculation takes, and what the invoice says beside its tax', async () => {
  const { key, account_id } = await newAccount()
  const facts = {
    invoice_number: 'R-2026-17',
    metadata: { shop: 'north' },
    payments: [{ date: '2026-11-02', amount: 1_000, reference: 'ch_1' }],
    evidence: [
      { type: 'billing_address', country: 'FR' },
      { type: 'ip', country: 'FR', value: '192.0.2.1' },
    ],
    ship_from: { country: 'DE', postal_code: '10115' },
  }
  const { status, body, text } = await create(key, { ...CART, ...facts })
  expect(status, text).toBe(201)
  expect(body).toMatchObject({
    invoice_number: 'R-2026-17',
    metadata: { shop: 'north' },
    payments: facts.payments,
    evidence_status: 'sufficient',
    ship_from: { country: 'DE', region: null, postal_code: '10115' },
    marketplace: null,
    discount_amount: 2_000,
    subtotal: 13_700,
  })
  expect(body['line_items']).toMatchObject([
    { amount: 10_000, discount: 2_000, reference: 'sku-1', tax_amount: 2_000 },
    { amount: 3_000, discount: 0, reference: null, tax_amount: 165 },
    { amount: 700, product_type: 'shipping' },
  ])
  expect(body['total']).toBe(Number(body['subtotal']) + Number(body['tax_amount']))
  expect((await call('GET', `/v1/transactions/${String(body['id'])}`, { key })).body).toMatchObject(facts)
  const { lines } = (await call('GET', '/v1/reports/lines', { key })).body as { lines: object[] }
  expect(lines).toHaveLength(4)
  expect(lines[0]).toMatchObject({ invoice_number: 'R-2026-17', audit_id: expect.stringMatching(/^aud_/) })
  expect(await verifyTotals(books, account_id)).toEqual([])
})

it('records the answer of a calculation as it is', async () => {
  const { key } = await newAccount()
  const { body: calculation } = await call('POST', '/v1/calculate', {
    key,
    body: { ...CART, discount_amount: 1_001, transaction_date: '2026-10-05' },
  })
  const { seller, customer } = CART
  const { status, body, text } = await create(key, { seller, customer, calculation, external_id: 'order-9' })
  expect(status, text).toBe(201)
  expect(body).toMatchObject({
    external_id: 'order-9',
    subtotal: calculation['subtotal'],
    tax_amount: calculation['tax_amount'],
    total: calculation['total'],
    discount_amount: calculation['discount_amount'],
    jurisdiction_id: 'FR',
    transaction_date: '2026-10-05T00:00:00.000Z',
    tax_variance: 0,
  })
  const both = await create(key, { customer, calculation, line_items: CART.line_items })
  expect(both.body['errors']).toMatchObject([{ path: 'line_items' }])
})

it.each([
  ['missing', []],
  ['insufficient', [{ type: 'ip', country: 'FR' }]],
  [
    'insufficient',
    [
      { type: 'ip', country: 'FR' },
      { type: 'ip', country: 'FR' },
    ],
  ],
  [
    'conflicting',
    [
      { type: 'ip', country: 'FR' },
      { type: 'bank', country: 'DE' },
    ],
  ],
  [
    'sufficient',
    [
      { type: 'ip', country: 'FR' },
      { type: 'bank', country: 'FR' },
      { type: 'sim', country: 'DE' },
    ],
  ],
  ['sufficient', [{ type: 'bank', country: 'FR', from_provider: true }]],
])('finds evidence %s: %j', async (status, evidence) => {
  const { key } = await newAccount()
  expect((await create(key, { ...CART, evidence })).body['evidence_status']).toBe(status)
})

it.each([
  [{ line_items: undefined }, 'line_items'],
  [{ currency: undefined }, 'currency'],
  [{ payments: Array.from({ length: 51 }, () => ({ date: '2026-01-01', amount: 1 })) }, 'payments'],
  [{ evidence: [{ type: 'guess', country: 'FR' }] }, 'evidence[0].type'],
  [{ metadata: { a: 1 } }, 'metadata.a'],
  [{ discount_amount: 999_999 }, 'discount_amount'],
])('refuses %j and names %s', async (more, path) => {
  const { key } = await newAccount()
  const { status, body } = await create(key, { ...CART, ...more })
  expect(status).toBe(400)
  expect(body['errors']).toContainEqual({ path, message: expect.any(String) })
})
