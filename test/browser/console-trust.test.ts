import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { CHROMIUM, expectAccessible } from './browser.ts'
import { type ConsoleTest, plain, startConsole } from './console.ts'
import { addKeys } from '../support/running-service.ts'

let console_test: ConsoleTest
let webhook = ''

const MONTHS_BACK = 9

/** The second day of a month before this one. */
function dayOfMonth(months_ago: number): string {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months_ago, 2))
    .toISOString()
    .slice(0, 10)
}

/**
 * A seller of the Netherlands who has filed no British return, with a disabled webhook. Last month has one
 * small refund in the Union, and no sale there.
 */
async function fill(): Promise<void> {
  const { api } = console_test
  await api('PUT', '/v1/account', { country: 'NL', time_zone: 'UTC' })
  for (const [jurisdiction_id, registration_number] of [
    ['GB', 'GB123456789'],
    ['US-WA', '600000000'],
    ['US-TX', '32000000000'],
  ] as const)
    await api('POST', '/v1/registrations', {
      jurisdiction_id,
      registration_number,
      valid_from: dayOfMonth(MONTHS_BACK + 1),
    })
  for (let month = MONTHS_BACK; month >= 0; month -= 1) await sell('GB', `uk-${month}`, 100_000, month)
  await api('POST', '/v1/transactions', {
    external_id: 'us-ca',
    currency: 'USD',
    transaction_date: dayOfMonth(1),
    customer: { address: { country: 'US', region: 'CA', postal_code: '90012', city: 'Los Angeles' } },
    line_items: [{ amount: 60_000_000, product_type: 'physical_goods' }],
  })
  const { id } = await sell('NL', 'nl-2', 5_000, 2)
  const refund = { amount: 1_000, reason: 'Returned', refunded_at: dayOfMonth(1) }
  await api('POST', `/v1/transactions/${String(id)}/refund`, refund)
  const url = 'https://hooks.example.com/tax'
  webhook = String(
    (await api('POST', '/v1/webhooks', { url, description: 'Bookkeeping', events: ['*'] }))['id'],
  )
  await api('PUT', `/v1/webhooks/${webhook}`, { status: 'disabled' })
}

function sell(country: string, external_id: string, amount: number, months_ago: number) {
  return console_test.api('POST', '/v1/transactions', {
    external_id,
    currency: 'EUR',
    transaction_date: dayOfMonth(months_ago),
    seller: { country: 'NL', registrations: ['NL', 'GB'] },
    customer: { address: { country } },
    line_items: [{ amount, product_type: 'saas' }],
  })
}

const Dues = z.looseObject({
  obligations: z.array(
    z.looseObject({
      status: z.string(),
      so_far: z.array(z.looseObject({ currency: z.string(), tax_amount: z.int() })),
    }),
  ),
})

beforeAll(async () => {
  console_test = await startConsole()
  await fill()
})

afterAll(() => console_test?.close())

describe('what needs attention', () => {
  it('has a passed threshold, and one row for all overdue returns with their tax, before what costs less', async () => {
    const { page } = await console_test.signedIn('/#/overview')
    const attention = page.getByRole('region', { name: 'Needs attention' })
    await attention.getByRole('link').first().waitFor()
    const all = attention.getByRole('button', { name: /^Show all \d+$/ })
    if (await all.isVisible()) await all.click()
    const texts = (await attention.getByRole('listitem').allInnerTexts()).map(plain)
    expect(texts.filter((text) => /overdue/i.test(text))).toHaveLength(1)
    expect(texts[0]).toMatch(/^Exceeded\s+California: threshold passed on .* without registration, about \$/)
    expect(texts[1]).toMatch(/\d+ returns overdue, the oldest \d+ days late, (more than )?[€$£][\d,.]+/)
    expect(texts.findIndex((text) => /Bookkeeping/.test(text))).toBeGreaterThan(1)
    const passed = page.getByRole('link', { name: /^Thresholds: passed or close/ })
    expect(await passed.getAttribute('class')).toContain('bad')
    await page.close()
  })
})

it('the tax to file is that of all ended periods, as the list of returns has it', async () => {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const path = `/v1/obligations?to=${day(105)}&limit=100`
  const { obligations } = Dues.parse(await console_test.api('GET', path))
  const ended = obligations.filter(({ status }) => status === 'due' || status === 'overdue')
  const sum = ended
    .flatMap(({ so_far }) => so_far)
    .filter(({ currency }) => currency === 'GBP')
    .reduce((total, { tax_amount }) => total + tax_amount, 0)
  expect(sum).toBeGreaterThan(20_000)
  const { page } = await console_test.signedIn('/#/overview')
  const figure = page.getByRole('link', { name: /Unfiled tax/ })
  await figure.getByText(`${ended.length} returns`).waitFor()
  const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'GBP' }).format(sum / 100)
  expect(plain(await figure.innerText())).toContain(money)
  await page.close()
})

it('asks for the whole overview in one request, and keeps the rest when other months are chosen', async () => {
  const { page, faults } = await console_test.signedIn('/#/webhooks')
  await page.waitForLoadState('networkidle')
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/v1/')) asked.push(pathname + search)
  })
  await page.getByRole('link', { name: 'Overview', exact: true }).click()
  await page.locator('.chart .plot').waitFor()
  expect(asked).toEqual(['/v1/overview?months=12'])
  const months = page.locator('.chart .months button')
  expect(await months.count()).toBe(12)
  await page.getByLabel('Months').selectOption('3')
  await months.nth(3).waitFor({ state: 'detached' })
  expect(await months.count()).toBe(3)
  expect(await page.getByRole('region', { name: 'Latest transactions' }).getByRole('row').count()).toBe(6)
  expect(faults).toEqual([])
  await page.close()
})

it('shows the total of a month on hover and on focus', async () => {
  const { page } = await console_test.signedIn('/#/overview')
  await page.locator('.chart .plot').waitFor()
  const values = page.locator('.chart .values')
  const months = page.locator('.chart .months button')
  await months.nth(10).focus()
  const focused = plain(await values.innerText())
  expect(focused).toContain('€')
  await page.locator('.chart svg g').nth(8).hover()
  const hovered = plain(await values.innerText())
  expect(hovered).not.toBe(focused)
  expect(hovered).toMatch(/^\w{3} ’\d\d: €/)
  await page.close()
})

it('every matter leads to the thing that it names', async () => {
  const { page } = await console_test.signedIn('/#/overview')
  const attention = page.getByRole('region', { name: 'Needs attention' })
  await attention.getByRole('link').first().waitFor()
  const all = attention.getByRole('button', { name: /^Show all \d+$/ })
  if (await all.isVisible()) await all.click()
  await attention.getByRole('link', { name: /Bookkeeping/ }).click()
  await page.waitForURL((url) => url.hash.includes(webhook))
  await page.locator('h2#webhook').waitFor()
  await page.goBack()
  await attention.getByRole('link', { name: /returns overdue, the oldest/ }).click()
  await page.waitForURL((url) => url.hash === '#/returns')
  await page.locator('#return').waitFor()
  await page.close()
})

it('an empty account sees what to do, fills itself with example books, and removes them', async () => {
  const [key] = await addKeys(console_test.service, { account: 'Empty Ltd', tier: 'free' })
  const { page, faults } = await console_test.signedIn('/#/overview', {}, key)
  const start = page.getByRole('region', { name: 'Get started' })
  await start.getByText('0 of 4 steps are done').waitFor()
  await expectAccessible(page)
  await start.getByRole('button', { name: 'Fill with example books' }).click()
  await page.getByText('The example books are added').waitFor()
  await page.getByText('This account has example books.').waitFor()
  await page.getByRole('link', { name: 'EXAMPLE-1001', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Remove them' }).click()
  await page.getByRole('button', { name: 'Remove the example books' }).click()
  // The country of the account stays.
  await start.getByText('1 of 4 steps are done').waitFor()
  expect(faults).toEqual([])
  await page.close()
})

it('a small negative month does not take half of the chart', async () => {
  const { page } = await console_test.signedIn('/#/overview')
  const plot = page.locator('.chart .plot')
  await plot.waitFor()
  const share = await page.evaluate<number>(`(() => {
    const plot = document.querySelector('.chart .plot')
    const lines = [...plot.querySelectorAll('line')].map((line) => line.getBoundingClientRect().y)
    const zero = plot.querySelector('line.zero').getBoundingClientRect().y
    return (Math.max(...lines) - zero) / (Math.max(...lines) - Math.min(...lines))
  })()`)
  expect(share).toBeGreaterThan(0)
  expect(share).toBeLessThanOrEqual(0.25)
  await page.getByText('Show as table').click()
  await page.getByRole('cell', { name: '-€1.74' }).waitFor()
  await page.close()
})

it('a request that came too early counts down, and is sent again by itself', async () => {
  const { page } = await console_test.signedIn('/#/overview')
  let asked = 0
  await page.route('**/v1/transactions?*', async (route) => {
    // The sums of the list are a request of their own.
    if (route.request().url().includes('sums=')) return route.continue()
    asked += 1
    if (asked > 1) return route.continue()
    const body = { message: 'Too many requests', reason: 'rate_limited', request_id: 'req_1' }
    await route.fulfill({ status: 429, headers: { 'Retry-After': '3' }, json: body })
  })
  await page.getByRole('link', { name: 'Transactions', exact: true }).click()
  await page.getByText(/Trying again in 3 s/).waitFor()
  await page.getByText(/Trying again in 1 s/).waitFor()
  await page.getByRole('link', { name: 'uk-0', exact: true }).waitFor()
  await page.getByText(/Trying again/).waitFor({ state: 'detached' })
  expect(await page.getByRole('alert').count()).toBe(0)
  expect(asked).toBe(2)
  await page.close()
})

it('a row opens in a new tab without another sign-in, and signing out signs out both tabs', async () => {
  // Some versions of the browser without windows crash on any link that is opened in a new tab.
  const in_chromium = await startConsole(CHROMIUM)
  const { page } = await in_chromium.signedIn('/#/transactions')
  const row = page.getByRole('link', { name: 'uk-0', exact: true })
  const [other] = await Promise.all([
    page.context().waitForEvent('page'),
    row.click({ modifiers: ['Control'] }),
  ])
  await other.getByRole('complementary', { name: 'uk-0' }).waitFor()
  expect(await other.evaluate('JSON.stringify([{ ...localStorage }, document.cookie])')).toBe('[{},""]')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await other.getByLabel('API key').waitFor()
  await other.reload()
  await other.getByLabel('API key').waitFor()
  await in_chromium.close()
})
