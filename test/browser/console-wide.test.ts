import { afterAll, beforeAll, it } from 'vitest'
import { expectFits, expectNarrow, expectUncut } from './browser.ts'
import { CONSOLE_ADDRESSES, type ConsoleTest, startConsole } from './console.ts'
import { addKeys } from '../support/running-service.ts'

let console_test: ConsoleTest
let customer = ''
let sale = ''
let webhook = ''

/** Such as names of companies, numbers of certificates and ids of shops may be: no space to break at. */
const NAME = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
const NUMBER = 'NUMBER-2026-0000000000000000000000000000000000000'
const BILLION = 100_000_000_000

const PLACES = [
  [{ country: 'US', region: 'TX' }, 'USD'],
  [{ country: 'US', region: 'KS' }, 'USD'],
  [{ country: 'FR' }, 'EUR'],
  [{ country: 'BR' }, 'IDR'],
  [{ country: 'DE' }, 'EUR'],
] as const

/** A German seller with a sale of a billion to each place. */
async function fill(): Promise<void> {
  const { api } = console_test
  await api('PUT', '/v1/account', { country: 'DE', time_zone: 'UTC' })
  const valid_from = '2026-01-01'
  for (const jurisdiction_id of ['DE', 'US-TX'])
    await api('POST', '/v1/registrations', { jurisdiction_id, registration_number: NUMBER, valid_from })
  const buyer = { name: NAME, external_id: NUMBER, address: { country: 'DE' } }
  customer = String((await api('POST', '/v1/customers', buyer))['id'])
  await api('POST', `/v1/customers/${customer}/exemptions`, {
    jurisdiction_id: 'US-WA',
    exemption_type: 'resale',
    certificate_number: NUMBER,
    valid_from,
  })
  for (const [address, currency] of PLACES) {
    const recorded = await api('POST', '/v1/transactions', {
      external_id: `${NUMBER}-${address.country}-${currency}-${'region' in address ? address.region : ''}`,
      invoice_number: NUMBER,
      customer_id: customer,
      customer: { address },
      currency,
      line_items: [{ amount: BILLION, product_type: 'physical_goods', description: NAME }],
    })
    sale = String(recorded['id'])
  }
  const url = `http://127.0.0.1:9/${NUMBER}${NUMBER}`
  webhook = String((await api('POST', '/v1/webhooks', { url, description: NAME, events: ['*'] }))['id'])
  await api('POST', '/v1/api-keys', { name: NAME, scopes: ['reports:read'] })
}

/** An account with example books, whose words have usual lengths. */
let usual = ''

beforeAll(async () => {
  console_test = await startConsole()
  await fill()
  ;[usual = ''] = await addKeys(console_test.service, { account: 'Usual' })
  const headers = { Authorization: `Bearer ${usual}` }
  await fetch(`${console_test.service.origin}/v1/account/example-books`, { method: 'POST', headers })
})

afterAll(() => console_test?.close())

const YEAR = new Date().getUTCFullYear()

const RETURNS = [
  `returns?type=generic&period=${YEAR}-Q4`,
  `returns?type=eu_domestic&period=${YEAR}-Q4&jurisdiction_id=DE`,
]

async function opened(path: string, key?: string) {
  const { page } = await console_test.signedIn(`/#/${path}`, {}, key)
  await page.waitForLoadState('networkidle')
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  return page
}

it.each([
  ...CONSOLE_ADDRESSES,
  ...RETURNS,
  'nexus/US-KS',
  'nexus/FR',
  'transactions/SALE',
  'customers/CUSTOMER',
  'webhooks?webhook=WEBHOOK',
])('#/%s fits each window with a billion, and with names without a space', async (path) => {
  const named = path.replace('SALE', sale).replace('CUSTOMER', customer).replace('WEBHOOK', webhook)
  const page = await opened(named)
  await expectFits(page, path)
  await expectNarrow(page, path)
  await expectUncut(page, path)
  await page.close()
})

it.each([...CONSOLE_ADDRESSES, ...RETURNS])('#/%s fits each window with usual words', async (path) => {
  const page = await opened(path, usual)
  await expectFits(page, path)
  await page.close()
})

it.each(['transactions', 'customers', 'registrations', 'keys'])(
  'a drawer of #/%s fits each window',
  async (path) => {
    const page = await opened(path, usual)
    await page.locator('main tbody a[href^="#/"]').first().click()
    await page.locator('#drawer dl').waitFor()
    await expectFits(page, path)
    await page.close()
  },
)
