import { ApiError, createClient, type TaxClient } from 'tax-compliance'
import { recordOf } from 'tax-compliance/shop'
import { createFakeService } from 'tax-compliance/testing'
import { expect, it } from 'vitest'

/**
 * Tests of a shop without a service: `createFakeService` calculates with the engine and the tax data of the
 * package, and answers all else as the test says.
 */

type Cart = { cents: number; country: string; postal_code?: string }

/** A part of the shop: what a customer pays, and whether the sale is in the books. */
async function checkOut(tax: TaxClient, { cents, ...address }: Cart) {
  const sale = {
    currency: 'EUR',
    customer: { address },
    line_items: [{ amount: cents, product_type: 'ebooks' as const }],
  }
  const answer = await tax.calculate(sale)
  const { total, tax_amount } = answer
  // Not the cart: the books have what the customer paid, also if rates or registrations change meanwhile.
  const recorded = await tax.transactions
    .create(recordOf(answer, { external_id: 'order-1', customer: sale.customer }))
    .catch((error: unknown) => {
      if (error instanceof ApiError) return null
      throw error
    })
  return { total, tax_amount, recorded: recorded?.id ?? null }
}

function shop(answers: NonNullable<Parameters<typeof createFakeService>[0]>['answers'] = {}) {
  const service = createFakeService({
    account: { country: 'DE' },
    registrations: ['DE', 'oss_union'],
    // Rates change: a test names its day.
    now: () => Date.parse('2026-11-02T12:00:00Z'),
    answers: { 'POST /v1/transactions': () => ({ id: 'txn_1' }), ...answers },
  })
  const { apiKey, fetch } = service
  return { service, tax: createClient({ baseUrl: 'https://tax.test', apiKey, fetch, retries: 0 }) }
}

it.each([
  [{ cents: 1000, country: 'DE' }, 70],
  [{ cents: 1000, country: 'FR', postal_code: '75002' }, 55],
  [{ cents: 1000, country: 'DK' }, 250],
])('charges the tax of the customer: %j', async (cart, tax_amount) => {
  const { service, tax } = shop()
  expect(await checkOut(tax, cart)).toEqual({ total: 1000 + tax_amount, tax_amount, recorded: 'txn_1' })
  expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /v1/calculate',
    'POST /v1/transactions',
  ])
  expect(service.requests[1]?.body).toMatchObject({ calculation: { tax_amount } })
})

it('sells on while the books are not reached', async () => {
  const { tax } = shop({ 'POST /v1/transactions': () => new Response(null, { status: 503 }) })
  expect(await checkOut(tax, { cents: 1000, country: 'DE' })).toMatchObject({ total: 1070, recorded: null })
})

it('refuses a wrong cart as the service does', async () => {
  const { tax } = shop()
  await expect(checkOut(tax, { cents: 1000, country: 'Germany!' })).rejects.toMatchObject({
    status: 400,
    reason: 'invalid_request',
  })
})
