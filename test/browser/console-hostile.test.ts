import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addShop, CONSOLE_ADDRESSES, type ConsoleTest, startConsole } from './console.ts'
import { addKeys } from '../support/running-service.ts'

let console_test: ConsoleTest
let operator = ''

/** Each way into a page sets this name of the window. */
const HIT = 'hostile_script_ran'
const MARKUP = `"'><img src=x onerror=${HIT}=1><svg/onload=${HIT}=1><script>${HIT}=1</script></textarea>`
/** With a sign that turns the direction of the text, letters of another one, and a name of five code points. */
const HOSTILE = `${MARKUP}{{7*7}}\u202e\u05d0\u05d1 \ud83d\udc69\u200d\ud83d\udc69\u200d\ud83d\udc67`
const SCRIPT_URL = `javascript:${HIT}=1`

/** Stores hostile words wherever the service takes words. */
async function fill(): Promise<void> {
  const { api, service } = console_test
  await api('PUT', '/v1/account', { name: HOSTILE, country: 'DE', time_zone: 'UTC' })
  await api('POST', '/v1/registrations', {
    jurisdiction_id: 'US-TX',
    valid_from: '2020-01-01',
    registration_number: MARKUP.slice(0, 40),
  })
  const customer = { name: HOSTILE, external_id: HOSTILE, metadata: { note: HOSTILE } }
  const { id } = await api('POST', '/v1/customers', customer)
  await api('POST', `/v1/customers/${String(id)}/exemptions`, {
    jurisdiction_id: 'US-TX',
    exemption_type: 'other',
    certificate_number: MARKUP.slice(0, 60),
    valid_from: '2026-01-01',
  })
  const sale = await api('POST', '/v1/transactions', {
    external_id: HOSTILE,
    currency: 'USD',
    transaction_date: '2026-02-02',
    metadata: { note: HOSTILE },
    customer: { address: { country: 'US', region: 'TX', city: HOSTILE, line1: HOSTILE } },
    line_items: [{ amount: 10_000, product_type: 'saas', description: HOSTILE }],
  })
  const reason = { amount: 100, reason: HOSTILE, external_id: HOSTILE }
  await api('POST', `/v1/transactions/${String(sale['id'])}/refund`, reason)
  await api('PUT', '/v1/obligations/obl_US-TX_2026-03', { set_aside: HOSTILE })
  await api('POST', '/v1/returns', { type: 'us_state', jurisdiction_id: 'US-TX', period: '2026-02' })
  const url = `http://127.0.0.1:9/${encodeURIComponent(MARKUP)}?q='onload=${HIT}`
  await api('POST', '/v1/webhooks', { url, description: HOSTILE, events: ['transaction.created'] })
  await api('POST', '/v1/api-keys', { name: HOSTILE.slice(0, 90), scopes: ['tax:read'] })
  await api('POST', '/v1/people', { email: 'kim@example.com', name: HOSTILE, role: 'auditor' })
  await api('POST', '/v1/vat/checks', { vat_ids: [MARKUP.slice(0, 39)] })
  await addShop(console_test, 'shop.example', [MARKUP])
  ;[operator = ''] = await addKeys(service, { account: 'Hostile operator', scopes: ['*', 'operator'] })
}

beforeAll(async () => {
  console_test = await startConsole()
  await fill()
})
afterAll(() => console_test?.close())

/** Nothing of a page has run, no link of it would, and no word became an element that its policy stopped. */
async function expectHarmless(page: Page, path: string): Promise<void> {
  expect(await page.locator('[onerror], [onload], img[src="x"]').count(), path).toBe(0)
  expect(await page.evaluate((name) => name in globalThis, HIT), path).toBe(false)
  const links = await page
    .locator('a[href], form[action], iframe')
    .evaluateAll((all) => all.map((each) => each.getAttribute('href') ?? each.getAttribute('action') ?? ''))
  expect(
    links.filter((link) => /^\s*(javascript|data|vbscript):/i.test(link)),
    path,
  ).toEqual([])
}

async function opened(path: string, prepare: (page: Page) => Promise<void> = async () => undefined) {
  const key = path === 'reviews' ? operator : undefined
  const { page, faults } = await console_test.signedIn('', {}, key)
  await prepare(page)
  await page.goto(`${console_test.service.origin}/console/#/${path}`)
  await page.locator('main h1').first().waitFor()
  await page.waitForLoadState('networkidle')
  return { page, faults }
}

describe('with hostile words in the books', () => {
  it.each(CONSOLE_ADDRESSES)('#/%s shows them as words', async (path) => {
    const { page, faults } = await opened(path)
    await expectHarmless(page, path)
    expect(faults).toEqual([])
    const record = page.locator('main tbody a[href^="#/"]').first()
    if ((await record.count()) > 0) {
      await record.click()
      await page.waitForLoadState('networkidle')
      await expectHarmless(page, `a record of ${path}`)
      expect(faults).toEqual([])
    }
    await page.close()
  })

  it('shows the name of a customer to its last sign', async () => {
    const { page } = await opened('customers')
    expect(await page.locator('main tbody').innerText()).toContain(MARKUP)
    await page.close()
  })
})

/** Days and moments, ids, codes and names of states: without them the console shows that it failed. */
const CODE =
  /^(\d{4}(-[\dQ][\dT:.Z-]*)?|[a-z]+_[0-9a-z]{26}|[a-z_]+([.:][a-z_]+)*|\*|[A-Z]{2,3}(-\w+)?|[A-Z][\w/]+|)$/

/** Every text in an answer that is no code, with markup behind it; an address becomes a script. */
function poisoned(value: unknown): unknown {
  if (typeof value === 'string' && CODE.test(value)) return value
  if (typeof value === 'string') return /^https?:/.test(value) ? SCRIPT_URL : value + MARKUP
  if (Array.isArray(value)) return value.map(poisoned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, poisoned(each)]))
}

/** Answers of the service in which each text is hostile. */
async function poison(page: Page): Promise<void> {
  await page.route('**/v1/**', async (route) => {
    const response = await route.fetch()
    const text = await response.text()
    if (!text.startsWith('{')) return route.fulfill({ response, body: text })
    return route.fulfill({ response, body: JSON.stringify(poisoned(JSON.parse(text))) })
  })
}

describe('with a hostile text in each field of each answer', () => {
  it.each(CONSOLE_ADDRESSES)('#/%s runs none of it', async (path) => {
    const { page, faults } = await opened(path, poison)
    await expectHarmless(page, path)
    expect(await page.locator('main').innerText()).not.toContain('The console failed')
    expect(faults).toEqual([])
    await page.close()
  })

  it('shows such a text as words', async () => {
    const { page, faults } = await opened('customers', poison)
    expect([await page.locator('main').innerText(), ...faults].join()).toContain(HOSTILE + MARKUP)
    await page.close()
  })
})
