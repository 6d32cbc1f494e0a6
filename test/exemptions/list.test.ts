import { keepAccountsIn } from '../support/shards.ts'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { exemptionsStatement } from '../../src/exemptions/list-store.ts'
import { newAccount } from '../support/account.ts'
import { call } from '../support/service.ts'
import { loadTestData } from '../support/service-data.ts'

const { books } = keepAccountsIn(1)

await loadTestData()

const Page = z.looseObject({
  exemptions: z.array(z.looseObject({ certificate_number: z.string() })),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
})

async function list(key: string, query: string) {
  const answer = await call('GET', `/v1/exemptions?${query}`, { key })
  expect(answer.status, answer.text).toBe(200)
  const page = Page.parse(answer.body)
  return { ...page, numbers: page.exemptions.map(({ certificate_number }) => certificate_number) }
}

/** An account with two customers, each with certificates, newest last. */
async function accountWithCertificates(): Promise<string> {
  const { key } = await newAccount()
  for (const [name, numbers] of [
    ['Acme', ['A-1', 'A-2']],
    ['Bolt', ['B-1']],
  ] as const) {
    const customer = await call('POST', '/v1/customers', { key, body: { name, external_id: `crm-${name}` } })
    for (const certificate_number of numbers)
      await call('POST', `/v1/customers/${String(customer.body['id'])}/exemptions`, {
        key,
        body: {
          jurisdiction_id: 'US-WA',
          exemption_type: 'resale',
          certificate_number,
          valid_from: '2026-01-01',
        },
      })
  }
  return key
}

describe('GET /v1/exemptions', () => {
  it('lists the certificates of all customers of the account, newest first, with their customers', async () => {
    const key = await accountWithCertificates()
    await accountWithCertificates()
    const all = await list(key, '')
    expect(all).toMatchObject({ numbers: ['B-1', 'A-2', 'A-1'], has_more: false, next_cursor: null })
    expect(all.exemptions[0]).toMatchObject({ customer_name: 'Bolt', customer_external_id: 'crm-Bolt' })
    const first = await list(key, 'limit=2')
    expect(first).toMatchObject({ numbers: ['B-1', 'A-2'], has_more: true })
    expect((await list(key, `limit=2&cursor=${first.next_cursor}`)).numbers).toEqual(['A-1'])
  })

  it('is filtered by status', async () => {
    const key = await accountWithCertificates()
    const [newest] = (await list(key, '')).exemptions
    const path = `/v1/customers/${String(newest?.['customer_id'])}/exemptions/${String(newest?.['id'])}`
    await call('PUT', path, { key, body: { status: 'verified' } })
    expect((await list(key, 'status=pending')).numbers).toEqual(['A-2', 'A-1'])
    expect((await list(key, 'status=verified')).numbers).toEqual(['B-1'])
    const refused = await call('GET', '/v1/exemptions?status=good', { key })
    expect(refused.status).toBe(400)
  })

  it.each([
    [{}, 'exemptions_of_account'],
    [{ status: 'pending' as const }, 'exemptions_by_status'],
  ])('%o is read by the index %s', async (filter, index) => {
    const { sql, values } = exemptionsStatement(filter)
    const { results } = await books
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .bind('acc_1', ...values, 10)
      .all<{ detail: string }>()
    const plan = results.map(({ detail }) => detail).join('; ')
    expect(plan).toContain(`SEARCH exemption USING INDEX ${index}`)
    expect(plan).not.toContain('TEMP B-TREE')
  })
})
