import { createServer } from 'node:http'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openLocal } from '../../scripts/bindings.ts'
import { createAccountAndKey } from '../../src/accounts/create-account-and-key.ts'
import { newId } from '../../src/database/ids.ts'
import { insertRows } from '../../src/database/insert-rows.ts'
import { insertEvents } from '../../src/events/events.ts'
import { expectAccessible, keepScreenshot, launchBrowser, LOOKS, openPage } from './browser.ts'
import { type RunningService, startService } from './running-service.ts'

let service: RunningService
let browser: Browser

const SALES = 31
const EVIL_NAME = '<img src=x onerror=alert(1)> & Sons'
const made = { customer: '', receiver: '' }
let received = 0
const receiver = createServer((request, response) => {
  received += 1
  request.resume().on('end', () => response.writeHead(204).end())
})

async function api(method: string, path: string, body?: object) {
  const response = await fetch(service.origin + path, {
    method,
    headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer: Record<string, unknown> = await response.json()
  if (!response.ok) throw new Error(JSON.stringify(answer))
  return { body: answer }
}

/** No region is due: the clock of these tests is there for webhooks. */
async function withoutCollectors(state: string): Promise<void> {
  const { db, dispose } = await openLocal(state)
  const insert = db.prepare(
    `INSERT INTO collector_states (region, consecutive_failures, parse_failures, next_run_at) VALUES (?, 0, 0, '2999-01-01T00:00:00.000Z')`,
  )
  await db.batch(['EU', 'UK', 'US', 'US-TAX', 'CA', 'AU', 'TAXABILITY'].map((region) => insert.bind(region)))
  await dispose()
}

/**
 * Sales of this month, one of them large, a certificate to review, and a webhook that was told of something.
 */
async function fill(): Promise<void> {
  const line = { amount: 10_000, product_type: 'saas', description: EVIL_NAME }
  const sale = { currency: 'EUR', customer: { address: { country: 'DE' } }, line_items: [line] }
  for (let index = SALES - 2; index >= 0; index -= 1)
    await api('POST', '/v1/transactions', {
      ...sale,
      external_id: `order-${index}`,
      seller: { country: 'DE' },
    })
  await api('PUT', '/v1/account', { country: 'US', region: 'CA' })
  const large = { amount: 9_000_000, product_type: 'physical_goods' }
  await api('POST', '/v1/transactions', {
    currency: 'USD',
    customer: { address: { country: 'US', region: 'WA' } },
    line_items: [large],
  })
  made.customer = String((await api('POST', '/v1/customers', { name: EVIL_NAME })).body['id'])
  const certificate = {
    jurisdiction_id: 'US-WA',
    exemption_type: 'resale',
    valid_from: '2026-01-01',
    certificate_url: 'https://example.com/1.pdf',
  }
  await api('POST', `/v1/customers/${made.customer}/exemptions`, {
    ...certificate,
    certificate_number: 'CERT-1',
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const address = receiver.address()
  made.receiver = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`
  await api('POST', '/v1/webhooks', { url: made.receiver, events: ['*'], description: EVIL_NAME })
  await tellSomething()
}

/** An event as a run of a collector leaves it, a minute ago; the clock sends it on. */
async function tellSomething(): Promise<void> {
  const { db, dispose } = await openLocal(service.state)
  const events = [
    { type: 'sync.completed' as const, data: { region: 'AU', records_updated: 1, duration_ms: 5 } },
  ]
  await db.batch([
    ...insertEvents(db, events, new Date(Date.now() - 61_000)),
    db.prepare("UPDATE webhooks SET created_at = '2026-01-01T00:00:00.000Z'"),
  ])
  await dispose()
  await fetch(`${service.origin}/cdn-cgi/local/scheduled?cron=${encodeURIComponent('*/5 * * * *')}`)
  await vi.waitFor(() => expect(received).toBe(1), { timeout: 300_000 })
}

beforeAll(async () => {
  service = await startService(withoutCollectors, ['--var', 'ALLOW_LOCAL_WEBHOOKS:true'])
  browser = await launchBrowser()
  await fill()
})

afterAll(async () => {
  await browser?.close()
  await service?.stop()
  receiver.close()
})

/** A review as a collector leaves it, and a key of an operator. */
async function waitingReview(): Promise<{ key: string; review: string }> {
  const { db, dispose } = await openLocal(service.state)
  const now = new Date()
  const seen = now.toISOString()
  const review = newId('rev')
  const rate = {
    id: 'rate:gb:vat:standard:2026-11-21',
    jurisdiction_id: 'GB',
    tax_type: 'VAT',
    category: 'standard',
    rate_millionths: 220_000,
    effective_from: '2026-11-21',
    effective_to: null,
    source: 'GOV.UK, VAT rates',
  }
  const row = {
    id: review,
    region: 'UK',
    part: 'VAT rates',
    kind: 'rates' as const,
    subject: 'GB VAT standard',
    value: '220000',
    status: 'waiting' as const,
    why: 'waits for a second source or a second day',
    stands: null,
    proposed: JSON.stringify(rate),
    source: 'GOV.UK, VAT rates',
    document_url: 'https://www.gov.uk/api/content/vat-rates',
    document_hash: 'ab'.repeat(32),
    excerpt: 'Standard rate | 22%',
    witnesses: JSON.stringify([{ source: 'GOV.UK, VAT rates', day: '2026-11-21' }]),
    first_seen_at: seen,
    last_seen_at: seen,
    decided_at: null,
    decided_by: null,
    decision_reason: null,
  }
  await db.batch(insertRows(db, 'reviews', [row]))
  const wanted = {
    account: 'Operator',
    tier: 'pro' as const,
    scopes: ['*', 'operator'] as const,
    sandbox: true,
  }
  const { key } = await createAccountAndKey(db, wanted, now)
  await dispose()
  return { key, review }
}

/**
 * A page of the console after signing in. Faults are scripts that fail, policies that are broken, and
 * requests to elsewhere.
 */
async function signedIn(path = '', options: object = {}): Promise<{ page: Page; faults: string[] }> {
  const page = await openPage(browser, options)
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on(
    'console',
    (message) =>
      message.type() === 'error' && !/status of 4/.test(message.text()) && faults.push(message.text()),
  )
  page.on(
    'request',
    (request) => /^(http:\/\/127\.0\.0\.1|data:)/.test(request.url()) || faults.push(request.url()),
  )
  await page.goto(`${service.origin}/console${path}`)
  await signIn(page, service.key)
  await page.locator('#signed-in').waitFor()
  return { page, faults }
}

async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

describe('the key', () => {
  it('opens the console, is kept in no storage, and is gone after a reload', async () => {
    const { page, faults } = await signedIn()
    expect(await page.locator('#account').innerText()).toBe('Demo (sandbox)')
    const state = await page.context().storageState({ indexedDB: true })
    expect(state).toEqual({ cookies: [], origins: [] })
    expect(
      await page.evaluate(
        'JSON.stringify([{ ...sessionStorage }, { ...localStorage }, history.state, location.href])',
      ),
    ).not.toContain(service.key)
    expect(await page.content()).not.toContain(service.key)
    await page.reload()
    expect(await page.getByLabel('API key').inputValue()).toBe('')
    expect(await page.locator('#signed-in').isVisible()).toBe(false)
    expect(faults).toEqual([])
    await page.close()
  })

  it('is forgotten when the person signs out', async () => {
    const { page } = await signedIn()
    await page.getByRole('button', { name: 'Sign out' }).click()
    expect(await page.getByLabel('API key').inputValue()).toBe('')
    expect(await page.getByRole('navigation', { name: 'Console' }).isVisible()).toBe(false)
    await page.close()
  })

  it('that is not good is refused with the reason', async () => {
    const page = await openPage(browser)
    await page.goto(`${service.origin}/console`)
    await signIn(page, 'tcs_test_nonsense')
    const alert = page.getByRole('alert')
    await alert.waitFor()
    expect(await alert.innerText()).toContain('invalid_api_key')
    await expectAccessible(page)
    await page.close()
  })
})

describe('a calculation', () => {
  it('shows totals, lines, taxes and the rules that led there', async () => {
    const { page, faults } = await signedIn('/#/calculation')
    await page.getByRole('button', { name: 'Add a line' }).click()
    const second = page.getByRole('group', { name: 'Line 2' })
    await second.getByLabel('Amount').fill('100')
    await second.getByLabel('Product type').selectOption('ebooks')
    await page.getByRole('button', { name: 'Calculate' }).click()
    const result = page.getByRole('region', { name: 'Result' })
    await result.locator('.overall').waitFor()
    expect(plain(await result.locator('.overall').innerText())).toBe(
      'Tax EUR 9.50 · total EUR 129.49 · France (FR)',
    )
    expect(plain(await page.getByRole('status').innerText())).toBe('Tax EUR 9.50, total EUR 129.49')
    expect(await result.getByRole('region', { name: 'Steps of the calculation' }).innerText()).toContain(
      'Directive 2006/112/EC, art. 58',
    )
    expect(faults).toEqual([])
    await page.close()
  })

  it('says what is wrong with an amount before it is sent, and with a country after it was', async () => {
    const { page } = await signedIn('/#/calculation')
    await page.getByLabel('Amount').fill('1,999')
    await page.getByRole('button', { name: 'Calculate' }).click()
    expect(await page.getByRole('alert').innerText()).toContain(
      'Line 1: must be an amount in EUR such as 19.99',
    )
    await page.getByLabel('Amount').fill('19.99')
    await page.getByLabel('Customer’s country').fill('QQ')
    await page.getByRole('button', { name: 'Calculate' }).click()
    await page.getByText('must be an ISO 3166-1 country code').waitFor()
    expect(await page.getByRole('alert').innerText()).toContain('Reason: invalid_request')
    await page.close()
  })

  it('counts yen without decimals', async () => {
    const { page } = await signedIn('/#/calculation')
    await page.getByLabel('Currency').fill('JPY')
    await page.getByLabel('Amount').fill('1000')
    await page.getByRole('button', { name: 'Calculate' }).click()
    await page.getByText('Tax JPY 200 · total JPY 1,200').waitFor()
    await page.close()
  })
})

describe('local taxes', () => {
  it('of a ZIP are shown with their places, and how sure they are', async () => {
    const { page, faults } = await signedIn('/#/local-taxes')
    await page.getByLabel('ZIP').fill('55401')
    await page.getByLabel('City').fill('Minneapolis')
    await page.getByRole('button', { name: 'Show' }).click()
    const taxes = page.getByRole('region', { name: 'Taxes' })
    await taxes.waitFor()
    expect(await page.locator('.overall').innerText()).toBe('9.025% in all')
    expect(await taxes.innerText()).toContain('Hennepin County')
    expect(await page.locator('main dl').innerText()).toContain('zip5 city')
    await page.getByLabel('ZIP').fill('1')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByRole('alert').waitFor()
    expect(faults.filter((fault) => !fault.includes('400'))).toEqual([])
    await page.close()
  })
})

describe('transactions', () => {
  it('are listed, shown with their lines, and refunded once however often the button is pressed', async () => {
    const { page, faults } = await signedIn('/#/transactions')
    await page.getByRole('link', { name: 'order-0', exact: true }).click()
    await page.getByRole('region', { name: 'Lines' }).waitFor()
    expect(await page.getByLabel('Amount, tax included').inputValue()).toBe('119.00')
    await page.getByLabel('Amount, tax included').fill('19.00')
    await page.getByLabel('Reason').fill('Returned')
    await page.getByRole('button', { name: 'Refund' }).dblclick()
    await page.getByRole('region', { name: 'Refunds' }).waitFor()
    expect(plain(await page.getByRole('status').innerText())).toBe(
      'Refunded EUR 19.00, including tax EUR 3.03',
    )
    expect(await page.getByRole('region', { name: 'Refunds' }).locator('tbody tr').count()).toBe(1)
    expect(await page.getByLabel('Amount, tax included').inputValue()).toBe('100.00')
    await page.getByLabel('Amount, tax included').fill('100.01')
    await page.getByLabel('Reason').fill('Too much')
    await page.getByRole('button', { name: 'Refund' }).click()
    expect(await page.getByRole('alert').innerText()).toContain('refund_exceeds_remaining')
    expect(faults).toEqual([])
    await page.close()
  })

  it('are read page by page', async () => {
    const { page } = await signedIn('/#/transactions')
    await page.getByRole('button', { name: 'Show older transactions' }).click()
    await page.getByRole('link', { name: 'order-29', exact: true }).waitFor()
    await page.getByText('Show older transactions').waitFor({ state: 'detached' })
    expect(await page.locator('tbody tr').count()).toBe(SALES)
    await page.close()
  })
})

describe('nexus', () => {
  it('is shown as a bar for each place with sales, and as a table', async () => {
    const { page, faults } = await signedIn('/#/nexus')
    const washington = page.getByRole('progressbar', { name: /^Washington \(US-WA\): 90%/ })
    await washington.waitFor()
    expect(await washington.getAttribute('value')).toBe('0.9')
    expect(plain(await page.locator('.bar.approaching').innerText())).toContain(
      'USD 90,000.00 in 1 transaction, of USD 100,000.00',
    )
    expect(await page.getByRole('region', { name: 'By place' }).innerText()).toContain('Washington (US-WA)')
    expect(faults).toEqual([])
    await page.close()
  })
})

describe('tax by month', () => {
  it('is a chart that is also a table', async () => {
    const { page, faults } = await signedIn('/#/tax')
    const chart = page.getByRole('img', { name: /^Net tax by month in EUR/ })
    await chart.waitFor()
    expect(await chart.locator('rect').count()).toBe(12)
    expect(await page.getByRole('region', { name: 'Tax by month in EUR' }).innerText()).toContain(
      new Date().toISOString().slice(0, 7),
    )
    expect(faults).toEqual([])
    await page.close()
  })
})

describe('exemptions', () => {
  it('wait for somebody to verify or reject them, and names are shown as they are', async () => {
    const { page, faults } = await signedIn('/#/exemptions')
    const card = page.getByRole('region', { name: `CERT-1 of ${EVIL_NAME}` })
    await card.waitFor()
    expect(await card.locator('h2').innerText()).toBe(EVIL_NAME)
    await card.getByLabel('Notes').fill('Seen')
    await card.getByRole('button', { name: 'Verify CERT-1' }).click()
    await card.waitFor({ state: 'detached' })
    const { body } = await api('GET', `/v1/customers/${made.customer}/exemptions`)
    expect(body['exemptions']).toMatchObject([{ status: 'verified', verification_notes: 'Seen' }])
    expect(faults).toEqual([])
    await page.close()
  })
})

describe('data reviews', () => {
  it('show what was found beside what is in force, and keep the reason of a refusal', async () => {
    const { key, review } = await waitingReview()
    const page = await openPage(browser)
    await page.goto(`${service.origin}/console/#/reviews`)
    await signIn(page, key)
    const card = page.getByRole('region', { name: 'GB VAT standard' })
    await card.waitFor()
    expect(await card.innerText()).toContain('Standard rate | 22%')
    expect(await card.innerText()).toContain('waits for a second source or a second day')
    await expectAccessible(page)
    await keepScreenshot(page, 'console-reviews-light')
    await card.getByLabel('Reason').fill('A typing error of the page')
    await card.getByRole('button', { name: 'Refuse GB VAT standard' }).click()
    await card.getByText('GB VAT standard: refused').waitFor()
    const { db, dispose } = await openLocal(service.state)
    const stored = await db
      .prepare('SELECT status, decision_reason FROM reviews WHERE id = ?')
      .bind(review)
      .first()
    await dispose()
    expect(stored).toEqual({ status: 'refused', decision_reason: 'A typing error of the page' })
    await page.close()
  })

  it('are not shown to a key without the scope operator', async () => {
    const { page } = await signedIn('/#/reviews')
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').innerText()).toContain('lacks the scope operator')
    await page.close()
  })
})

describe('webhooks', () => {
  it('are shown with their deliveries, tested, and sent again', async () => {
    const { page, faults } = await signedIn('/#/webhooks')
    await page.getByRole('link', { name: made.receiver }).click()
    const before = received
    await page.getByRole('button', { name: 'Send a test event' }).click()
    await page.getByText('It arrived: 204').waitFor()
    expect(received).toBe(before + 1)
    await page.getByRole('button', { name: /^Send again: evt_/ }).click()
    await page.getByText('is sent again').waitFor()
    await expect.poll(() => received).toBe(before + 2)
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('button', { name: 'Enable' }).waitFor()
    await page.getByRole('button', { name: 'Enable' }).click()
    await page.getByRole('button', { name: 'Disable' }).waitFor()
    expect(faults).toEqual([])
    await page.close()
  })
})

describe.each(Object.entries(LOOKS))('in %s', (look, options) => {
  it.each(['transactions', 'nexus', 'tax', 'exemptions', 'webhooks'])('%s is accessible', async (view) => {
    const { page } = await signedIn(`/#/${view}`, options)
    await page.locator('main > div > *').first().waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, `console-${view}-${look}`)
    const detail = page.locator('main tbody a').first()
    if ((await detail.count()) > 0) {
      await detail.click()
      await page.locator('main dl').waitFor()
      await page.locator('main .scroll').first().waitFor()
      await expectAccessible(page)
      await keepScreenshot(page, `console-${view}-one-${look}`)
    }
    await page.close()
  })

  it('the sign-in and the calculation are accessible', async () => {
    const page = await openPage(browser, options)
    await page.goto(`${service.origin}/console`)
    await page.getByLabel('API key').waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, `console-sign-in-${look}`)
    await signIn(page, service.key)
    await page.getByRole('button', { name: 'Calculate' }).click()
    await page.locator('.overall').waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, `console-calculation-${look}`)
    await page.goto(`${service.origin}/console/#/local-taxes`)
    await page.getByLabel('ZIP').fill('73072')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByRole('region', { name: 'Local taxes in other parts' }).waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, `console-local-taxes-${look}`)
    await page.close()
  })
})

/** Amounts are set with spaces that do not break. */
function plain(text: string): string {
  return text.replaceAll('\u00a0', ' ')
}
