import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { ROUTES } from '../../src/interfaces/routes.ts'
import { callWith, withDatabase } from '../faults/faulty.ts'
import { newAccount } from '../support/account.ts'
import { call } from '../support/service.ts'
import { loadTestData } from '../support/service-data.ts'
import { keepAccountsIn } from '../support/shards.ts'

keepAccountsIn(0)
beforeAll(loadTestData)

type Body = Record<string, unknown>
/** What a PUT changes: a way to make the resource, and two updates of different fields. */
type Fixture = { make: (key: string) => Promise<string>; one: Body; other: Body }

async function made(key: string, path: string, body: Body): Promise<string> {
  const answer = await call('POST', path, { key, body })
  expect(answer.status, answer.text).toBe(201)
  return `${path}/${String(answer.body['id'])}`
}

const customer = (key: string) => made(key, '/v1/customers', { name: 'Ann' })

/** Each PUT needs an entry here, and the test below names one that has none. */
const FIXTURES: Readonly<Record<string, Fixture>> = {
  '/v1/account': {
    make: async () => '/v1/account',
    one: { country: 'DE' },
    other: { name: 'Acme' },
  },
  '/v1/account/messages': {
    make: async () => '/v1/account/messages',
    one: { hour: 17 },
    other: { kinds: { rate_changed: false } },
  },
  '/v1/customers/:id': { make: customer, one: { name: 'Bea' }, other: { email: 'bea@example.com' } },
  '/v1/customers/:id/exemptions/:exemption_id': {
    make: async (key) => {
      const certificate = { jurisdiction_id: 'US-TX', exemption_type: 'resale', certificate_number: 'C-1' }
      return made(key, `${await customer(key)}/exemptions`, { ...certificate, valid_from: '2026-01-01' })
    },
    one: { status: 'verified' },
    other: { valid_to: '2027-01-01' },
  },
  '/v1/people/:id': {
    make: (key) => made(key, '/v1/people', { email: 'kim@example.com', name: 'Kim', role: 'auditor' }),
    one: { name: 'Kim Example' },
    other: { role: 'filer' },
  },
  '/v1/registrations/:id': {
    make: (key) => made(key, '/v1/registrations', { jurisdiction_id: 'US-TX', valid_from: '2026-01-01' }),
    one: { valid_to: '2027-01-01' },
    other: { registration_number: '32-1' },
  },
  '/v1/returns/:id/submission': {
    make: async (key) => {
      const submission = { state: 'filed', day: '2026-02-03' }
      const filed = await made(key, '/v1/returns', { type: 'generic', period: '2026-01', submission })
      return `${filed}/submission`
    },
    one: { number: 'A-4711' },
    other: { note: 'Sent by post' },
  },
  '/v1/webhooks/:id': {
    make: (key) =>
      made(key, '/v1/webhooks', { url: 'https://hooks.example.com/a', events: ['sync.completed'] }),
    one: { url: 'https://hooks.example.com/b' },
    other: { events: ['rate.updated'] },
  },
}

// A file, the own rates of a place, a decision about an obligation and an invoice that is saved again are replaced
// as a whole: no field of another writer is lost.
const WHOLE = new Set([
  '/v1/obligations/:id',
  '/v1/account/own-rates/:id',
  '/v1/transactions/external/:external_id',
])
const PUTS = ROUTES.filter(
  ({ method, file, path }) => method === 'put' && file === null && !WHOLE.has(path),
).map(({ path }) => path)

it('every PUT has a fixture', () => {
  expect(Object.keys(FIXTURES).toSorted()).toEqual(PUTS.toSorted())
})

describe.each(PUTS)('two writers of PUT %s', (path) => {
  it('each keep their fields, wherever the second comes between the trips of the first', async () => {
    const fixture = FIXTURES[path]
    if (fixture === undefined) throw new Error(`no fixture of ${path}`)
    const { make, one, other } = fixture
    for (let at = 0; ; at += 1) {
      const { key } = await newAccount()
      const url = await make(key)
      let trips = 0
      // The last trips are behind the answer, which does not wait for them.
      let second: ReturnType<typeof callWith> | null = null
      const bindings = withDatabase(async (trip) => {
        const here = trips === at
        trips += 1
        if (here) {
          second = callWith(env, key, { method: 'PUT', path: url, body: other })
          await second
        }
        return trip()
      })
      const first = await callWith(bindings, key, { method: 'PUT', path: url, body: one })
      expect(first.status, first.text).toBe(200)
      const after = await (second as ReturnType<typeof callWith> | null)
      if (after === null) break
      expect(after.status, after.text).toBe(200)
      const { body } = await call('GET', readOf(url), { key })
      expect(foundIn(body, path), `before trip ${at}`).toMatchObject({ ...one, ...other })
    }
  })
})

/** An exemption is read with its customer, and a submission with its return. */
function readOf(url: string): string {
  return url.replace(/\/(exemptions\/.*|submission)$/, '')
}

function foundIn(body: Body, path: string): unknown {
  if (path.endsWith('/submission')) return body['submission']
  return path.includes(':exemption_id') ? (body['exemptions'] as object[])[0] : body
}
