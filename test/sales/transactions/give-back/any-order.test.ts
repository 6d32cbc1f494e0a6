import fc from 'fast-check'
import { expect, it } from 'vitest'
import { verifyTotals } from '../../../../scripts/verify/totals.ts'
import { newAccount } from '../../../support/account.ts'
import { type Answer, call } from '../../../support/service.ts'
import { loadTestData } from '../../../support/service-data.ts'
import { keepAccountsIn } from '../../../support/shards.ts'

const { books } = keepAccountsIn(1)

await loadTestData()

type Body = Record<string, unknown>
type Line = { id: string; net_amount: number; product_type: string }
type Move = { kind: (typeof KINDS)[number]; sale: number; line: number; amount: number }

const KINDS = [
  'prepayment',
  'final',
  'pending final',
  'refund',
  'refund of a line',
  'rest',
  'credit note',
  'pending note',
  'complete',
  'void',
  'delete a refund',
] as const

const moves = fc.array(
  fc.record({
    kind: fc.constantFrom(...KINDS),
    sale: fc.nat({ max: 20 }),
    line: fc.nat({ max: 3 }),
    amount: fc.integer({ min: 1, max: 9_999 }),
  }),
  { minLength: 6, maxLength: 14 },
)

const refund = (id: unknown, body: object): [string, string, object] => [
  'POST',
  `/v1/transactions/${String(id)}/refund`,
  { reason: 'x', ...body },
]

/** The request of a move; null: there is no sale for it yet. */
function requestOf(
  sales: readonly Body[],
  { kind, sale: at, line, amount }: Move,
): [string, string, object] | null {
  const product_type = line % 2 === 0 ? 'physical_goods' : 'books'
  const shared = { customer: { address: { country: 'DE' } }, currency: 'EUR', transaction_date: '2026-02-02' }
  const lines = [{ product_type, amount }]
  if (kind === 'prepayment') return ['POST', '/v1/transactions', { ...shared, line_items: lines }]
  const sale = sales[at % Math.max(sales.length, 1)]
  if (sale === undefined) return null
  const path = `/v1/transactions/${String(sale['id'])}`
  const own = sale['line_items'] as Line[]
  const named = own[line % own.length] as Line
  if (kind === 'final' || kind === 'pending final') {
    const line_items = [...lines, { product_type: 'books', amount: 777 }]
    const settles = [{ transaction_id: sale['id'] }]
    const status = kind === 'final' ? 'completed' : 'pending'
    return ['POST', '/v1/transactions', { ...shared, line_items, settles, status }]
  }
  if (kind === 'credit note' || kind === 'pending note') {
    const credited = { product_type: named.product_type, amount: -amount, reference: named.id }
    const status = kind === 'credit note' ? 'completed' : 'pending'
    const credit_note_for = { transaction_id: sale['id'] }
    return ['POST', '/v1/transactions', { ...shared, line_items: [credited], credit_note_for, status }]
  }
  if (kind === 'refund') return refund(sale['id'], { amount })
  if (kind === 'refund of a line') return refund(sale['id'], { line_items: [{ id: named.id, amount }] })
  if (kind === 'rest') return refund(sale['id'], { rest: true })
  if (kind === 'complete' || kind === 'void') return ['POST', `${path}/${kind}`, {}]
  const [first] = sale['refunds'] as { id: string }[]
  return first === undefined ? null : ['DELETE', `${path}/refunds/${first.id}`, {}]
}

async function listed(key: string): Promise<Body[]> {
  const { body } = await call('GET', '/v1/transactions?limit=100', { key })
  return (body['transactions'] as Body[]).toSorted((a, b) => (String(a['id']) < String(b['id']) ? -1 : 1))
}

async function netTax(key: string): Promise<number> {
  const path = '/v1/reports/summary?from_date=2026-01-01&to_date=2099-12-31'
  const { totals } = (await call('GET', path, { key })).body as { totals: { net_tax: number }[] }
  return totals.reduce((sum, { net_tax }) => sum + net_tax, 0)
}

/** Ends all that is pending, and gives back the rest of each sale, final sales before what they settle. */
async function giveAllBack(key: string): Promise<void> {
  const sales = (await listed(key)).toReversed()
  for (const { id, status } of sales)
    if (status === 'pending') await call('POST', `/v1/transactions/${String(id)}/void`, { key })
  for (const { id, credited_sale } of sales) {
    if (credited_sale !== null) continue
    const [method, path, body] = refund(id, { rest: true })
    await call(method, path, { key, body })
  }
}

it('keeps the tax of what stays supplied, whatever comes in whatever order and at once', async () => {
  const statuses = new Set<number>()
  await fc.assert(
    fc.asyncProperty(moves, async (plan) => {
      const { key, account_id } = await newAccount()
      await call('PUT', '/v1/account', { key, body: { country: 'DE', time_zone: 'UTC' } })
      await call('POST', '/v1/registrations', {
        key,
        body: { jurisdiction_id: 'DE', valid_from: '2020-01-01' },
      })
      for (let index = 0; index < plan.length; index += 2) {
        const sales = await listed(key)
        const asked = plan.slice(index, index + 2).flatMap((move) => {
          const request = requestOf(sales, move)
          return request === null ? [] : [request]
        })
        const answers: Answer[] = await Promise.all(
          asked.map(([method, path, body]) => call(method, path, { key, body })),
        )
        for (const { status, text } of answers) {
          expect(status, text).toBeLessThan(500)
          statuses.add(status)
        }
        expect(await netTax(key)).toBeGreaterThanOrEqual(0)
      }
      await giveAllBack(key)
      expect(await netTax(key)).toBe(0)
      expect(await verifyTotals(books, account_id)).toEqual([])
    }),
    { numRuns: 15 },
  )
  expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 400]))
}, 120_000)
