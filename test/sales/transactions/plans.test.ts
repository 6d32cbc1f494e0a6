import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { unchecked } from '../../../src/platform/database/databases.ts'
import { app } from '../../../src/service/app.ts'
import { newAccount } from '../../support/account.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'

keepAccountsIn(0)
await loadTestData()

const SALE = {
  customer: { address: { country: 'DE', postal_code: '10115' } },
  currency: 'EUR',
  line_items: [{ amount: 1_000, product_type: 'saas' }],
}
const REFUND = { amount: 10, reason: 'partial' }

/** The statements that requests make one after the other. `{id}`: of the sale that the first one records. */
async function statementsOf(
  key: string,
  requests: readonly (readonly [string, string, object?])[],
): Promise<Set<string>> {
  const statements = new Set<string>()
  const DB = new Proxy(env.DB, {
    get(db, name) {
      const member: unknown = Reflect.get(db, name)
      if (typeof member !== 'function') return member
      return (...values: unknown[]) => {
        if (name === 'prepare') statements.add(String(values[0]))
        return member.apply(db, values) as unknown
      }
    },
  })
  let id = ''
  for (const [method, path, body] of requests) {
    const context = createExecutionContext()
    const request = new Request(`https://service.test${path.replace('{id}', id)}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer = await app.fetch(request, { ...env, DB }, context)
    const found = await answer.json<{ id?: string }>()
    await waitOnExecutionContext(context)
    expect(answer.ok, `${method} ${path}: ${JSON.stringify(found)}`).toBe(true)
    if (id === '') id = found.id ?? ''
  }
  return statements
}

/** How many values a statement gets. */
function parametersOf(sql: string): number {
  let last = 0
  for (const [, number] of sql.replaceAll(/'[^']*'/g, '').matchAll(/\?(\d*)/g))
    last = Math.max(last, number === '' ? last + 1 : Number(number))
  return last
}

it('reads no other sales of the account to read or write one', async () => {
  const { key } = await newAccount()
  const named = { ...SALE, external_id: 'one' }
  const statements = await statementsOf(key, [
    ['POST', '/v1/transactions', named],
    ['GET', '/v1/transactions/{id}'],
    ['GET', '/v1/transactions/{id}?explain=true'],
    ['GET', '/v1/transactions/external/one'],
    [
      'PUT',
      '/v1/transactions/external/one',
      { ...named, line_items: [{ amount: 5, product_type: 'books' }] },
    ],
    ['POST', '/v1/transactions', { ...SALE, external_id: 'two' }],
    ['POST', '/v1/transactions/batch', { transactions: [{ ...SALE, external_id: 'three' }] }],
    ['GET', '/v1/transactions?q=three'],
  ])
  for (const request of ['two', 'three']) {
    const sale = await env.DB.prepare('SELECT id FROM transactions WHERE external_id = ?')
      .bind(request)
      .first('id')
    const path = `/v1/transactions/${String(sale)}/refund`
    for (const each of await statementsOf(key, [['POST', path, REFUND]])) statements.add(each)
  }
  expect(statements.size).toBeGreaterThan(20)
  const wide: string[] = []
  for (const sql of statements) {
    // The least or largest entry of an index is found at once, which the plan does not say.
    if (!/\btransactions\b/.test(sql) || /\bmin\(currency\)/.test(sql)) continue
    const values = Array.from({ length: parametersOf(sql) }, () => null)
    const explained = unchecked(env.DB).prepare(`EXPLAIN QUERY PLAN ${sql}`)
    const { results } = await explained.bind(...values).all<{ detail: string }>()
    const found = results.filter(({ detail }) => /\btransactions_\w+ \(account_id=\?\)$/.test(detail))
    wide.push(...found.map(({ detail }) => `${detail}: ${sql}`))
  }
  expect(wide).toEqual([])
})
