import { exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { createFakeService } from '../../client/offline/testing.ts'
import { ApiError, type CalculateRequest, createClient } from '../../client/src/client.ts'
import type { FakeServiceOptions } from '../../client/src/testing.ts'
import { newAccount } from '../support/account.ts'
import { loadTestData } from '../support/service-data.ts'
import { loadShippedLocalTaxes } from '../support/shipped-local-taxes.ts'

await loadTestData()
await loadShippedLocalTaxes()

function fake(options?: FakeServiceOptions) {
  const service = createFakeService(options)
  const { apiKey, fetch } = service
  return { service, tax: createClient({ baseUrl: 'https://tax.test', apiKey, fetch, retries: 0 }) }
}

async function real() {
  const { key } = await newAccount()
  const fetch = async (request: Request) => exports.default.fetch(request)
  return createClient({ baseUrl: 'https://service.test', apiKey: key, fetch, retries: 0 })
}

function sale(currency: string, country: string, product_type: 'saas' | 'books', vat_id?: string) {
  return {
    currency,
    customer: { address: { country }, ...(vat_id !== undefined && { vat_id }) },
    line_items: [{ amount: 12_345, product_type }],
    explain: true,
  } satisfies CalculateRequest
}

const SALES = [
  sale('EUR', 'DE', 'books'),
  sale('EUR', 'FR', 'saas'),
  sale('EUR', 'AT', 'saas', 'ATU13585627'),
  sale('GBP', 'GB', 'books'),
  sale('CHF', 'CH', 'saas'),
  { ...sale('USD', 'US', 'saas'), customer: { address: { country: 'US', region: 'OR' } } },
]

/** The note of an engine without the service. */
const OFFLINE = /^Calculated without the service/

/** Without what differs by its nature: moments, and the version of the data. */
function comparable({ notes, meta: _meta, queried_at: _queried_at, ...answer }: Awaited<ReturnType<Ask>>) {
  return { ...answer, notes: notes.filter((note) => !OFFLINE.test(note)) }
}
type Ask = ReturnType<typeof createClient>['calculate']

describe('the service for tests', () => {
  it.each(SALES)('calculates as the service does: $customer.address.country', async (asked) => {
    const service = await real()
    await service.account.update({ country: 'DE' })
    await service.registrations.create({ jurisdiction_id: 'DE', valid_from: '2020-01-01' })
    await service.registrations.create({ scheme: 'oss_union', valid_from: '2021-07-01' })
    const { tax } = fake({ account: { country: 'DE' }, registrations: ['DE', 'oss_union'] })
    expect(comparable(await tax.calculate(asked))).toEqual(comparable(await service.calculate(asked)))
  })

  it('sells on the day of the seller, as the service does', async () => {
    const now = () => Date.parse('2026-03-01T23:30:00Z')
    const dayOf = async (account: NonNullable<FakeServiceOptions['account']>) => {
      const { tax } = fake({ account, now, registrations: ['DE'] })
      return (await tax.calculate(sale('EUR', 'DE', 'books'))).transaction_date
    }
    expect(await dayOf({ country: 'DE' })).toBe('2026-03-02')
    expect(await dayOf({ country: 'DE', time_zone: 'UTC' })).toBe('2026-03-01')
  })

  it('refuses as the service does, with its reasons', async () => {
    const wrong = { ...sale('EUR', 'DE', 'books'), currency: 'EURO' }
    const refusals = [(await real()).calculate(wrong), fake().tax.calculate(wrong)].map((asked) =>
      asked.catch((error: unknown) => error),
    )
    const [theirs, ours] = await Promise.all(refusals)
    if (!(theirs instanceof ApiError && ours instanceof ApiError)) throw new Error('Both are refused')
    for (const field of ['status', 'reason', 'message', 'error_code'] as const)
      expect(ours[field]).toBe(theirs[field])
    const { fetch } = createFakeService()
    expect((await fetch('https://tax.test/v1/calculate', { method: 'POST', body: '{}' })).status).toBe(401)
  })

  it('answers what the test says, and names what it lacks', async () => {
    const { tax, service } = fake({
      answers: {
        'GET /v1/transactions/txn_1': () => ({ id: 'txn_1' }),
        'POST /v1/calculate': ({ body }) => (body === null ? {} : new Response(null, { status: 503 })),
      },
    })
    expect(await tax.transactions.get('txn_1')).toEqual({ id: 'txn_1' })
    await expect(tax.calculate(sale('EUR', 'DE', 'books'))).rejects.toMatchObject({ status: 503 })
    await expect(tax.customers.get('cus_2')).rejects.toThrow('no answer to GET /v1/customers/cus_2')
    expect(service.requests.map(({ path }) => path)).toEqual([
      '/v1/transactions/txn_1',
      '/v1/calculate',
      '/v1/customers/cus_2',
    ])
  })

  it('says that it lacks the local taxes of a state, and charges none in silence', async () => {
    const { tax } = fake({ account: { country: 'US' }, registrations: ['US-TX'] })
    const address = { country: 'US', region: 'TX', postal_code: '78701' }
    await expect(
      tax.calculate({ ...sale('USD', 'US', 'books'), customer: { address } }),
    ).rejects.toMatchObject({ status: 501, message: expect.stringContaining('local taxes of US-TX') })
  })
})
