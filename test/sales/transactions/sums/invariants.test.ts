import { keepAccountsIn } from '../../../support/shards.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { verifyTotals } from '../../../../scripts/verify/totals.ts'
import { newAccount } from '../../../support/account.ts'
import { call } from '../../../support/service.ts'
import { loadTestData } from '../../../support/service-data.ts'
import { CALCULATED, GIVEN } from '../sales.ts'

const { books } = keepAccountsIn(1)

await loadTestData()

type Known = { id: string; status: string; total: number; refunded: number }

const bodies = fc.record({
  base: fc.constantFrom<object>(GIVEN, CALCULATED, {
    ...CALCULATED,
    customer: { address: { country: 'FR' } },
    currency: 'EUR',
  }),
  status: fc.constantFrom('pending', 'completed'),
  transaction_date: fc.constantFrom('2025-12-31', '2026-01-01', '2026-10-02', '2026-11-20T23:59:59.999Z'),
})
const steps = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('create' as const), body: bodies }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('batch' as const),
      items: fc.array(bodies, { minLength: 1, maxLength: 10 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('refund' as const),
      pick: fc.nat(),
      share: fc.double({ min: 0, max: 1.2, noNaN: true }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('void' as const, 'complete' as const), pick: fc.nat() }),
  },
)

it(
  'keeps totals and counts equal to the transactions through thousands of random operations',
  { timeout: 120_000 },
  async () => {
    const { key, account_id } = await newAccount()
    const known: Known[] = []
    const learn = (data: Record<string, unknown>) =>
      known.push({
        id: String(data['id']),
        status: String(data['status']),
        total: Number(data['total']),
        refunded: 0,
      })
    const flatten = ({ base, ...rest }: { base: object }) => ({ ...base, ...rest })
    let operations = 0

    for (const step of fc.sample(steps, { numRuns: 1_000, seed: 20_261_121 })) {
      operations += 1
      if (step.kind === 'create')
        learn((await call('POST', '/v1/transactions', { key, body: flatten(step.body) })).body)
      else if (step.kind === 'batch') {
        const answer = await call('POST', '/v1/transactions/batch', {
          key,
          body: { transactions: step.items.map(flatten) },
        })
        operations += step.items.length
        for (const { data } of answer.body['results'] as { data: Record<string, unknown> }[]) learn(data)
      } else {
        const target = known[step.pick % Math.max(known.length, 1)]
        if (target === undefined) continue
        if (step.kind === 'refund')
          await refund(key, target, Math.max(1, Math.round(target.total * step.share)))
        else await move(key, target, step.kind)
      }
    }
    expect(operations).toBeGreaterThan(2_000)

    for (const span of ['day', 'month'])
      expect(await kept(account_id, span)).toEqual(await recomputed(account_id, span === 'day' ? 10 : 7))
    expect(await verifyTotals(books, account_id)).toEqual([])
    await expectSummary(key, account_id)
    const over = await books
      .prepare('SELECT count(*) AS n FROM transactions WHERE account_id = ? AND amount_refunded > total')
      .bind(account_id)
      .first()
    expect(over).toEqual({ n: 0 })
    const { results } = await books
      .prepare('SELECT status, count(*) AS n FROM transactions WHERE account_id = ? GROUP BY status')
      .bind(account_id)
      .all<{ status: string; n: number }>()
    for (const { status, n } of results)
      expect((await call('GET', `/v1/transactions?status=${status}&limit=1`, { key })).body['total']).toBe(n)
  },
)

/** The summary that the API gives is the sum over the transactions that it lists. */
async function expectSummary(key: string, account_id: string): Promise<void> {
  const { body } = await call('GET', '/v1/reports/summary?from_date=2025-01-01&to_date=9999-12-31', { key })
  const { results } = await books
    .prepare(
      `SELECT currency, count(*) AS transactions, sum(subtotal) AS gross_sales, sum(tax_amount) AS tax_collected, sum(tax_refunded) AS tax_refunded
     FROM transactions WHERE account_id = ? AND status IN ('completed', 'refunded') GROUP BY currency ORDER BY currency`,
    )
    .bind(account_id)
    .all()
  expect(body['totals']).toMatchObject(results)
}

/** A status only moves as the specification lets it. */
async function refund(key: string, target: Known, amount: number): Promise<void> {
  const { status } = await call('POST', `/v1/transactions/${target.id}/refund`, {
    key,
    body: { amount, reason: 'returned' },
  })
  const allowed =
    (target.status === 'completed' || target.status === 'refunded') &&
    target.refunded + amount <= target.total
  expect(status).toBe(allowed ? 200 : 400)
  if (allowed) Object.assign(target, { status: 'refunded', refunded: target.refunded + amount })
}

async function move(key: string, target: Known, verb: 'void' | 'complete'): Promise<void> {
  const { status } = await call('POST', `/v1/transactions/${target.id}/${verb}`, { key })
  expect(status).toBe(target.status === 'pending' ? 200 : 400)
  if (target.status === 'pending') target.status = verb === 'void' ? 'voided' : 'completed'
}

const SUMS = `sum(transactions) AS transactions, sum(net_amount) AS net, sum(taxable_amount) AS taxable, sum(tax_amount) AS tax,
  sum(refunds) AS refunds, sum(refunded_net_amount) AS refunded_net, sum(refunded_tax_amount) AS refunded_tax`

async function kept(account_id: string, span: string) {
  const sql = `SELECT period, jurisdiction_id, currency, ${SUMS} FROM tax_totals WHERE account_id = ? AND span = ? GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`
  return (await books.prepare(sql).bind(account_id, span).all()).results
}

/**
 * The same from the transactions and the refunds themselves, by a statement that shares nothing with the one
 * that keeps the totals.
 */
async function recomputed(account_id: string, length: number) {
  const sql = `WITH parts AS (
      SELECT substr(transaction_date, 1, ?2) AS period, id, jurisdiction_id, currency, 1 AS transactions, subtotal AS net_amount,
        (SELECT sum(taxable_amount) FROM transaction_lines WHERE transaction_id = transactions.id) AS taxable_amount, tax_amount,
        0 AS refunds, 0 AS refunded_net_amount, 0 AS refunded_tax_amount
      FROM transactions WHERE account_id = ?1 AND status IN ('completed', 'refunded')
      UNION ALL
      SELECT substr(refunded_at, 1, ?2), refunds.id, jurisdiction_id, currency, 0, 0, 0, 0, 1, amount - refunds.tax_amount, refunds.tax_amount
      FROM refunds JOIN transactions ON transactions.id = transaction_id WHERE refunds.account_id = ?1)
    SELECT period, jurisdiction_id, currency, ${SUMS} FROM parts GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`
  return (await books.prepare(sql).bind(account_id, length).all()).results
}
