import { env, exports } from 'cloudflare:workers'
import { afterAll, expect, it, vi } from 'vitest'
import {
  type AccountEvent,
  type EventOf,
  type EventType,
  NAMED_ONLY,
} from '../../src/notices/events/event-types.ts'
import {
  jurisdictionAdded,
  localRatesUpdated,
  webhookDisabled,
  rateUpdated,
  ruleUpdated,
  syncCompleted,
  thresholdUpdated,
} from '../../src/notices/events/events.ts'
import { REGION_IDS } from '../../src/platform/regions.ts'
import { recordRun } from '../../src/tax-data/status/store.ts'
import { newId } from '../../src/platform/database/ids.ts'
import { eventOperationId, SENT_EVENTS } from '../../scripts/openapi/event-bodies.ts'
import { PUBLIC_ROUTES, ROUTES } from '../../src/interfaces/routes.ts'
import { writeFreshness } from '../../src/tax-data/status/sync-state.ts'
import { publishRateBook } from '../../src/tax-data/records/current-rate-book.ts'
import { applyFacts } from '../../src/tax-data/records/apply-facts.ts'
import { rateBookAt } from '../support/books.ts'
import { newAccount } from '../support/account.ts'
import { AUTHORITY_HOST } from '../support/authority-server.ts'
import { call, newAddress } from '../support/service.ts'
import { reviewOfTheBritishRate } from '../support/reviews.ts'
import { testFacts } from '../support/service-data.ts'
import { eventBody } from '../../src/notices/delivery/attempt.ts'
import { challengeEvent } from '../../src/notices/delivery/challenge-event.ts'
import { keepRefusedOrder } from '../../src/interfaces/saleor/refused-orders-store.ts'
import { attempt, deliveriesOf, happen, letters } from '../notices/subscribing.ts'
import { settled, shortened } from './settled.ts'
import { DOCUMENT } from './written.ts'
import { keepAccountsIn } from '../support/shards.ts'

keepAccountsIn(0)
/**
 * The examples of the document are what the service answers here, in a file for each tag.
 * `npm run openapi:examples` writes them anew; otherwise an answer that differs from its example fails.
 */
const NOW = new Date('2026-11-21T12:00:00Z')
/** A threshold, and the days of the sales that are compared with it. */
const TEXAS = {
  jurisdiction_id: 'US-TX',
  jurisdiction_name: 'Texas',
  threshold_type: 'REMOTE_SELLER_NEXUS',
  threshold_amount: 50_000_000,
  threshold_transactions: null,
  transaction_count: 812,
  currency: 'USD',
  measured_from: '2025-11-22',
  measured_to: '2026-11-21',
}

const VERIFIED_AT = '2026-11-20T00:00:00.000Z'
const HOST = 'hooks.example.com'

vi.useFakeTimers({ toFake: ['Date'], now: NOW })
afterAll(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const written = new Map<string, unknown>()
await prepare()
const { key, account_id } = await newAccount({ account: 'Acme' })
await tellStory()

it('tells an example of every operation and of every event', () => {
  expect([...written.keys()].toSorted()).toEqual(
    [
      ...ROUTES.map(({ operation }) => operation),
      ...PUBLIC_ROUTES.map(({ operation }) => operation),
      ...SENT_EVENTS.map(({ type }) => eventOperationId(type)),
    ].toSorted(),
  )
})

it.each([...Map.groupBy(written.keys(), tagOf)])(
  'those of %s are as they are written down',
  async (tag, ids) => {
    // A line for each answer, so that a change of one changes one line.
    const lines = ids.toSorted().map((id) => `${JSON.stringify(id)}: ${JSON.stringify(written.get(id))}`)
    const name = tag.toLowerCase().replaceAll(' ', '-')
    await expect(`{\n${lines.join(',\n')}\n}\n`).toMatchFileSnapshot(
      `../../scripts/openapi/examples/${name}.json`,
    )
  },
)

/** The tag of an operation or an event. */
function tagOf(id: string): string {
  const all = [...Object.values(DOCUMENT.paths), ...Object.values(DOCUMENT.webhooks)]
  const found = all.flatMap((methods) => Object.values(methods)).find(({ operationId }) => operationId === id)
  return found?.tags[0] ?? 'unknown'
}

/** Tax data that was verified yesterday, and collectors that have run. */
async function prepare(): Promise<void> {
  const facts = testFacts()
  for (const list of [facts.jurisdictions, facts.rates, facts.product_rules, facts.thresholds])
    for (const fact of list) fact.last_verified_at = VERIFIED_AT
  await applyFacts(env.DB, facts, new Date(VERIFIED_AT), 'shipped data')
  await publishRateBook(env.DB, env.KV, NOW)
  for (const region of REGION_IDS) {
    const run = {
      id: newId('run'),
      region,
      started_at: '2026-11-21T01:10:00.000Z',
      duration_ms: 1_830,
      outcome: 'confirmed' as const,
      documents: [{ url: 'https://source.example/rates', bytes: 20_480, sha256: 'ab'.repeat(32) }],
      records_seen: 84,
      records_confirmed: 84,
      records_changed: 0,
      records_added: 0,
      records_held: 0,
      sources: [{ part: 'Rates', source: 'An example', fallback: false, others: [] }],
      data_version: null,
      error: null,
    }
    await env.DB.batch(recordRun(env.DB, run, new Date('2026-11-21T01:10:02Z')))
    await writeFreshness(env, region)
  }
  // What the queues would do at some moment is done here when it is due.
  const metadata = { metrics: { backlogCount: 0, backlogBytes: 0 } }
  vi.spyOn(env.WEBHOOK_EVENTS, 'send').mockResolvedValue({ metadata })
  vi.spyOn(env.WEBHOOK_DELIVERIES, 'sendBatch').mockResolvedValue({ metadata })
  await authoritySays({ valid: true, name: 'EXAMPLE LIMITED', address: 'DUBLIN', requestIdentifier: '' })
}

async function authoritySays(answer: object): Promise<void> {
  await fetch(`https://${AUTHORITY_HOST}/any/rest`, {
    method: 'PUT',
    body: JSON.stringify({ body: JSON.stringify(answer) }),
  })
}

/** Calls every operation, in an order in which each has something to answer. */
async function tellStory(): Promise<void> {
  await tellOfTheSeller()
  await tellOfExampleBooks()
  await tellOfCustomers()
  await tellOfTaxes()
  await tellOfTransactions()
  await tellOfShops()
  await tellOfWebhooks()
  await tellOfData()
  await tellOfChangedSale()
}

/** Last, because other answers show the refund and the sale. */
async function tellOfChangedSale(): Promise<void> {
  const { body } = await call('GET', '/v1/transactions/external/order-1001', { key })
  const { id, refund } = body as { id: string; refund: { id: string } }
  await tell('delete', '/v1/transactions/:id/refunds/:refund_id', { id, refund_id: refund.id })
  await tell('put', '/v1/transactions/external/:external_id', { external_id: 'order-1001' })
}

async function tellOfTheSeller(): Promise<void> {
  await tell('put', '/v1/account')
  await tell('put', '/v1/account/messages')
  await tell('get', '/v1/account/messages')
  await tell('post', '/v1/account/messages/test')
  await tell('put', '/v1/account/own-rates/:id', { id: 'IL' })
  await tell('get', '/v1/account/own-rates')
  await tell('get', '/v1/account/own-rates/:id', { id: 'IL' })
  await tell('delete', '/v1/account/own-rates/:id', { id: 'IL' })
  await tell('get', '/v1/account')
  const id = await tell('post', '/v1/api-keys')
  await tell('get', '/v1/api-keys')
  await tell('get', '/v1/api-keys/current')
  await tell('post', '/v1/api-keys/:id/rotate', { id })
  await tell('delete', '/v1/api-keys/:id', { id })
  const seller = { id: await tell('post', '/v1/accounts') }
  await tell('get', '/v1/accounts')
  await tell('get', '/v1/accounts/:id', seller)
  await tell('get', '/v1/accounts/external/:external_id', { external_id: 'seller-1001' })
  await tell('post', '/v1/accounts/:id/api-keys', seller)
  const person = { id: await tell('post', '/v1/people') }
  await tell('get', '/v1/people')
  await tell('get', '/v1/people/:id', person)
  await tell('put', '/v1/people/:id', person)
  await tell('delete', '/v1/people/:id', person)
  const registration = { id: await tell('post', '/v1/registrations') }
  await tell('get', '/v1/registrations')
  await tell('get', '/v1/registrations/:id', registration)
  await tell('put', '/v1/registrations/:id', registration)
  await tell('delete', '/v1/registrations/:id', registration)
  await make('/v1/registrations', { scheme: 'oss_union', valid_from: '2026-01-01' })
  await make('/v1/registrations', { jurisdiction_id: 'US-WA', valid_from: '2026-01-01' })
}

async function tellOfExampleBooks(): Promise<void> {
  const { key: caller } = await newAccount({ account: 'Acme tests', sandbox: true })
  await tell('post', '/v1/account/example-books', {}, '', caller)
  await tell('delete', '/v1/account/example-books', {}, '', caller)
}

async function tellOfCustomers(): Promise<void> {
  const id = await tell('post', '/v1/customers')
  const exemption_id = await tell('post', '/v1/customers/:id/exemptions', { id })
  await tell('put', '/v1/customers/:id/exemptions/:exemption_id', { id, exemption_id })
  await tell('get', '/v1/customers/:id/exemptions', { id })
  await tell('post', '/v1/customers/:id/certificate-request', { id })
  await tell('get', '/v1/customers/:id/certificate-request', { id })
  await tell('delete', '/v1/customers/:id/certificate-request', { id })
  await tell('get', '/v1/exemptions', {}, '?status=verified')
  await tell('put', '/v1/exemptions/:id/document', { id: exemption_id })
  await tell('get', '/v1/exemptions/:id/document', { id: exemption_id })
  await tell('delete', '/v1/exemptions/:id/document', { id: exemption_id })
  await tell('get', '/v1/customers/:id/exemptions/check', { id }, '?jurisdiction_id=US-CA&date=2026-11-21')
  await tell('get', '/v1/customers')
  await tell('get', '/v1/customers/external/:external_id', { external_id: 'crm-1001' })
  await tell('put', '/v1/customers/:id', { id })
  await tell('post', '/v1/vat/validate-customer/:customer_id', { customer_id: id })
  await tell('get', '/v1/customers/:id', { id })
  await tell('delete', '/v1/customers/:id/exemptions/:exemption_id', { id, exemption_id })
  await tell('delete', '/v1/customers/:id', { id })
}

async function tellOfTaxes(): Promise<void> {
  await tell('post', '/v1/calculate')
  await tell('post', '/v1/calculate/batch')
  await tell('get', '/v1/rates', {}, '?jurisdiction=FR')
  await tell('get', '/v1/thresholds', {}, '?jurisdiction=US-CA')
  await tell('post', '/v1/decision/collect')
  await tell('get', '/v1/metadata/product-types')
  await tell('post', '/v1/vat/validate')
  await tell('get', '/v1/vat/format-check', {}, '?vat_id=DE136695976')
  await tell('get', '/v1/vat/countries')
  await tellVatCheck()
  await tell('post', '/v1/addresses/validate')
  await tell('get', '/v1/addresses/countries')
  await tell('get', '/v1/addresses/regions/:country', { country: 'AU' })
}

async function tellVatCheck(): Promise<void> {
  const id = await tell('post', '/v1/vat/checks')
  await tell('get', '/v1/vat/checks/:id', { id })
  await tell('get', '/v1/vat/checks/:id/results', { id })
  await tell('get', '/v1/vat/checks/:id/report', { id })
}

async function tellOfTransactions(): Promise<void> {
  const id = await tell('post', '/v1/transactions')
  await tell('post', '/v1/transactions/batch')
  await tell('post', '/v1/transactions/:id/refund', { id })
  await tell('get', '/v1/transactions/:id', { id })
  await tell('get', '/v1/transactions/external/:external_id', { external_id: 'order-1001' })
  await tell('get', '/v1/transactions', {}, '?limit=1')
  const sale = (country: string, region: string | null, amount: number, status: string) => ({
    customer: { address: { country, region } },
    currency: country === 'US' ? 'USD' : 'EUR',
    line_items: [{ amount, product_type: 'saas' }],
    status,
  })
  const pending = sale('FR', null, 10_000, 'pending')
  await tell('post', '/v1/transactions/:id/complete', { id: await make('/v1/transactions', pending) })
  await tell('post', '/v1/transactions/:id/void', { id: await make('/v1/transactions', pending) })
  await make('/v1/transactions', sale('US', 'WA', 9_200_000, 'completed'))
  await tell('get', '/v1/nexus')
  await tell('get', '/v1/overview', {}, '?months=3')
  const year = 'from_date=2026-01-01&to_date=2026-12-31'
  await tell('get', '/v1/reports/summary', {}, `?${year}`)
  await tell('get', '/v1/reports/tax-variance', {}, `?${year}`)
  await tell('get', '/v1/reports/transactions', {}, `?${year}&limit=2`)
  await tell('get', '/v1/reports/lines', {}, `?${year}&limit=2`)
  await tell('get', '/v1/reports/oss-records', {}, `?scheme=oss_union&${year}&limit=1`)
  await tell('get', '/v1/reports/filing', {}, '?type=oss_union&period=2026-Q4')
  await tell('get', '/v1/obligations', {}, '?from=2027-01-01&to=2027-01-31')
  await tell('put', '/v1/obligations/:id', { id: 'obl_oss_union_2026-Q4' })
  await tell('post', '/v1/obligations/calendar')
  await tell('get', '/v1/obligations/calendar')
  await tell('delete', '/v1/obligations/calendar')
  await tell('get', '/v1/reports/export', {}, `?report=summary&${year}`)
  await tell('get', '/v1/reports/filing/file', {}, '?type=oss_union&period=2026-Q4&format=csv')
  await tellOfAccountEvents()
  const filed = { id: await tell('post', '/v1/returns') }
  await tell('get', '/v1/returns')
  await tell('get', '/v1/returns/:id', filed)
  await tell('get', '/v1/returns/:id/rows', filed, '?limit=2')
  await tell('get', '/v1/returns/:id/hashed-rows', filed)
  await tell('get', '/v1/returns/reconciliation', {}, '?type=oss_union')
  await tell('get', '/v1/returns/:id/file', filed, '?format=csv')
  await tell('put', '/v1/returns/:id/submission', filed)
  await tell('post', '/v1/returns/:id/reopen', filed)
  await tell('post', '/v1/returns/batch')
}

async function tellOfShops(): Promise<void> {
  const id = await tell('post', '/v1/saleor/installs')
  await tell('get', '/v1/saleor/installs')
  const order_id = 'T3JkZXI6MTAwMQ=='
  await keepRefusedOrder(
    env.DB,
    { id, account_id },
    { order_id, number: '1001', reason: 'invalid_postal_code', field: 'customer.address.postal_code' },
    NOW.toISOString(),
  )
  await tell('get', '/v1/saleor/installs/:id/refused-orders', { id })
  await tell('delete', '/v1/saleor/installs/:id/refused-orders/:order_id', { id, order_id })
  await tell('delete', '/v1/saleor/installs/:id', { id })
}

async function tellOfWebhooks(): Promise<void> {
  const id = await tell('post', '/v1/webhooks')
  await tell('get', '/v1/webhooks')
  await tell('get', '/v1/webhooks/events/list')
  await tell('get', '/v1/webhooks/:id', { id })
  await tell('put', '/v1/webhooks/:id', { id })
  await tell('post', '/v1/webhooks/:id/rotate-secret', { id })
  await tell('post', '/v1/webhooks/:id/test', { id })
  const event_ids = new Set<string | undefined>()
  for (const event of Object.values(await sharedEvents())) {
    vi.setSystemTime(Date.now() + 1_000)
    event_ids.add(await happen(event, new Date()))
  }
  for (const delivery of await deliveriesOf(id)) await attempt(delivery.id, new Date(Date.now() + 1_000))
  for (const { headers, body } of await letters(HOST)) {
    // Other tests send to the same host.
    if (!event_ids.has(headers['x-service-event-id']) && !body.includes(id)) continue
    const event: { event: string } = JSON.parse(body)
    write(eventOperationId(event.event), event)
  }
  await tell('get', '/v1/webhooks/:id/deliveries', { id }, '?limit=1')
  const [delivery] = await deliveriesOf(id)
  await tell('get', '/v1/webhooks/:id/deliveries/:delivery_id', { id, delivery_id: String(delivery?.id) })
  await tell('post', '/v1/webhooks/:id/deliveries/:delivery_id/redeliver', {
    id,
    delivery_id: delivery?.id ?? '',
  })
  await tell('delete', '/v1/webhooks/:id', { id })
}

/** Events that only their account is told, and what a webhook can recover. */
async function tellOfAccountEvents(): Promise<void> {
  const events = ['*', ...NAMED_ONLY]
  const id = await make('/v1/webhooks', { url: `https://${HOST}/account`, events })
  for (const event of Object.values(accountEvents())) {
    vi.setSystemTime(Date.now() + 1_000)
    await happen(event, new Date())
  }
  for (const delivery of await deliveriesOf(id)) await attempt(delivery.id, new Date(Date.now() + 1_000))
  for (const { body } of (await letters(HOST)).filter(({ path }) => path === '/account')) {
    const event: { event: string } = JSON.parse(body)
    write(eventOperationId(event.event), event)
  }
  const challenge = { event_id: newId('evt'), ...challengeEvent(id), occurred_at: new Date().toISOString() }
  write(eventOperationId(challenge.type), JSON.parse(eventBody(challenge)))
  await tell('get', '/v1/events', {}, '?limit=2')
  await tell('post', '/v1/webhooks/:id/recover', { id })
}

/** An example of each of these events. The compiler names an event that has none. */
type ExamplesOf<Types extends EventType> = { [Type in Types]: EventOf<Type> }

/** Events that only their account is told. */
function accountEvents(): ExamplesOf<AccountEvent['type']> {
  const [transaction_id, customer_id] = [newId('txn'), newId('cust')]
  const exemption = {
    exemption_id: newId('exm'),
    customer_id,
    jurisdiction_id: 'US-CA',
    valid_to: '2026-12-21',
  }
  const dueReturn = {
    document: 'return' as const,
    registration_id: newId('reg'),
    jurisdiction_id: null,
    scheme: 'oss_union',
    type: 'oss_union',
    period: '2026-Q3',
    from_date: '2026-07-01',
    to_date: '2026-09-30',
    due_date: '2026-10-31',
    last_date: '2026-10-31',
  }
  const changed = { old_status: 'valid', new_status: 'invalid', checked_at: VERIFIED_AT } as const
  const amounts = { currency: 'USD', tax_amount: 725 }
  const sale = { external_id: 'order-1001', status: 'completed', jurisdiction_id: 'US-CA', total: 10_725 }
  const refund = { refund_id: newId('rfd'), amount: 10_725 }
  return {
    'webhook.disabled': webhookDisabled(
      { account_id, webhook_id: newId('wh'), url: `https://${HOST}/tax` },
      { consecutive_failures: 5, last_failed_at: VERIFIED_AT },
    ),
    'exemption.expiring': { type: 'exemption.expiring', account_id, data: exemption },
    'exemption.expired': { type: 'exemption.expired', account_id, data: exemption },
    'return.due': { type: 'return.due', account_id, data: dueReturn },
    'return.overdue': { type: 'return.overdue', account_id, data: dueReturn },
    'threshold.approaching': {
      type: 'threshold.approaching',
      account_id,
      data: { ...TEXAS, amount: 43_120_000, ratio: 0.8624 },
    },
    'threshold.exceeded': {
      type: 'threshold.exceeded',
      account_id,
      data: { ...TEXAS, amount: 50_010_000, ratio: 1.0002 },
    },
    'vat_id.changed': {
      type: 'vat_id.changed',
      account_id,
      data: { customer_id, country_code: 'IE', ...changed },
    },
    'transaction.created': {
      type: 'transaction.created',
      account_id,
      data: { transaction_id, ...sale, ...amounts },
    },
    'transaction.refunded': {
      type: 'transaction.refunded',
      account_id,
      data: { transaction_id, ...refund, ...amounts },
    },
    'transaction.refund_deleted': {
      type: 'transaction.refund_deleted',
      account_id,
      data: { transaction_id, ...refund, ...amounts },
    },
  }
}

/** Events as the collectors make them: the British rate and the threshold of California would change. */
async function sharedEvents(): Promise<ExamplesOf<Exclude<EventType, AccountEvent['type']>>> {
  const book = await rateBookAt(env, new Date())
  const rate = book.rates.get('GB')?.find((each) => each.category === 'standard')
  const threshold = book.thresholds.get('US-CA')?.[0]
  const jurisdiction = book.jurisdictions.get('ES-CN')
  const rule = book.product_rules.get('FR')?.get('newspapers')?.[0]
  if (rate === undefined || threshold === undefined || jurisdiction === undefined || rule === undefined)
    throw new Error('The shipped data lacks what the examples are made of')
  const from = { effective_from: '2027-01-01' }
  return {
    'rate.updated': rateUpdated('United Kingdom', rate, {
      ...rate,
      ...from,
      rate_millionths: rate.rate_millionths + 5_000,
    }),
    'threshold.updated': thresholdUpdated('California', threshold, {
      ...threshold,
      ...from,
      amount: 60_000_000,
    }),
    'rule.updated': ruleUpdated('France', rule, { ...rule, ...from, category: 'reduced' }),
    'jurisdiction.added': jurisdictionAdded(jurisdiction),
    'sync.completed': syncCompleted('AU', 0, 1_830),
    'local_rates.updated': localRatesUpdated(
      {
        jurisdiction_id: 'US-KS',
        jurisdiction_name: 'Local taxes of US-KS',
        source: 'Streamlined Sales Tax Governing Board, KSR2026Q4AUG19.zip',
        changed: 1,
        changes: [
          {
            jurisdiction_id: 'US-KS-38900',
            jurisdiction_name: 'Lawrence',
            old_rate: 0.0155,
            new_rate: 0.016,
            effective_from: '2026-10-01',
          },
        ],
      },
      '2026-10-01',
    ),
  }
}

async function tellOfData(): Promise<void> {
  await tell('get', '/v1/metadata/jurisdictions', {}, '?region=CA&limit=2')
  await tell('get', '/v1/metadata/jurisdictions/:id', { id: 'CA-QC' })
  await tell('get', '/v1/metadata/jurisdictions/:id/rates', { id: 'CA-QC' }, '?limit=2')
  await tell('get', '/v1/metadata/coverage', {}, '?jurisdiction=GB&product_type=children_clothing')
  await tell('get', '/v1/metadata/product-codes', {}, '?system=taxjar&limit=2')
  await tell('get', '/v1/metadata/product-types/suggest', {}, '?description=Burr%20Coffee%20Grinder')
  await tell('get', '/v1/metadata/sync-status')
  await tell('post', '/v1/metadata/sync')
  const review = await reviewOfTheBritishRate()
  await tell('get', '/v1/metadata/reviews')
  await tell('post', '/v1/metadata/reviews/:id', { id: review })
  await tell('get', '/v1/export/snapshot')
  await tell('get', '/v1/audit-events', {}, '?limit=2')
  await tell('get', '/health')
  await tell('get', '/v1/status')
  await tell('get', '/v1/account/usage')
}

/**
 * Calls an operation with the example of its body and writes its answer down. Returns the id that is in it.
 */
async function tell(
  method: string,
  pattern: string,
  params: Record<string, string> = {},
  query = '',
  caller = key,
): Promise<string> {
  vi.setSystemTime(Date.now() + 1_000)
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? '')) + query
  const route = ROUTES.find((each) => each.method === method && each.path === pattern)
  const found = PUBLIC_ROUTES.find((each) => each.path === pattern)
  const id = (route ?? found)?.operation ?? ''
  const isFile = /\/(file|report)$/.test(pattern) || (method === 'get' && pattern.endsWith('/document'))
  if (pattern === '/v1/reports/export' || isFile) {
    const response = await exports.default.fetch(`https://service.test${path}`, {
      headers: { Authorization: `Bearer ${key}`, 'CF-Connecting-IP': newAddress() },
    })
    write(id, await response.text())
    return ''
  }
  const body = route?.example ?? undefined
  const answer = await call(method.toUpperCase(), path, {
    key: caller,
    ...(body !== undefined && { body }),
    ...(route?.file && { raw: '%PDF-1.4\n' }),
  })
  expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(route?.status ?? 200)
  write(id, answer.body)
  return String(answer.body['id'])
}

/** Makes something that another example needs. */
async function make(path: string, body: object): Promise<string> {
  const answer = await call('POST', path, { key, body })
  expect(answer.status, answer.text).toBe(201)
  return String(answer.body['id'])
}

function write(id: string, answer: unknown): void {
  written.set(id, shortened(settled(answer)))
}
