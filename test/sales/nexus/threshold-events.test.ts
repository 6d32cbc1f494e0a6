import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { shardOf } from '../../../src/platform/database/shards.ts'
import {
  announcePage,
  announceThresholds,
  goOnAnnouncing,
} from '../../../src/sales/nexus/announce-thresholds.ts'
import type { QueueMessage } from '../../../src/platform/queue/messages.ts'
import { newAccount } from '../../support/account.ts'
import { interceptedDatabase } from '../../support/intercepted-database.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'

const { books } = keepAccountsIn(1)
const shard = shardOf(env, 1)

await loadTestData()

type Body = Record<string, unknown>

/** A German shop that sells to Texas, whose threshold is 500,000 USD in the last twelve months. */
async function seller() {
  const account = await newAccount({ tier: 'enterprise' })
  const { key } = account
  await call('PUT', '/v1/account', { key, body: { country: 'DE', time_zone: 'UTC' } })
  return account
}

async function sell(
  key: string,
  amount: number,
  transaction_date: string,
  to: object = TEXAS,
  product_type = 'physical_goods',
) {
  const body = {
    currency: 'USD',
    transaction_date,
    customer: { address: to },
    line_items: [{ amount, product_type }],
  }
  const sale = await call('POST', '/v1/transactions', { key, body })
  expect(sale.status, sale.text).toBe(201)
}
const TEXAS = { country: 'US', region: 'TX' }

/** The job of the night after a day on which the account recorded something. */
const night = (now = new Date()) => announceThresholds(env, shard, now)

const told = async (account_id: string) =>
  (
    await books
      .prepare(
        `SELECT type, data FROM events WHERE owner_account_id = ? AND type LIKE 'threshold.%' ORDER BY id`,
      )
      .bind(account_id)
      .all<{ type: string; data: string }>()
  ).results.map(({ type, data }) => ({ type, ...(JSON.parse(data) as Body) }))

const today = () => new Date().toISOString().slice(0, 10)

describe('the events of thresholds', () => {
  it('tell once that sales approach a threshold, and once that they passed it', async () => {
    const { key, account_id } = await seller()
    await sell(key, 42_500_000, today())
    await night()
    expect(await told(account_id)).toEqual([])
    await sell(key, 100, today())
    await night()
    await night()
    const approaching = {
      type: 'threshold.approaching',
      jurisdiction_id: 'US-TX',
      jurisdiction_name: 'Texas',
      threshold_type: 'REMOTE_SELLER_NEXUS',
      threshold_amount: 50_000_000,
      amount: 42_500_100,
      transaction_count: 2,
      currency: 'USD',
      ratio: 0.850002,
      measured_to: today(),
    }
    expect(await told(account_id)).toMatchObject([approaching])
    await sell(key, 10_000_000, today())
    await night()
    await night()
    expect(await told(account_id)).toMatchObject([
      approaching,
      { type: 'threshold.exceeded', jurisdiction_id: 'US-TX', amount: 52_500_100 },
    ])
  })

  it('tell the passing alone if sales jump over a threshold', async () => {
    const { key, account_id } = await seller()
    await sell(key, 60_000_000, today())
    await night()
    expect(await told(account_id)).toMatchObject([{ type: 'threshold.exceeded' }])
  })

  it('tell nothing of a place where the seller is registered, and nothing to others', async () => {
    const { key, account_id } = await seller()
    const other = await seller()
    const body = { jurisdiction_id: 'US-TX', valid_from: '2020-01-01' }
    expect((await call('POST', '/v1/registrations', { key, body })).status).toBe(201)
    await sell(key, 60_000_000, today())
    await sell(other.key, 100, today())
    await night()
    expect(await told(account_id)).toEqual([])
    expect(await told(other.account_id)).toEqual([])
  })

  it('tell nothing of a threshold that depends on an unknown worldwide turnover, until it is set', async () => {
    const { key, account_id } = await seller()
    await sell(key, 100, today(), { country: 'CH' }, 'saas')
    await night()
    expect(await told(account_id)).toEqual([])
    const global_turnover = { amount: 10_000_000, currency: 'CHF' }
    await call('PUT', '/v1/account', { key, body: { global_turnover } })
    await sell(key, 100, today(), { country: 'CH' }, 'saas')
    await night()
    expect(await told(account_id)).toMatchObject([{ type: 'threshold.exceeded', jurisdiction_id: 'CH' }])
  })

  it('tell the distance sales of the Union as one threshold', async () => {
    const { key, account_id } = await seller()
    await sell(key, 9_000_000, today(), { country: 'FR' })
    await night()
    expect(await told(account_id)).toMatchObject([
      { type: 'threshold.exceeded', jurisdiction_id: 'EU', threshold_type: 'DISTANCE_SALES' },
    ])
  })

  it('tell again if sales fell below a threshold and rise above it again', async () => {
    const { key, account_id } = await seller()
    await sell(key, 60_000_000, today())
    await night()
    // More than a year later, on the first day of a month, the sales no longer count.
    const later = new Date(Date.UTC(new Date().getUTCFullYear() + 2, 0, 1, 3, 17))
    await night(later)
    expect(await told(account_id)).toHaveLength(1)
    const states = 'SELECT count(*) AS n FROM threshold_states WHERE account_id = ?'
    expect(await books.prepare(states).bind(account_id).first<number>('n')).toBe(0)
    await night(new Date(Date.now() + 86_400_000))
    expect(await told(account_id)).toHaveLength(2)
  })

  it('look at accounts that recorded something, and at all on the first day of a month', async () => {
    const { key, account_id } = await seller()
    await sell(key, 60_000_000, today())
    const month = new Date()
    await night(new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 15, 3, 17)))
    expect(await told(account_id)).toEqual([])
    await night(new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 2, 1, 3, 17)))
    expect(await told(account_id)).toHaveLength(1)
  })

  it('are among the events of the account', async () => {
    const { key } = await seller()
    await sell(key, 60_000_000, today())
    await night()
    const listed = await call('GET', '/v1/events?type=threshold.exceeded', { key })
    expect(listed.body['events']).toMatchObject([
      { type: 'threshold.exceeded', data: { jurisdiction_id: 'US-TX' } },
    ])
  })
})

/** Bindings whose queue keeps the messages, or loses them. */
function listening(): { bindings: typeof env; asked: QueueMessage[] } {
  const asked: QueueMessage[] = []
  const send = async (message: QueueMessage) => {
    asked.push(message)
    return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } }
  }
  return { bindings: { ...env, WEBHOOK_EVENTS: { ...env.WEBHOOK_EVENTS, send } }, asked }
}

const cursor = () =>
  books.prepare("SELECT after FROM job_cursors WHERE name = 'announceThresholds'").first<string>('after')

/** Begins a run that has measured nobody. */
const begin = (first: string) =>
  books.prepare("INSERT INTO job_cursors (name, after) VALUES ('announceThresholds', ?)").bind(first).run()

it('a shard with many accounts is measured in several invocations, each with few queries', async () => {
  const sellers = [await seller(), await seller(), await seller()]
  for (const { key } of sellers) await sell(key, 60_000_000, today())
  const { bindings, asked } = listening()
  let trips = 0
  const counted = interceptedDatabase(shard.books, async (trip) => {
    trips += 1
    return trip()
  })
  await begin('active ')
  let next: string | null = 'active '
  for (let runs = 1; next !== null; runs += 1) {
    expect(runs).toBeLessThan(100)
    trips = 0
    await announcePage(bindings, { ...shard, books: counted }, new Date(), next, 1)
    expect(trips).toBeLessThanOrEqual(22)
    next = asked.splice(0).at(-1)?.id ?? null
  }
  for (const { account_id } of sellers)
    expect(await told(account_id)).toMatchObject([{ type: 'threshold.exceeded', jurisdiction_id: 'US-TX' }])
  expect(await cursor()).toBeNull()
})

it('goes on in the next tick when a message is lost, and a message that comes twice is done once', async () => {
  const { account_id, key } = await seller()
  await sell(key, 60_000_000, today())
  const { bindings, asked } = listening()
  await begin('active ')
  await announcePage(bindings, shard, new Date(), 'active ', 1)
  const [lost] = asked.splice(0)
  expect(await told(account_id)).toEqual([])
  for (let ticks = 0; (await cursor()) !== null; ticks += 1) {
    expect(ticks).toBeLessThan(100)
    await goOnAnnouncing(bindings, shard)
    const [found] = asked.splice(0)
    if (ticks === 0) expect(found).toEqual(lost)
    await announcePage(bindings, shard, new Date(), String(found?.id), 1)
    // The message after it is lost, too.
    asked.splice(0)
    await announcePage(bindings, shard, new Date(), String(found?.id), 1)
    expect(asked).toEqual([])
  }
  expect(await told(account_id)).toHaveLength(1)
  await goOnAnnouncing(bindings, shard)
  expect(asked).toEqual([])
})

it('on the first day of a month begins with all accounts, whatever is left of the night before', async () => {
  await begin('active zzz')
  const { account_id, key } = await seller()
  await sell(key, 60_000_000, today())
  const now = new Date()
  await night(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1, 3, 17)))
  expect(await told(account_id)).toHaveLength(1)
  expect(await cursor()).toBeNull()
})

it('one account whose sums are too large does not silence the others', async () => {
  const [first, second] = [await seller(), await seller()]
  for (let index = 0; index < 9; index += 1) await sell(first.key, 1_000_000_000_000_000, today())
  const more = { currency: 'USD', transaction_date: today(), customer: { address: TEXAS } }
  const line_items = [{ amount: 1_000_000_000_000_000, product_type: 'saas' }]
  await call('POST', '/v1/transactions', { key: first.key, body: { ...more, line_items } })
  await sell(second.key, 60_000_000, today())
  await night()
  expect(await told(second.account_id)).toMatchObject([{ type: 'threshold.exceeded' }])
})
