import { exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import {
  answerOf,
  ApiError,
  type ClientOptions,
  type components,
  createClient,
  each,
} from '../../client/client.ts'
import { newAccount } from '../support/account.ts'
import { loadTestData } from '../support/service-data.ts'

await loadTestData()

const SALE = {
  currency: 'EUR',
  seller: { country: 'DE' },
  customer: { address: { country: 'DE' } },
  line_items: [{ amount: 10_000, product_type: 'physical_goods' as const }],
}

/**
 * A client of the service under test, of which some attempts go wrong on their way: `broken` tells how,
 * attempt by attempt.
 */
async function client(broken: (Response | Error | undefined)[] = [], options: Partial<ClientOptions> = {}) {
  const { key, account_id } = await newAccount()
  const sent: Request[] = []
  const waited: number[] = []
  const fetch = async (request: Request) => {
    sent.push(request.clone())
    const trouble = broken[sent.length - 1]
    const response = await exports.default.fetch(request)
    if (trouble instanceof Error) throw trouble
    return trouble ?? response
  }
  const wait = (milliseconds: number) => Promise.resolve(void waited.push(milliseconds))
  return {
    client: createClient({ base_url: 'https://service.test/', api_key: key, fetch, wait, ...options }),
    account_id,
    sent,
    waited,
  }
}

const limited = (seconds: string) => new Response('{}', { status: 429, headers: { 'Retry-After': seconds } })
const down = () =>
  new Response('<html>Bad gateway</html>', { status: 502, headers: { 'Content-Type': 'text/html' } })
const reset = () => new TypeError('connection reset')

describe('the client', () => {
  it('asks and gets a typed answer', async () => {
    const { client: tax } = await client()
    const answer = await answerOf(tax.POST('/v1/calculate', { body: SALE }))
    expect(answer.tax_amount satisfies number).toBe(1_900)
  })

  it('throws what the service says is wrong, with its field', async () => {
    const { client: tax } = await client()
    const refused = await answerOf(
      tax.POST('/v1/transactions', { body: { ...SALE, currency: 'EURO' } }),
    ).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(ApiError)
    expect(refused).toMatchObject({
      status: 400,
      error_code: 'VALIDATION_ERROR',
      errors: [{ path: 'currency' }],
    })
    expect((refused as ApiError).request_id).toMatch(/^req_/)
  })

  it('makes one transaction however often its answer is lost', async () => {
    const { client: tax, sent } = await client([reset(), down()])
    await answerOf(tax.POST('/v1/transactions', { body: SALE }))
    expect(new Set(sent.map((request) => request.headers.get('Idempotency-Key'))).size).toBe(1)
    expect(sent).toHaveLength(3)
    expect(await answerOf(tax.GET('/v1/transactions'))).toMatchObject({ total: 1 })
  })

  it('waits as long as Retry-After says, and else longer each time', async () => {
    const asked = await client([limited('7'), limited('2')])
    await answerOf(asked.client.GET('/v1/customers'))
    expect(asked.waited).toEqual([7_000, 2_000])
    const failing = await client([down(), reset(), down()])
    await answerOf(failing.client.GET('/v1/customers'))
    for (const [index, milliseconds] of failing.waited.entries()) {
      expect(milliseconds).toBeGreaterThanOrEqual(250 * 2 ** index)
      expect(milliseconds).toBeLessThanOrEqual(500 * 2 ** index)
    }
    expect(failing.waited).toHaveLength(3)
  })

  it('gives up after the retries, with what the last one gave', async () => {
    const { client: tax, sent } = await client([down(), down(), down()], { retries: 2 })
    await expect(answerOf(tax.GET('/v1/customers'))).rejects.toMatchObject({ status: 502, error_code: null })
    expect(sent).toHaveLength(3)
    const lost = await client([reset(), reset()], { retries: 1 })
    await expect(answerOf(lost.client.GET('/v1/customers'))).rejects.toThrow('connection reset')
  })

  it('does not wait for longer than a minute', async () => {
    const { client: tax, waited } = await client([limited('3600')])
    await expect(answerOf(tax.GET('/v1/customers'))).rejects.toMatchObject({ status: 429 })
    expect(waited).toEqual([])
  })

  it('never sends a second time what would be done twice', async () => {
    const { client: tax, sent } = await client([undefined, reset()])
    const { id } = await answerOf(tax.POST('/v1/customers', { body: { name: 'Example' } }))
    await expect(answerOf(tax.DELETE('/v1/customers/{id}', { params: { path: { id } } }))).rejects.toThrow(
      'connection reset',
    )
    expect(sent).toHaveLength(2)
  })

  it('keeps an Idempotency-Key that it is given', async () => {
    const { client: tax, sent } = await client()
    await answerOf(
      tax.POST('/v1/transactions', { body: SALE, params: { header: { 'Idempotency-Key': 'order-1' } } }),
    )
    expect(sent[0]?.headers.get('Idempotency-Key')).toBe('order-1')
  })

  it('ends an attempt that takes too long', async () => {
    const hangs = (request: Request) =>
      new Promise<Response>((_, reject) =>
        request.signal.addEventListener('abort', () => reject(request.signal.reason)),
      )
    const { client: tax } = await client([], { fetch: hangs, timeout: 20, retries: 0 })
    await expect(answerOf(tax.GET('/v1/customers'))).rejects.toThrow(/time/i)
  })
})

describe('each', () => {
  it('goes over a list by its offset and over one by its cursor, to the end', async () => {
    const { client: tax } = await client()
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      await answerOf(tax.POST('/v1/customers', { body: { name } }))
      await answerOf(tax.POST('/v1/transactions', { body: { ...SALE, external_id: name } }))
    }
    const names = new Set<string | null>()
    const customers = each(
      (next) => answerOf(tax.GET('/v1/customers', { params: { query: { limit: 2, ...next } } })),
      (answer) => answer.customers,
    )
    for await (const customer of customers) names.add(customer.name)
    expect(names).toEqual(new Set(['a', 'b', 'c', 'd', 'e']))
    const sold = new Set<string | null>()
    const sales = each(
      (next) => answerOf(tax.GET('/v1/transactions', { params: { query: { limit: 2, ...next } } })),
      (answer) => answer.transactions,
    )
    for await (const sale of sales) sold.add(sale.external_id)
    expect(sold).toEqual(names)
  })
})

it('names the models that it gives and takes', async () => {
  const { client: tax } = await client()
  const body: components['schemas']['CalculateRequest'] = SALE
  const answer: components['schemas']['CalculateAnswer'] = await answerOf(tax.POST('/v1/calculate', { body }))
  const [line]: (components['schemas']['TaxLine'] | undefined)[] = answer.line_items
  const meta: components['schemas']['Meta'] = answer.meta
  expect(line?.tax_amount).toBe(1_900)
  expect(meta.data_version).not.toBe('')
})
