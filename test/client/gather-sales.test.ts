import { exports } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { ApiError, createClient } from '../../client/src/client.ts'
import { gatherSales, type GatherOptions } from '../../client/src/shop.ts'
import { newAccount } from '../support/account.ts'
import { loadTestData } from '../support/service-data.ts'

await loadTestData()

const sale = (external_id: string | undefined, lines = 1) => ({
  ...(external_id !== undefined && { external_id }),
  currency: 'EUR',
  seller: { country: 'DE' },
  customer: { address: { country: 'DE' } },
  line_items: Array.from({ length: lines }, () => ({
    amount: 10_000,
    product_type: 'physical_goods' as const,
  })),
})

/** A gathering client of the service under test, and the paths of its requests. */
async function shop(options: GatherOptions = { wait: 0 }) {
  const { key } = await newAccount({ tier: 'enterprise' })
  const paths: string[] = []
  const line = { broken: false }
  const fetch = async (request: Request) => {
    paths.push(new URL(request.url).pathname)
    if (line.broken) throw new TypeError('connection refused')
    return exports.default.fetch(request)
  }
  const tax = createClient({ baseUrl: 'https://service.test', apiKey: key, fetch, retries: 0 })
  return { tax: gatherSales(tax, options), paths, line }
}

const BATCH = '/v1/transactions/batch'
const SINGLE = '/v1/transactions'

it('records the sales of one moment by one request, and answers each of them', async () => {
  const { tax, paths } = await shop()
  const numbers = ['a', 'b', 'c']
  const answers = await Promise.all(numbers.map((number) => tax.transactions.create(sale(number))))
  expect(paths).toEqual([BATCH])
  expect(answers.map(({ external_id, tax_amount }) => [external_id, tax_amount])).toEqual(
    numbers.map((number) => [number, 1_900]),
  )
  expect(await tax.transactions.get(String(answers[1]?.id))).toMatchObject({ external_id: 'b' })
})

it('refuses one sale as a call of its own would, and records the others', async () => {
  const { tax } = await shop()
  const [first, again] = await Promise.allSettled([
    tax.transactions.create(sale('a')),
    tax.transactions.create(sale('a')),
  ])
  expect(first.status).toBe('fulfilled')
  const alone = await tax.transactions.create(sale('a'), {}).catch((error: unknown) => error)
  expect(alone).toBeInstanceOf(ApiError)
  const { message, reason, status, errors } = alone as ApiError
  expect(again).toMatchObject({ status: 'rejected', reason: { message, reason, status, errors } })
})

it('sends alone what a batch cannot have or cannot protect', async () => {
  const { tax, paths } = await shop()
  await tax.transactions.create(sale(undefined))
  await tax.transactions.create(sale('many', 41))
  await tax.transactions.create(sale('keyed'), { idempotencyKey: 'own' })
  expect(paths).toEqual([SINGLE, SINGLE, SINGLE])
})

it('sends a full batch at once', async () => {
  const { tax, paths } = await shop({ most: 2, wait: 1_000_000 })
  await Promise.all(['a', 'b', 'c', 'd'].map((number) => tax.transactions.create(sale(number))))
  expect(paths).toEqual([BATCH, BATCH])
})

it('fails each call if no answer comes, and goes on with the next ones', async () => {
  const { tax, line } = await shop()
  line.broken = true
  const lost = await Promise.allSettled(['a', 'b'].map((number) => tax.transactions.create(sale(number))))
  expect(lost.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  line.broken = false
  expect(await tax.transactions.create(sale('a'))).toMatchObject({ external_id: 'a' })
})
