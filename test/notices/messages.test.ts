import { keepAccountsIn } from '../support/shards.ts'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertSweptEvents } from '../../src/notices/events/events.ts'
import { callWith } from '../faults/faulty.ts'
import { newAccount } from '../support/account.ts'
import { listening } from '../support/queues.ts'
import { loadTestData } from '../support/service-data.ts'
import { subscribe } from './subscribing.ts'

keepAccountsIn(0)
beforeAll(loadTestData)

const SALE = {
  customer: { address: { country: 'DE', postal_code: '10115' } },
  currency: 'EUR',
  line_items: [{ amount: 10_000, product_type: 'saas', tax_rate: 0.19, tax_amount: 1_900 }],
}

/** Events of another account whose messages were lost, or whose queue is slow. */
async function waitingEvents(count: number): Promise<void> {
  const { account_id } = await newAccount()
  const events = Array.from({ length: count }, (_, index) => ({
    type: 'webhook.disabled' as const,
    account_id,
    data: {
      webhook_id: `wh_${index}`,
      url: 'https://x.example.com/',
      consecutive_failures: 5,
      last_failed_at: null,
    },
  }))
  await env.DB.batch(insertSweptEvents(env.DB, events, new Date()))
}

const ask = (key: string, path: string, body?: object, method = 'POST') => {
  const { queue, heard } = listening()
  const bindings = { ...env, WEBHOOK_EVENTS: queue }
  return callWith(bindings, key, { method, path, body }).then((answer) => ({
    answer,
    heard,
  }))
}

/** The types of the events that the messages name. */
async function typesOf(messages: readonly { id: string }[]): Promise<string[]> {
  const { results } = await env.DB.prepare(
    'SELECT type FROM events WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id',
  )
    .bind(JSON.stringify(messages.map(({ id }) => id)))
    .all<{ type: string }>()
  return results.map(({ type }) => type)
}

describe('a write sends messages for the events that it wrote, and for no others', () => {
  it('a sale, a refund and a batch, while 600 events of others wait', async () => {
    await waitingEvents(600)
    const { key } = await subscribe([
      'transaction.created',
      'transaction.refunded',
      'transaction.refund_deleted',
    ])
    const sale = await ask(key, '/v1/transactions', SALE)
    expect(sale.answer.status, sale.answer.text).toBe(201)
    expect(await typesOf(sale.heard)).toEqual(['transaction.created'])
    const path = `/v1/transactions/${String(sale.answer.body['id'])}/refund`
    const refund = await ask(key, path, { amount: 100, reason: 'returned' })
    expect(await typesOf(refund.heard)).toEqual(['transaction.refunded'])
    const { id } = refund.answer.body['refund'] as { id: string }
    const deleted = await ask(key, `${path}s/${id}`, undefined, 'DELETE')
    expect(await typesOf(deleted.heard)).toEqual(['transaction.refund_deleted'])
    const batch = await ask(key, '/v1/transactions/batch', { transactions: [SALE, SALE, SALE] })
    expect(batch.heard).toHaveLength(3)
    expect(new Set(batch.heard.map(({ id }) => id)).size).toBe(3)
  })

  it('none for an account that does not listen', async () => {
    const { key } = await newAccount()
    const { answer, heard } = await ask(key, '/v1/transactions', SALE)
    expect(answer.status).toBe(201)
    expect(heard).toEqual([])
  })
})
