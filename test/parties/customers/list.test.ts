import { keepAccountsIn } from '../../support/shards.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'

const { books } = keepAccountsIn(1)

const { key, account_id } = await newAccount()
const names: string[] = []
const ids: string[] = []

beforeAll(async () => {
  for (let n = 0; n < 7; n += 1) {
    const body = { name: `n${n}`, email: n % 3 === 0 ? 'shared@example.com' : `n${n}@example.com` }
    names.unshift(body.name)
    ids.unshift(String((await call('POST', '/v1/customers', { key, body })).body['id']))
  }
  const insert = books.prepare(
    `INSERT INTO exemptions (id, account_id, customer_id, jurisdiction_id, exemption_type, certificate_number, valid_from, status, created_at, updated_at)
     VALUES (?, ?, ?, 'US', 'resale', 'C-1', '2026-01-01', 'pending', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`,
  )
  await books.batch([
    insert.bind('exm_1', account_id, ids[0] ?? ''),
    insert.bind('exm_2', account_id, ids[0] ?? ''),
    insert.bind('exm_3', account_id, ids[4] ?? ''),
  ])
})

const page = async (query: string) => (await call('GET', `/v1/customers?${query}`, { key })).body
const namesOf = ({ customers }: Record<string, unknown>) =>
  Array.isArray(customers) ? customers.map(({ name }) => name) : []

describe('the list of customers', () => {
  it('shows the newest first, 50 a page, each with its own exemptions', async () => {
    const all = await page('')
    expect(all).toMatchObject({ total: 7, limit: 50, offset: 0, has_more: false, next_cursor: null })
    expect(namesOf(all)).toEqual(names)
    expect(all['customers']).toMatchObject([
      { exemptions: [{ id: 'exm_2' }, { id: 'exm_1' }] },
      { exemptions: [] },
      {},
      {},
      { exemptions: [{ id: 'exm_3' }] },
      {},
      {},
    ])
  })

  it('is paged by offset', async () => {
    expect(namesOf(await page('limit=3'))).toEqual(names.slice(0, 3))
    expect(namesOf(await page('limit=3&offset=3'))).toEqual(names.slice(3, 6))
    const last = await page('limit=3&offset=6')
    expect(namesOf(last)).toEqual(names.slice(6))
    expect(last).toMatchObject({ has_more: false, next_cursor: null, total: 7 })
    expect(await page('offset=100')).toMatchObject({ customers: [], total: 7, has_more: false })
  })

  it('is paged by cursor, and shows nobody twice when customers are added meanwhile', async () => {
    const { key: own } = await newAccount()
    const add = async (name: string) => call('POST', '/v1/customers', { key: own, body: { name } })
    for (const name of ['a', 'b', 'c', 'd', 'e']) await add(name)
    const seen: unknown[] = []
    let cursor = ''
    do {
      const { body } = await call('GET', `/v1/customers?limit=2${cursor}`, { key: own })
      seen.push(...namesOf(body))
      await add('later')
      cursor = body['has_more'] === true ? `&cursor=${String(body['next_cursor'])}` : ''
    } while (cursor !== '')
    expect(seen).toEqual(['e', 'd', 'c', 'b', 'a'])
  })

  it('finds an e-mail by exactly the same text', async () => {
    const found = await page('email=shared@example.com&limit=2')
    expect(namesOf(found)).toEqual(['n6', 'n3'])
    expect(found).toMatchObject({ total: 3, has_more: true, next_cursor: ids[3] })
    expect(namesOf(await page(`email=shared@example.com&cursor=${ids[3]}`))).toEqual(['n0'])
    for (const email of [
      'SHARED@example.com',
      'shared@example.co',
      'shared%25',
      '%25@example.com',
      '_hared@example.com',
      '',
      '%20',
    ])
      expect(await page(`email=${email}`)).toMatchObject({ customers: [], total: 0 })
    const tagged = await call('POST', '/v1/customers', { key, body: { email: 'a+b@example.com' } })
    expect((await page('email=a%2Bb@example.com'))['customers']).toMatchObject([{ id: tagged.body['id'] }])
    await call('DELETE', `/v1/customers/${String(tagged.body['id'])}`, { key })
  })

  it.each([
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=1.5',
    'limit=abc',
    'limit=',
    'offset=-1',
    'offset=1e3',
    'cursor=x',
    'cursor=txn_1',
    'name=n1',
  ])('is refused with %s', async (query) => {
    const refused = await call('GET', `/v1/customers?${query}`, { key })
    expect(refused.status).toBe(400)
    expect(refused.body['errors']).toMatchObject([{ path: query.split('=')[0] }])
  })

  it('is refused with both a cursor and an offset', async () => {
    expect((await page(`cursor=${ids[3]}&offset=1`))['errors']).toMatchObject([{ path: 'offset' }])
  })
})
