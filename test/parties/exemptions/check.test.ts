import { keepAccountsIn } from '../../support/shards.ts'
import { createExecutionContext, createMessageBatch, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { expireExemptions } from '../../../src/parties/exemptions/expire.ts'
import { runJobs } from '../../../src/service/jobs.ts'
import { newAccount } from '../../support/account.ts'
import { interceptedDatabase } from '../../support/intercepted-database.ts'
import { listening } from '../../support/queues.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import worker from '../../support/worker.ts'

const { books } = keepAccountsIn(2)

await loadTestData()

async function newExemption(
  body: object,
  status = 'verified',
): Promise<{ key: string; customer: string; id: string; path: string }> {
  const { key } = await newAccount()
  const customer = String((await call('POST', '/v1/customers', { key, body: { name: 'Ada' } })).body['id'])
  const path = `/v1/customers/${customer}/exemptions`
  const exemption = {
    exemption_type: 'resale',
    certificate_number: 'C-1',
    jurisdiction_id: 'US',
    valid_from: '2026-01-01',
    ...body,
  }
  const id = String((await call('POST', path, { key, body: exemption })).body['id'])
  if (status !== 'pending') await call('PUT', `${path}/${id}`, { key, body: { status } })
  return { key, customer, id, path }
}

describe('the check of an exemption', () => {
  it('says which one applies', async () => {
    const { key, customer, id, path } = await newExemption({
      jurisdiction_id: 'US-CA',
      valid_to: '2026-12-31',
    })
    const { body } = await call('GET', `${path}/check?jurisdiction_id=us-ca&date=2026-06-15`, { key })
    expect(body).toMatchObject({
      customer_id: customer,
      jurisdiction_id: 'US-CA',
      is_exempt: true,
      exemption: {
        id,
        exemption_type: 'resale',
        status: 'verified',
        valid_from: '2026-01-01',
        valid_to: '2026-12-31',
      },
    })
    expect(body['checked_at']).toMatch(/Z$/)
  })

  it.each([
    ['US', 'US-CA', true],
    ['US', 'US', true],
    ['US-CA', 'US-CA', true],
    ['US-CA', 'US', false],
    ['US-CA', 'US-NY', false],
    ['CA', 'US-CA', false],
    ['CA', 'CA-QC', true],
    ['CA-QC', 'CA', false],
  ])('takes one for %s in %s: %s', async (jurisdiction_id, asked, is_exempt) => {
    const { key, path } = await newExemption({ jurisdiction_id })
    const { body } = await call('GET', `${path}/check?jurisdiction_id=${asked}`, { key })
    expect(body['is_exempt']).toBe(is_exempt)
    expect('exemption' in body).toBe(is_exempt)
  })

  it.each([
    ['2025-12-31', false],
    ['2026-01-01', true],
    ['2026-03-31', true],
    ['2026-04-01', false],
  ])('counts the first and the last day: %s is %s', async (date, is_exempt) => {
    const { key, path } = await newExemption({ valid_to: '2026-03-31' })
    expect(
      (await call('GET', `${path}/check?jurisdiction_id=US&date=${date}`, { key })).body['is_exempt'],
    ).toBe(is_exempt)
  })

  it.each(['pending', 'rejected', 'expired'])('does not count one that is %s', async (status) => {
    const { key, path } = await newExemption({}, status)
    expect((await call('GET', `${path}/check?jurisdiction_id=US`, { key })).body['is_exempt']).toBe(false)
  })

  it.each([
    ['', 'jurisdiction_id'],
    ['jurisdiction_id=US-ZZ', 'jurisdiction_id'],
    ['jurisdiction_id=', 'jurisdiction_id'],
    ['jurisdiction_id=constructor', 'jurisdiction_id'],
    ['jurisdiction_id=US&date=2026-02-30', 'date'],
    ['jurisdiction_id=US&date=today', 'date'],
    ['jurisdiction_id=US&day=2026-01-01', 'day'],
    ['jurisdiction_id=US&jurisdiction_id=CA', 'jurisdiction_id'],
  ])('refuses ?%s', async (query, field) => {
    const { key, path } = await newExemption({})
    const refused = await call('GET', `${path}/check?${query}`, { key })
    expect(refused.status).toBe(400)
    expect(refused.body['errors']).toMatchObject([{ path: field }])
  })
})

describe('the daily expiry', () => {
  const statusOf = async (key: string, path: string) => (await call('GET', path, { key })).body['exemptions']

  it('comes when the last day is over in every time zone, and not before', async () => {
    const { key, id, path } = await newExemption({ valid_to: '2026-03-31' })
    await expireExemptions(books, new Date('2026-04-01T11:59:59.999Z'))
    expect(await statusOf(key, path)).toMatchObject([{ status: 'verified' }])
    await expireExemptions(books, new Date('2026-04-01T12:00:00.000Z'))
    expect(await statusOf(key, path)).toMatchObject([
      { status: 'expired', updated_at: '2026-04-01T12:00:00.000Z' },
    ])
    const log = await call('GET', `/v1/audit-events?resource_id=${id}`, { key })
    expect(log.body['audit_events']).toHaveLength(3)
    expect(log.body['audit_events']).toContainEqual(
      expect.objectContaining({
        action: 'exemption.expired',
        key_id: 'system',
        changed: ['status', 'ended_on'],
        resource_id: id,
      }),
    )
  })

  it.each([
    ['an open end', { valid_to: null }, 'verified'],
    ['an end to come', { valid_to: '2099-12-31' }, 'verified'],
    ['a past end, while pending', { valid_to: '2026-03-31' }, 'pending'],
    ['a past end, rejected before', { valid_to: '2026-03-31' }, 'rejected'],
  ])('leaves one with %s alone', async (_, body, status) => {
    const { key, path } = await newExemption(body, status)
    await expireExemptions(books, new Date('2026-11-20T03:17:00Z'))
    expect(await statusOf(key, path)).toMatchObject([{ status }])
  })

  it('leaves one alone that is rejected at the same moment, without an audit event', async () => {
    const { key, id, path } = await newExemption({ valid_to: '2026-03-31' })
    let trips = 0
    const db = interceptedDatabase(books, async (trip) => {
      trips += 1
      // Between the read and the change.
      if (trips === 2) await call('PUT', `${path}/${id}`, { key, body: { status: 'rejected' } })
      return trip()
    })
    await expireExemptions(db, new Date('2026-11-20T03:17:00Z'))
    expect(trips).toBeGreaterThan(1)
    expect(await statusOf(key, path)).toMatchObject([{ status: 'rejected' }])
    const { body } = await call('GET', `/v1/audit-events?resource_id=${id}`, { key })
    expect(JSON.stringify(body)).not.toContain('exemption.expired')
  })

  it('works through more than a page, one audit event each, and finds nothing the second time', async () => {
    const { account_id, key } = await newAccount()
    const customer = String((await call('POST', '/v1/customers', { key, body: { name: 'Ada' } })).body['id'])
    const numbers = JSON.stringify(Array.from({ length: 2_001 }, (_, n) => n))
    await books
      .prepare(
        `INSERT INTO exemptions (id, account_id, customer_id, jurisdiction_id, exemption_type, certificate_number, valid_from, valid_to, status, created_at, updated_at)
       SELECT 'exm_many_' || value, ?, ?, 'US', 'other', 'C', '2025-01-01', '2025-12-31', 'verified', '', '' FROM json_each(?)`,
      )
      .bind(account_id, customer, numbers)
      .run()
    const count = async (sql: string) =>
      books.prepare(`SELECT count(*) AS n FROM ${sql}`).bind(account_id).first('n')
    for (let run = 0; run < 2; run += 1) {
      await expireExemptions(books, new Date('2026-01-02T03:17:00Z'))
      expect(await count(`exemptions WHERE account_id = ? AND status = 'expired'`)).toBe(2_001)
      expect(await count(`audit_events WHERE account_id = ? AND action = 'exemption.expired'`)).toBe(2_001)
    }
  })

  it('runs by itself once a day', async () => {
    const { key, path } = await newExemption({ valid_to: '2026-03-31' })
    const { queue, heard } = listening()
    await runJobs('17 3 * * *', { ...env, WEBHOOK_EVENTS: queue }, new Date('2026-11-20T03:17:00Z'))
    // Each shard runs its jobs in an invocation of its own.
    const messages = heard.map((body, id) => ({ id: String(id), timestamp: new Date(), attempts: 1, body }))
    const context = createExecutionContext()
    await worker.queue(createMessageBatch<unknown>('webhook-events', messages), env, context)
    await waitOnExecutionContext(context)
    expect(await statusOf(key, path)).toMatchObject([{ status: 'expired' }])
  })
})
