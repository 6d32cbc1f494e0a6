import { execFile } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Endpoint, sampleTexts } from '../../scripts/docs-site/samples.ts'
import { freePort } from '../../scripts/free-port.ts'
import { currentDocument } from '../../scripts/openapi.ts'
import { PROJECT } from '../../scripts/wrangler.ts'
import { openLocal } from '../../scripts/bindings.ts'
import { keepRefusedOrder } from '../../src/interfaces/saleor/refused-orders-store.ts'
import { withRecentSince } from '../support/recent-since.ts'
import { addKeys, runningService } from '../support/running-service.ts'

/**
 * Every sample of the reference in every language, as a reader copies it. The variables URL, KEY and those of ids
 * are set, as the overview of the reference asks for.
 */
const endpoints: Endpoint[] = Object.entries(currentDocument().paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
)
const LANGUAGES = ['curl', 'typescript', 'python'] as const
type Language = (typeof LANGUAGES)[number]

/** What cannot be run here, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  syncRegion: 'It reads the sites of tax authorities.',
  decideReview: 'A review exists only after a collector has read a doubtful source.',
  createWebhook: 'Its address is one of the outside world, which must answer a challenge.',
}

const service = runningService()
let outside: { server: Server; origin: string }
let folder: string
const keys = new Map<string, string>()
/** Only an empty account is filled with example books. */
const emptyOf = (language: Language) => `empty-${language}`
let operatorKey = ''

beforeAll(async () => {
  outside = await serveOutside()
  folder = mkdtempSync(join(tmpdir(), 'samples-'))
  const accounts = LANGUAGES.flatMap((language) => [language, emptyOf(language)])
  const wanted = accounts.map((account) => ({ account, platform: true }))
  const [operator = '', ...added] = await addKeys(
    service,
    { account: 'operator', scopes: ['operator'] },
    ...wanted,
  )
  for (const [index, account] of accounts.entries()) keys.set(account, added[index] ?? '')
  operatorKey = operator
  writeFileSync(join(folder, 'resolve.mjs'), RESOLVE_CLIENT)
  writeFileSync(join(folder, 'certificate.pdf'), '%PDF-1.4\n')
})

afterAll(async () => {
  outside?.server.close()
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
})

/** The samples of an endpoint run at the same time, each language in an account of its own. */
it.each(
  endpoints
    .map((endpoint) => ({ ...endpoint, id: endpoint.operation.operationId }))
    .filter(({ id }) => LEFT_OUT[id] === undefined),
)('the samples of $id work in every language', async (endpoint) => {
  await Promise.all(LANGUAGES.map((language) => expectToWork(endpoint, language)))
})

async function expectToWork(endpoint: Endpoint, language: Language): Promise<void> {
  const sample = sampleTexts(endpoint).find((each) => each.language === language)
  const key = needsOperator(endpoint) ? operatorKey : (keys.get(language) ?? '')
  const env = { URL: service.origin, KEY: key, ...(await variablesFor(endpoint, language)) }
  const { code, output } = await run(language, withRecentSince(sample?.text ?? ''), env)
  expect(code, `${language}: ${output}`).toBe(0)
  expect(language === 'curl' ? refusalIn(output) : null, output).toBeNull()
}

it('leaves out only operations that exist', () => {
  const known = endpoints.map(({ operation }) => operation.operationId)
  expect(Object.keys(LEFT_OUT).filter((id) => !known.includes(id))).toEqual([])
})

function needsOperator({ operation }: Endpoint): boolean {
  return operation.description.includes('Needs the scope `operator`')
}

/** curl ends well after a refusal, which has an error_code. */
function refusalIn(output: string): string | null {
  return output.startsWith('{"error_code"') ? output : null
}

async function run(language: Language, sample: string, env: Record<string, string>) {
  if (language === 'curl') return execute('bash', ['-c', sample], env)
  if (language === 'python') return execute('python3', ['-c', sample], env)
  const file = join(folder, 'sample.mts')
  writeFileSync(file, sample)
  return execute(process.execPath, ['--import', join(folder, 'resolve.mjs'), file], env)
}

/** All rows of a list, and the snapshot of all tax data, are long. */
const OUTPUT_MAX = 300_000_000

function execute(
  command: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(
      command,
      args,
      { env: { ...process.env, ...env }, cwd: folder, maxBuffer: OUTPUT_MAX },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : 1, output: `${stdout}${stderr}` }),
    )
  })
}

/** Lets Node take the client from its source, as if it were installed. */
const RESOLVE_CLIENT = `import { registerHooks } from 'node:module'
const client = ${JSON.stringify(`file://${join(PROJECT, 'client/src/client.ts')}`)}
registerHooks({
  resolve: (name, context, next) => (name === 'tax-compliance' ? { url: client, shortCircuit: true } : next(name, context)),
})
`

type Variables = Record<string, string>

/** New resources for a sample, because some samples end what they name. */
async function variablesFor({ path, operation }: Endpoint, language: Language): Promise<Variables> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  if (names.length === 0) return prepare(operation.operationId, language)
  const make = async (body: object, at: string) => idOf(await send(language, 'POST', at, body))
  if (path.startsWith('/v1/transactions/external')) {
    const external_id = unique()
    await make(sale(external_id), '/v1/transactions')
    return { EXTERNAL_ID: external_id }
  }
  if (path.startsWith('/v1/transactions/')) {
    const pending = ['completeTransaction', 'voidTransaction'].includes(operation.operationId)
    const body = { ...sale(unique()), ...(pending && { status: 'pending' }) }
    const ID = await make(body, '/v1/transactions')
    if (!names.includes('refund_id')) return { ID }
    const part = { amount: 100, reason: 'Returned' }
    const { refund } = await send(language, 'POST', `/v1/transactions/${ID}/refund`, part)
    return { ID, REFUND_ID: idOf(refund as Record<string, unknown>) }
  }
  if (path.startsWith('/v1/accounts/')) {
    const external_id = unique()
    return { EXTERNAL_ID: external_id, ID: await make({ external_id, name: 'Ada' }, '/v1/accounts') }
  }
  if (path.startsWith('/v1/customers/external')) {
    const external_id = unique()
    await make({ external_id, name: 'Acme' }, '/v1/customers')
    return { EXTERNAL_ID: external_id }
  }
  if (path.startsWith('/v1/vat/checks/'))
    return { ID: await make({ vat_ids: ['IE6388047V'] }, '/v1/vat/checks') }
  if (operation.operationId === 'revokeCertificateRequest') {
    const { ID = '' } = await customerFor(language, names)
    await send(language, 'POST', `/v1/customers/${ID}/certificate-request`)
    return { ID }
  }
  if (path.startsWith('/v1/customers/') || path.startsWith('/v1/vat/')) return customerFor(language, names)
  if (path.startsWith('/v1/people/')) {
    const person = { email: `${unique()}@example.com`, name: 'Ada', role: 'accountant' }
    return { ID: await make(person, '/v1/people') }
  }
  if (path.startsWith('/v1/exemptions/')) {
    const { EXEMPTION_ID = '' } = await customerFor(language, ['exemption_id'])
    await putFile(language, `/v1/exemptions/${EXEMPTION_ID}/document`)
    return { ID: EXEMPTION_ID }
  }
  if (path.startsWith('/v1/webhooks/')) return webhookFor(language, names)
  if (path.startsWith('/v1/api-keys/'))
    return { ID: await make({ name: unique(), scopes: ['tax:read'] }, '/v1/api-keys') }
  if (path.startsWith('/v1/registrations/'))
    return { ID: await make({ jurisdiction_id: nextState(), valid_from: '2026-01-01' }, '/v1/registrations') }
  if (path.startsWith('/v1/obligations/')) {
    await make({ jurisdiction_id: nextState(), valid_from: '2026-01-01' }, '/v1/registrations')
    const { obligations } = await send(language, 'GET', '/v1/obligations?from=2026-01-01&to=2026-12-31')
    return { ID: idOf((obligations as Record<string, unknown>[])[0] ?? {}) }
  }
  if (path.startsWith('/v1/account/own-rates/')) {
    const body = { rates: [{ rate: 0.18, valid_from: '2025-01-01' }] }
    await send(language, 'PUT', '/v1/account/own-rates/IL', body)
    return { ID: 'IL' }
  }
  if (path.startsWith('/v1/returns/')) return { ID: await returnFor(language) }
  if (path.startsWith('/v1/saleor/installs/')) {
    const shop = { saleor_api_url: `${outside.origin}/${unique()}/graphql/` }
    const ID = await make(shop, '/v1/saleor/installs')
    return names.includes('order_id') ? { ID, ORDER_ID: await refusedOrderOf(language, ID) } : { ID }
  }
  return {}
}

/** The id of an order that was refused, as the catch-up keeps it. */
async function refusedOrderOf(language: Language, id: string): Promise<string> {
  const account_id = idOf(await send(language, 'GET', '/v1/account'))
  const order_id = unique()
  const { db, dispose } = await openLocal(service.state)
  const refused = { order_id, number: '1001', reason: 'invalid_region', field: null }
  await keepRefusedOrder(db, { id, account_id }, refused, new Date().toISOString())
  await dispose()
  return order_id
}

/** What must be there before a sample without an id. */
async function prepare(operation: string, language: Language): Promise<Variables> {
  if (operation === 'revokeObligationsCalendar') await send(language, 'POST', '/v1/obligations/calendar')
  if (operation === 'testMessages') {
    const chat = { format: 'signed', url: `${outside.origin}/chat` }
    await send(language, 'PUT', '/v1/account/messages', { chat })
  }
  if (operation === 'createExampleBooks') return { KEY: keys.get(emptyOf(language)) ?? '' }
  return {}
}

async function customerFor(language: Language, names: readonly string[]): Promise<Variables> {
  const vat_id = 'IE6388047V'
  const customer = await send(language, 'POST', '/v1/customers', {
    name: 'Acme',
    vat_id,
    address: { country: 'IE' },
  })
  const id = idOf(customer)
  if (!names.includes('exemption_id')) return { ID: id, CUSTOMER_ID: id }
  const exemption = await send(language, 'POST', `/v1/customers/${id}/exemptions`, {
    jurisdiction_id: 'US-CA',
    exemption_type: 'resale',
    certificate_number: unique(),
    valid_from: '2026-01-01',
  })
  return { ID: id, EXEMPTION_ID: idOf(exemption) }
}

/** One webhook for each sample: an account has at most three with the same address. */
async function webhookFor(language: Language, names: readonly string[]): Promise<Variables> {
  const url = `${outside.origin}/${unique()}`
  const id = idOf(await send(language, 'POST', '/v1/webhooks', { url, events: ['transaction.created'] }))
  if (!names.includes('delivery_id')) return { ID: id }
  await send(language, 'POST', '/v1/transactions', sale(unique()))
  const ended = async () => {
    const listed = await send(language, 'GET', `/v1/webhooks/${id}/deliveries?status=succeeded`)
    const [delivery] = listed['deliveries'] as { id: string }[]
    return delivery?.id ?? ''
  }
  await expect.poll(ended).not.toBe('')
  return { ID: id, DELIVERY_ID: await ended() }
}

let year = 2026

/** A return of a year that no other sample files. */
async function returnFor(language: Language): Promise<string> {
  year -= 1
  return idOf(await send(language, 'POST', '/v1/returns', { type: 'oss_union', period: `${year}-Q1` }))
}

const STATES = [
  'TX',
  'WA',
  'NY',
  'FL',
  'GA',
  'IL',
  'OH',
  'MI',
  'NJ',
  'VA',
  'TN',
  'AZ',
  'MA',
  'IN',
  'MO',
  'MD',
]
let state = 0

function nextState(): string {
  state += 1
  return `US-${STATES[state % STATES.length]}`
}

let count = 0

function unique(): string {
  count += 1
  return `sample-${count}`
}

function sale(external_id: string) {
  return {
    external_id,
    currency: 'EUR',
    customer: { address: { country: 'DE', postal_code: '10115' } },
    line_items: [{ amount: 10_000, product_type: 'saas', tax_rate: 0.19, tax_amount: 1_900 }],
    jurisdiction_id: 'DE',
  }
}

function idOf(answer: Record<string, unknown>): string {
  return String(answer['id'])
}

async function send(
  language: Language,
  method: string,
  path: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const response = await fetch(service.origin + path, {
    method,
    headers: { Authorization: `Bearer ${keys.get(language)}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer: Record<string, unknown> = JSON.parse(await response.text())
  expect(response.ok, `${method} ${path}: ${JSON.stringify(answer)}`).toBe(true)
  return answer
}

async function putFile(language: Language, path: string): Promise<void> {
  const headers = { Authorization: `Bearer ${keys.get(language)}` }
  const response = await fetch(service.origin + path, { method: 'PUT', headers, body: '%PDF-1.4\n' })
  expect(response.ok, await response.text()).toBe(true)
}

/** A receiver that takes every webhook, and an authority that finds every VAT id valid. */
async function serveOutside(): Promise<{ server: Server; origin: string }> {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { data } = JSON.parse(body || '{}') as { data?: { challenge?: string } }
      response.writeHead(200).end(data?.challenge ?? '')
    })
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return { server, origin: `http://127.0.0.1:${port}` }
}
