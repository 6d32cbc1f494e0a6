import { expect } from 'vitest'

type Wanted = { method: string; path: string; body?: object }
type Answered = { status: number; body: Record<string, unknown> }
export type Ask = (wanted: Wanted, headers?: Record<string, string>) => Promise<Answered>

/** A request that writes. `prepare` makes what it needs, with the key of an account of its own. */
export type Writer = {
  name: string
  prepare: (ask: Ask) => Promise<Wanted>
  /** A PUT of all settings, or what needs no key: the audit log has an event each time. */
  repeats?: boolean
}

const made = async (ask: Ask, path: string, body: object = {}): Promise<Record<string, unknown>> => {
  const answer = await ask({ method: 'POST', path, body })
  expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBe(201)
  return answer.body
}
const idOf = async (ask: Ask, path: string, body?: object) => String((await made(ask, path, body))['id'])
const put = async (ask: Ask, path: string, body: object) => {
  const answer = await ask({ method: 'PUT', path, body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
}

const GERMAN = { country: 'DE', vat_id: 'DE136695976' }
const SALE = {
  currency: 'EUR',
  customer: { address: { country: 'DE' } },
  transaction_date: '2026-02-03',
  line_items: [{ amount: 10_000, product_type: 'saas' }],
}
const TO_BUSINESS = { ...SALE, customer: { address: { country: 'IE' }, vat_id: 'IE6388047V' } }
const PERSON = { email: 'kim@example.com', name: 'Kim', role: 'accountant' }
const CERTIFICATE = { jurisdiction_id: 'US-TX', certificate_number: 'c-1', valid_from: '2026-01-01' }

async function linkOf(ask: Ask): Promise<{ request: string; url: string }> {
  const request = `/v1/customers/${await idOf(ask, '/v1/customers', { name: 'Ada' })}/certificate-request`
  return { request, url: String((await made(ask, request))['url']) }
}

const file = (name: string) => new Blob([`%PDF-1.4\n${name}\n`], { type: 'application/pdf' })

async function handedIn(ask: Ask): Promise<Wanted> {
  const { url } = await linkOf(ask)
  const form = new FormData()
  const typed = { ...CERTIFICATE, reason_code: 'G', valid_to: '' }
  for (const [field, value] of Object.entries(typed)) form.set(field, value)
  form.set('document', file('A certificate'), 'certificate.pdf')
  return { method: 'POST', path: new URL(url, 'http://any.test').pathname, body: form }
}

const post = (path: string, body: object = {}): Wanted => ({ method: 'POST', path, body })
const remove = (path: string): Wanted => ({ method: 'DELETE', path })

async function toTell(ask: Ask): Promise<string> {
  const person = await idOf(ask, '/v1/people', PERSON)
  await put(ask, '/v1/account/messages', { recipients: [person], hour: 9 })
  return person
}

/** The writers of what people, customers and offices get, and of the books. */
export const WRITERS: readonly Writer[] = [
  { name: 'a sale', prepare: async () => post('/v1/transactions', SALE) },
  {
    name: 'a refund',
    prepare: async (ask) =>
      post(`/v1/transactions/${await idOf(ask, '/v1/transactions', SALE)}/refund`, {
        amount: 100,
        reason: 'Returned',
      }),
  },
  {
    name: 'a filed return',
    prepare: async (ask) => {
      await made(ask, '/v1/transactions', SALE)
      return post('/v1/returns', { type: 'generic', period: '2026-02' })
    },
  },
  {
    name: 'settings of messages',
    repeats: true,
    prepare: async (ask) => {
      const recipients = [await idOf(ask, '/v1/people', PERSON)]
      return { method: 'PUT', path: '/v1/account/messages', body: { recipients, hour: 7 } }
    },
  },
  {
    name: 'a test of messages',
    repeats: true,
    prepare: async (ask) => {
      await toTell(ask)
      return post('/v1/account/messages/test')
    },
  },
  { name: 'a new person', prepare: async () => post('/v1/people', PERSON) },
  {
    name: 'a changed person',
    prepare: async (ask) => ({
      method: 'PUT',
      path: `/v1/people/${await idOf(ask, '/v1/people', PERSON)}`,
      body: { role: 'auditor' },
    }),
  },
  {
    name: 'a removed person who gets messages',
    prepare: async (ask) => remove(`/v1/people/${await toTell(ask)}`),
  },
  {
    name: 'a new link',
    prepare: async (ask) => {
      const { request } = await linkOf(ask)
      return post(request, { expires_in_days: 5 })
    },
  },
  { name: 'a revoked link', prepare: async (ask) => remove((await linkOf(ask)).request) },
  { name: 'a certificate by a link', prepare: handedIn },
  {
    name: 'a bulk check',
    prepare: async () => post('/v1/vat/checks', { vat_ids: ['IE6388047V', 'DE 136.695.976', 'x1'] }),
  },
  {
    name: 'a return that is set aside',
    prepare: async (ask) => {
      await made(ask, '/v1/registrations', { jurisdiction_id: 'US-TX', valid_from: '2026-01-01' })
      return { method: 'PUT', path: '/v1/obligations/obl_US-TX_2026-03', body: { set_aside: 'On paper' } }
    },
  },
  {
    name: 'a filed statement',
    prepare: async (ask) => {
      await put(ask, '/v1/account', GERMAN)
      const registration = { jurisdiction_id: 'DE', valid_from: '2026-01-01', filing_frequency: 'quarterly' }
      await made(ask, '/v1/registrations', registration)
      await made(ask, '/v1/transactions', TO_BUSINESS)
      const filed = { day: '2026-04-24', number: 'ZM-1' }
      return { method: 'PUT', path: '/v1/obligations/obl_DE_2026-Q1_ec_sales_list', body: { filed } }
    },
  },
  { name: 'the address of a calendar', prepare: async () => post('/v1/obligations/calendar') },
  {
    name: 'the file of a certificate',
    prepare: async (ask) => {
      const customer = await idOf(ask, '/v1/customers', { name: 'Ada' })
      const exemption = { ...CERTIFICATE, exemption_type: 'other' }
      const id = await idOf(ask, `/v1/customers/${customer}/exemptions`, exemption)
      return { method: 'PUT', path: `/v1/exemptions/${id}/document`, body: file('Another one') }
    },
  },
  { name: 'a new key', prepare: async () => post('/v1/api-keys', { scopes: ['tax:read'] }) },
]
