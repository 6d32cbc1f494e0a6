import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Scope } from '../../src/platform/database/values/scopes.ts'
import { type ConsoleTest, plain, startConsole } from './console.ts'

let console_test: ConsoleTest
const ids = new Map<string, string>()

async function sell(external_id: string, more: object, amount = 10_000, product_type = 'saas') {
  const { id } = await console_test.api('POST', '/v1/transactions', {
    external_id,
    currency: 'EUR',
    transaction_date: '2026-08-03T10:00:00Z',
    line_items: [{ amount, product_type, description: 'Plan' }],
    ...more,
  })
  ids.set(external_id, String(id))
}

const inCountry = (country: string, region?: string) => ({
  customer: { address: { country, ...(region && { region }) } },
})

async function fill(): Promise<void> {
  const { api } = console_test
  await api('PUT', '/v1/account', { country: 'DE', time_zone: 'Europe/Berlin' })
  for (const where of [{ jurisdiction_id: 'DE' }, { scheme: 'oss_union' }, { jurisdiction_id: 'US-WA' }])
    await api('POST', '/v1/registrations', { ...where, valid_from: '2026-07-01' })
  await sell('french', inCountry('FR'))
  const address = { country: 'DE' }
  const acme = await api('POST', '/v1/customers', { name: 'Acme', external_id: 'c-1', address })
  ids.set('acme', String(acme['id']))
  await sell('german', { customer_id: acme['id'], ...inCountry('DE') })
  const business = { type: 'business', vat_id: 'ATU33864707', vat_id_validated: true }
  await sell('austrian', { customer: { ...business, address: { country: 'AT' } } })
  const dollars = { currency: 'USD', transaction_date: new Date().toISOString() }
  await sell('texan', { ...inCountry('US', 'TX'), ...dollars }, 49_999_999)
  await sell('californian', { ...inCountry('US', 'CA'), ...dollars }, 100, 'physical_goods')
  const reviewed = { type: 'oss_union', period: '2026-Q3', submission: { state: 'reviewed' } }
  await api('POST', '/v1/returns', reviewed)
}

async function opened(path: string, key?: string): Promise<Page> {
  return (await console_test.signedIn(path, {}, key)).page
}

/** A page of a key of the same account with these scopes only. */
async function pageWith(scopes: readonly Scope[], path: string): Promise<Page> {
  const { key } = await console_test.api('POST', '/v1/api-keys', { name: scopes.join(), scopes })
  return opened(path, String(key))
}

const drawerOf = (page: Page) => page.locator('#drawer')

/** What a named fact of the page says. */
const factOf = (page: Page, name: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('dd')

beforeAll(async () => {
  console_test = await startConsole()
  await fill()
})

afterAll(() => console_test?.close())

describe('a share', () => {
  it('of a threshold that is not passed is never 100 %, and that of a sale never 0 %', async () => {
    const page = await opened('/#/nexus')
    const texas = page.getByRole('row', { name: /Texas/ })
    await texas.waitFor()
    expect(plain(await texas.innerText())).toMatch(/99\.9 %[^]*Approaching/)
    expect(plain(await page.getByRole('row', { name: /California/ }).innerText())).toContain('under 0.1 %')
    await page.close()
  })
})

describe('a return', () => {
  it('that is reviewed is told to be kept, and not to be filed', async () => {
    const page = await opened('/#/returns?type=oss_union&period=2026-Q3')
    const kept = page.getByRole('region', { name: 'Locked, not filed, version 1' })
    await kept.waitFor()
    const group = page.getByRole('navigation', { name: 'Returns' }).locator('section')
    const listed = await group.filter({ hasText: 'Reviewed' }).innerText()
    expect(listed).toMatch(/^Locked, not filed[^]*Q3 2026 · locked \d+ \w+ 20\d\d\s+Reviewed$/)
    expect(await page.locator('#content').innerText()).not.toContain('· filed')
    await page.close()
  })

  it('says when its tax data is from as people write moments', async () => {
    const page = await opened('/#/returns?type=oss_union&period=2026-Q3')
    const moment = /^\d+ \w{3} 20\d\d, \d\d:\d\d$/
    await factOf(page, 'Tax data of').filter({ hasText: moment }).waitFor()
    await page.goto(`${console_test.service.origin}/console#/rates`)
    await page.getByText(/^Tax data of \d+ \w{3} 20\d\d, \d\d:\d\d$/).waitFor()
    await page.close()
  })

  it('without sales says so, in the list and in the overview', async () => {
    const page = await opened('/#/overview')
    const due = page.getByRole('table', { name: 'Open returns by due date' })
    await due.getByRole('row', { name: /Washington, September 2026.*No sales/ }).waitFor()
    await page.goto(`${console_test.service.origin}/console#/returns`)
    const list = page.getByRole('navigation', { name: 'Returns' })
    await list.getByRole('link', { name: /Washington.*September 2026.*No sales/ }).waitFor()
    await page.close()
  })

  it('links the page that names its boxes', async () => {
    const path = '/#/returns?type=eu_domestic&period=2026-Q3&jurisdiction_id=DE'
    const page = await opened(path)
    const note = page.getByRole('listitem').filter({ hasText: 'Boxes of Umsatzsteuer-Voranmeldung' })
    expect(await note.getByRole('link').getAttribute('href')).toMatch(/^https:\/\/www\.elster\.de\//)
    expect(await note.innerText()).not.toContain('https:')
    await page.close()
  })
})

describe('the overview', () => {
  it('shows the sums of all currencies alike, and the returns in words', async () => {
    const page = await opened('/#/customers')
    const to_file = ['EUR', 'USD', 'GBP'].map((currency) => ({ currency, tax_amount: 100 }))
    await page.route('**/v1/overview*', async (route) => {
      const answer = await (await route.fetch()).json()
      await route.fulfill({ json: { ...answer, returns: { ...answer.returns, to_file } } })
    })
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByText(/^\d+ returns?, \d+ overdue, since \d+ \w{3} \d{4}$/).waitFor()
    const figure = page.getByRole('link', { name: /Unfiled tax/ })
    for (const sum of ['€1.00', '$1.00', '£1.00']) expect(plain(await figure.innerText())).toContain(sum)
    await page.close()
  })
})

describe('a note', () => {
  it('has its days as people write them', async () => {
    const page = await opened('/#/nexus/US-CA')
    await drawerOf(page).getByText('AB 147 set 500,000 retroactively to 1 Apr 2019.').waitFor()
    await page.close()
  })
})

describe('a key that only reads sales', () => {
  it('sees that times are in UTC, and no link to what it may not read', async () => {
    const page = await pageWith(['transactions:read'], `/#/transactions/${ids.get('german')}`)
    expect(await factOf(page, 'Date').innerText()).toBe('3 Aug 2026, 10:00 UTC')
    expect(await factOf(page, 'In return').innerText()).toContain('VAT return, Germany, Q3 2026')
    // The page for reports is public.
    expect(await drawerOf(page).locator('dl a:not([href*="/wrong"])').count()).toBe(0)
    await page.close()
    const full = await opened(`/#/transactions/${ids.get('german')}`)
    expect(await factOf(full, 'Date').innerText()).toBe('3 Aug 2026, 12:00')
    expect(await drawerOf(full).locator('dl a').allInnerTexts()).toContain('Acme')
    await full.close()
  })
})

describe('an e-invoice', () => {
  it('writes VAT with capitals', async () => {
    const page = await opened(`/#/transactions/${ids.get('austrian')}`)
    await drawerOf(page).getByText('Category, code, sentence and number').click()
    await drawerOf(page).getByText('The invoice also needs: buyer VAT id.', { exact: true }).waitFor()
    await page.close()
  })
})

describe('a delivery that waits', () => {
  it('tells the same next attempt in its drawer as in the list', async () => {
    const url = 'https://hooks.example.com/tax'
    const { id } = await console_test.api('POST', '/v1/webhooks', { url, events: ['*'] })
    const long_ago = '2026-01-01T00:00:00.000Z'
    const delivery = {
      id: 'dlv_01m8bvjjrxe0080mppsk7sezq9',
      webhook_id: id,
      event_id: 'evt_01m8bvjjjde0080mh9hnbwgtas',
      event: 'return.due',
      subject: 'A return',
      status: 'pending',
      next_attempt_at: long_ago,
      created_at: long_ago,
      updated_at: long_ago,
      attempts: [],
      payload: { event: 'return.due', data: {} },
    }
    const page = await opened('/#/webhooks')
    await page.route('**/deliveries?*', (route) =>
      route.fulfill({ json: { deliveries: [delivery], next_cursor: null, has_more: false } }),
    )
    await page.route(`**/deliveries/${delivery.id}`, (route) => route.fulfill({ json: delivery }))
    await page.goto(`${console_test.service.origin}/console#/webhooks?webhook=${String(id)}`)
    await page.getByRole('link', { name: 'return.due' }).click()
    expect(await factOf(page, 'Next attempt').innerText()).toBe('With the next try')
    await page.close()
  })
})
