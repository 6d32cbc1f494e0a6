import { describe, expect, it, vi } from 'vitest'
import { ROUTES } from '../../src/interfaces/routes.ts'
import { newAccount } from '../support/account.ts'
import { call } from '../support/service.ts'
import { loadTestData } from '../support/service-data.ts'
import { DOCUMENT } from './written.ts'

// An example recovers the events since a day that is at most 30 days ago.
vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T12:00:00Z') })
await loadTestData()
const { key } = await newAccount()

const exampleOf = (method: string, path: string) =>
  ROUTES.find((route) => route.method === method && route.path === path)?.example
const make = async (path: string) =>
  String((await call('POST', path, { key, body: exampleOf('post', path) })).body['id'])

const customer = await make('/v1/customers')
const exemption = String(
  (
    await call('POST', `/v1/customers/${customer}/exemptions`, {
      key,
      body: exampleOf('post', '/v1/customers/:id/exemptions'),
    })
  ).body['id'],
)
const { to_confirm } = (await call('GET', '/v1/metadata/reviews', { key })).body
const ids: Record<string, string> = {
  reviews: encodeURIComponent((to_confirm as { id: string }[])[0]?.id ?? ''),
  customers: customer,
  transactions: await make('/v1/transactions'),
  registrations: await make('/v1/registrations'),
  'api-keys': await make('/v1/api-keys'),
  accounts: await make('/v1/accounts'),
  people: await make('/v1/people'),
  webhooks: await make('/v1/webhooks'),
  returns: await make('/v1/returns'),
  obligations: 'obl_US-CA_2026-Q1',
  'own-rates': 'IL',
  checks: await make('/v1/vat/checks'),
}

const withBody = ROUTES.filter((route) => route.body !== null).map((route) => ({
  route,
  name: `${route.method.toUpperCase()} ${route.path}`,
}))

describe.each(withBody)('the example of $name', ({ route }) => {
  it('is in the document and works as it stands', async () => {
    expect(route.example).not.toBeNull()
    const path = route.path
      .replace(':exemption_id', exemption)
      .replace(/(?<=\/([\w-]+)\/):id/, (_, folder: string) => ids[folder] ?? '')
    const taken =
      ['/v1/customers', '/v1/people', '/v1/transactions', '/v1/returns'].includes(route.path) &&
      route.method === 'post'
    const answer = await call(route.method.toUpperCase(), path, {
      key: taken ? (await newAccount()).key : key,
      body: route.example,
    })
    expect(answer.status, answer.text).toBe(route.status)
    expect(JSON.stringify(DOCUMENT)).toContain(JSON.stringify(route.example))
  })
})
