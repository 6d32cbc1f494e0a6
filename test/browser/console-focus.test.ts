import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addShop, type ConsoleTest, startConsole } from './console.ts'

let console_test: ConsoleTest
/** The addresses of the records below, by their kinds. */
let at: Readonly<Record<string, string>> = {}

async function idOf(method: string, path: string, body: object): Promise<string> {
  return String((await console_test.api(method, path, body))['id'])
}

/** A certificate with an image as its file. */
async function certificate(customer: string): Promise<string> {
  const id = await idOf('POST', `/v1/customers/${customer}/exemptions`, {
    jurisdiction_id: 'US-WA',
    exemption_type: 'resale',
    valid_from: '2026-01-01',
    certificate_number: 'CERT-1',
  })
  const stored = await fetch(`${console_test.service.origin}/v1/exemptions/${id}/document`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${console_test.service.key}` },
    body: '%PDF-1.4\n%%EOF',
  })
  expect(stored.status).toBe(200)
  return id
}

type Due = { type: string; period: string; status: string; jurisdiction_id: string }

/** One British return that is open, and one that is filed. */
async function returns(): Promise<{ open: string; filed: string }> {
  await console_test.api('POST', '/v1/registrations', { jurisdiction_id: 'GB', valid_from: '2025-01-01' })
  for (const days of [200, 300])
    await console_test.api('POST', '/v1/transactions', {
      external_id: `british-${days}`,
      currency: 'GBP',
      transaction_date: new Date(Date.now() - days * 86_400_000).toISOString(),
      customer: { address: { country: 'GB' } },
      line_items: [{ amount: 10_000, product_type: 'saas' }],
    })
  const { obligations } = await console_test.api('GET', '/v1/obligations?limit=100')
  const [first, second] = (obligations as Due[]).filter(
    ({ type, status }) => type === 'uk_vat100' && status === 'overdue',
  )
  if (first === undefined || second === undefined) throw new Error('two British returns are overdue')
  await console_test.api('POST', '/v1/returns', { type: first.type, period: first.period })
  const linkOf = ({ type, period }: Due) => `returns?type=${type}&period=${period}`
  return { open: linkOf(second), filed: linkOf(first) }
}

async function fill(): Promise<void> {
  const { api } = console_test
  await api('PUT', '/v1/account', {
    country: 'US',
    region: 'NY',
    time_zone: 'UTC',
    establishments: [{ country: 'US', region: 'TX', kind: 'office', from: '2026-01-01' }],
  })
  const customer = await idOf('POST', '/v1/customers', {
    name: 'Focus Inc.',
    address: { country: 'US', region: 'WA' },
  })
  await api('POST', `/v1/customers/${customer}/certificate-request`, {})
  await api('POST', '/v1/obligations/calendar', {})
  const sale = await idOf('POST', '/v1/transactions', {
    external_id: 'focus-1',
    currency: 'USD',
    customer: { address: { country: 'US', region: 'NY', postal_code: '10001' } },
    line_items: [{ amount: 10_000, product_type: 'saas' }],
  })
  const pending = await idOf('POST', '/v1/transactions', {
    external_id: 'focus-2',
    status: 'pending',
    currency: 'USD',
    customer: { address: { country: 'US', region: 'NY', postal_code: '10001' } },
    line_items: [{ amount: 10_000, product_type: 'saas' }],
  })
  const { open, filed } = await returns()
  at = {
    sale: `transactions/${sale}`,
    pending: `transactions/${pending}`,
    customer: `customers/${customer}`,
    certificate: `certificates/${customer}~${await certificate(customer)}`,
    registration: `registrations/${await idOf('POST', '/v1/registrations', { jurisdiction_id: 'US-WA', valid_from: '2026-01-01' })}`,
    open,
    filed,
    webhook: `webhooks?webhook=${await idOf('POST', '/v1/webhooks', { url: 'https://hooks.example.com/tax', events: ['*'] })}`,
    key: `keys/${await idOf('POST', '/v1/api-keys', { name: 'Till', scopes: ['tax:read'] })}`,
    person: `people/${await idOf('POST', '/v1/people', { email: 'ann@focus.example', name: 'Ann', role: 'auditor' })}`,
    shop: `shops/${await addShop(console_test, 'shop.example.com', ['1001'])}`,
    settings: 'settings',
  }
}

beforeAll(async () => {
  console_test = await startConsole()
  await fill()
})

afterAll(() => console_test?.close())

/** What has the focus: the form or the question that a button opened, or the name of what has it. */
function focused(page: Page): Promise<unknown> {
  return page.evaluate(`document.activeElement.closest('dialog[open], [data-opener]') !== null
    ? 'in its form'
    : document.activeElement.ariaLabel ?? document.activeElement.textContent.slice(0, 60)`)
}

/** Opens what is folded around a button. */
async function unfold(page: Page, title: string): Promise<Locator> {
  await page.locator('summary', { hasText: title }).click()
  return page.locator('details[open]', { hasText: title })
}

it.each([
  ['sale', 'Refund…'],
  ['pending', 'Void'],
  ['customer', 'Edit'],
  ['customer', 'Erase…'],
  ['customer', 'Replace the link…', 'Request a certificate'],
  ['customer', 'Revoke…', 'Request a certificate'],
  ['certificate', 'Replace…'],
  ['certificate', 'Delete the file…'],
  ['registration', 'Delete…'],
  ['open', 'Set aside…'],
  ['filed', 'Reopen…'],
  ['webhook', 'Delete the webhook…'],
  ['key', 'Revoke…'],
  ['person', 'Remove…'],
  ['person', 'Erase name and e-mail…'],
  ['shop', 'Disconnect…'],
  ['shop', 'Dismiss order 1001…'],
  ['settings', 'Remove Office in Texas'],
  ['settings', 'Replace the calendar link…'],
  ['settings', 'Revoke…'],
])('of a %s, "%s" gives the focus away and Esc brings it back', async (kind, name, folded = '') => {
  const { page, faults } = await console_test.signedIn(`/#/${at[kind]}`, {
    viewport: { width: 390, height: 844 },
  })
  if (folded !== '') await unfold(page, folded)
  const button = page.getByRole('button', { name, exact: true })
  await button.press('Enter')
  await expect.poll(() => focused(page)).toBe('in its form')
  await page.keyboard.press('Escape')
  await expect.poll(() => focused(page)).toBe(name)
  expect(page.url()).toContain(at[kind])
  expect(await button.count()).toBe(1)
  expect(faults).toEqual([])
  await page.close()
})

it('a question asks before Esc discards the reason that was typed', async () => {
  const { page, faults } = await console_test.signedIn(`/#/${at['filed']}`)
  await page.getByRole('button', { name: 'Reopen…' }).press('Enter')
  const reason = page.getByLabel('Reason')
  await reason.fill('An invoice')
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: 'Discard what you typed?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'detached' })
  expect(await reason.inputValue()).toBe('An invoice')
  await reason.press('Escape')
  await question.getByRole('button', { name: 'Discard' }).click()
  await reason.waitFor({ state: 'detached' })
  await expect.poll(() => focused(page)).toBe('Reopen…')
  expect(faults).toEqual([])
  await page.close()
})

it('a report on the tax of a sale names the version of the data', async () => {
  const { page } = await console_test.signedIn(`/#/${at['sale']}`)
  const link = await page.getByRole('link', { name: 'Is this wrong?' }).getAttribute('href')
  expect(link).toMatch(/^\/wrong\?place=US-NY&day=[\d-]+&data_version=[^&]+$/)
  await page.close()
})
