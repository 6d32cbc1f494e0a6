import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openLocal } from '../../scripts/bindings.ts'
import { createAccountAndKey } from '../../src/accounts/create-account-and-key.ts'
import { newId } from '../../src/database/ids.ts'
import { insertRows } from '../../src/database/insert-rows.ts'
import { insertEvents } from '../../src/events/events.ts'
import { expectAccessible, keepScreenshot } from './browser.ts'
import { CONSOLE_LOOKS, type ConsoleTest, plain, startConsole } from './console.ts'

let console_test: ConsoleTest

const EVIL_NAME = '<img src=x onerror=alert(1)> & Sons'
let receiver_url = ''
let received = 0
const receiver = createServer((request, response) => {
  received += 1
  request.resume().on('end', () => response.writeHead(204).end())
})

/** A large sale to Washington, and a webhook that was told of something. */
async function fill(): Promise<void> {
  const { api } = console_test
  await api('PUT', '/v1/account', { country: 'US', region: 'CA' })
  await api('POST', '/v1/transactions', {
    currency: 'USD',
    customer: { address: { country: 'US', region: 'WA' } },
    line_items: [{ amount: 9_000_000, product_type: 'physical_goods' }],
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const address = receiver.address()
  receiver_url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`
  await api('POST', '/v1/webhooks', { url: receiver_url, events: ['*'], description: EVIL_NAME })
  await tellSomething()
}

/** An event as a run of a collector leaves it, a minute ago; the clock sends it on. */
async function tellSomething(): Promise<void> {
  const { db, dispose } = await openLocal(console_test.service.state)
  const events = [
    { type: 'sync.completed' as const, data: { region: 'AU', records_updated: 1, duration_ms: 5 } },
  ]
  await db.batch([
    ...insertEvents(db, events, new Date(Date.now() - 61_000)),
    db.prepare("UPDATE webhooks SET created_at = '2026-01-01T00:00:00.000Z'"),
  ])
  await dispose()
  await fetch(
    `${console_test.service.origin}/cdn-cgi/local/scheduled?cron=${encodeURIComponent('*/5 * * * *')}`,
  )
  await vi.waitFor(() => expect(received).toBe(1), { timeout: 300_000 })
}

beforeAll(async () => {
  console_test = await startConsole(['--var', 'ALLOW_LOCAL_WEBHOOKS:true'])
  await fill()
})

afterAll(async () => {
  await console_test?.close()
  receiver.close()
})

/** A review as a collector leaves it, and a key of an operator. */
async function waitingReview(): Promise<{ key: string; review: string }> {
  const { db, dispose } = await openLocal(console_test.service.state)
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

describe('nexus', () => {
  it('is shown as a bar for each place with sales, and as a table', async () => {
    const { page, faults } = await console_test.signedIn('/#/nexus')
    const washington = page.getByRole('progressbar', { name: /^Washington \(US-WA\): 90%/ })
    await washington.waitFor()
    expect(await washington.getAttribute('value')).toBe('0.9')
    expect(plain(await page.locator('.bar.approaching').innerText())).toContain(
      '$90,000.00 in 1 transaction, of $100,000.00',
    )
    expect(await page.getByRole('table', { name: 'By place' }).innerText()).toContain('Washington (US-WA)')
    expect(faults).toEqual([])
    await page.close()
  })
})

describe('data reviews', () => {
  it('show what was found beside what is in force, and keep the reason of a refusal', async () => {
    const { key, review } = await waitingReview()
    const { page } = await console_test.signedIn('/#/reviews', {}, key)
    const card = page.getByRole('region', { name: 'GB VAT standard' })
    await card.waitFor()
    expect(await card.innerText()).toContain('Standard rate | 22%')
    expect(await card.innerText()).toContain('waits for a second source or a second day')
    await expectAccessible(page)
    await keepScreenshot(page, 'console-reviews-light')
    await card.getByLabel('Reason').fill('A typing error of the page')
    await card.getByRole('button', { name: 'Refuse GB VAT standard' }).click()
    await card.getByText('GB VAT standard: refused').waitFor()
    const { db, dispose } = await openLocal(console_test.service.state)
    const stored = await db
      .prepare('SELECT status, decision_reason FROM reviews WHERE id = ?')
      .bind(review)
      .first()
    await dispose()
    expect(stored).toEqual({ status: 'refused', decision_reason: 'A typing error of the page' })
    await page.close()
  })
})

describe('webhooks', () => {
  it('are shown with their deliveries, tested, and sent again', async () => {
    const { page, faults } = await console_test.signedIn('/#/webhooks')
    await page.getByRole('link', { name: receiver_url }).click()
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

describe.each(Object.entries(CONSOLE_LOOKS))('in %s', (look, options) => {
  it.each(['nexus', 'webhooks'])('%s is accessible', async (view) => {
    const { page } = await console_test.signedIn(`/#/${view}`, options)
    await page.locator('main table').first().waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, `console-${view}-${look}`)
    await page.close()
  })
})
