import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Scope } from '../../src/platform/database/values/scopes.ts'
import { type ConsoleTest, plain, startConsole } from './console.ts'
import { addKeys } from '../support/running-service.ts'

let console_test: ConsoleTest
const ids = new Map<string, string>()

type Line = { amount: number; product_type: string; description?: string }

async function sell(external_id: string, currency: string, lines: readonly Line[], more: object = {}) {
  const { id } = await console_test.api('POST', '/v1/transactions', {
    external_id,
    currency,
    customer: { address: { country: 'DE' } },
    transaction_date: '2026-08-03',
    line_items: lines,
    ...more,
  })
  ids.set(external_id, String(id))
}

async function fill(): Promise<void> {
  const { api } = console_test
  await api('PUT', '/v1/account', { country: 'DE', time_zone: 'Europe/Berlin' })
  for (const where of [{ jurisdiction_id: 'DE' }, { scheme: 'oss_union' }])
    await api('POST', '/v1/registrations', { ...where, valid_from: '2026-07-01' })
  await sell('euro', 'EUR', [
    { amount: 10_000, product_type: 'physical_goods', description: 'Lamp' },
    { amount: 5_000, product_type: 'books' },
  ])
  await sell('dinar', 'KWD', [{ amount: 500_000, product_type: 'physical_goods' }])
  await sell('voided', 'EUR', [{ amount: 7_000, product_type: 'physical_goods' }], { status: 'pending' })
  await api('POST', `/v1/transactions/${ids.get('voided')}/void`)
  await sell('pending', 'EUR', [{ amount: 3_000, product_type: 'physical_goods' }], { status: 'pending' })
  const abroad = { customer: { address: { country: 'FR' } } }
  await sell('french', 'EUR', [{ amount: 10_000, product_type: 'saas' }], abroad)
  await sell('crowns', 'NOK', [{ amount: 20_000, product_type: 'saas' }], abroad)
  const florida = { customer: { address: { country: 'US', region: 'FL', postal_code: '33101' } } }
  const this_year = { ...florida, transaction_date: new Date().toISOString() }
  await sell('florida', 'USD', [{ amount: 12_000_000, product_type: 'physical_goods' }], this_year)
  const address = { country: 'DE' }
  const acme = await api('POST', '/v1/customers', { name: 'Acme', external_id: 'c-1', address })
  const lately = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10)
  const certificate = {
    jurisdiction_id: 'US-NY',
    exemption_type: 'resale',
    certificate_number: 'NY-119',
    valid_from: '2026-01-01',
    valid_to: lately,
  }
  const exemptions = `/v1/customers/${String(acme['id'])}/exemptions`
  const { id } = await api('POST', exemptions, certificate)
  await api('PUT', `${exemptions}/${String(id)}`, { status: 'verified' })
  const url = 'https://hooks.example.com/tax'
  ids.set('webhook', String((await api('POST', '/v1/webhooks', { url, events: ['*'] }))['id']))
}

/** A key of the same account with these scopes only. */
async function keyWith(scopes: readonly Scope[]): Promise<string> {
  const { key } = await console_test.api('POST', '/v1/api-keys', { name: scopes.join(), scopes })
  return String(key)
}

const drawerOf = (page: Page) => page.locator('#drawer')

beforeAll(async () => {
  console_test = await startConsole()
  await fill()
})

afterAll(() => console_test?.close())

describe('a key that only reads', () => {
  it('is offered no refund and no change of a sale, a customer, a webhook or the settings', async () => {
    const key = await keyWith(['transactions:read', 'customers:read', 'webhooks:read', 'registrations:read'])
    const { page } = await console_test.signedIn(`/#/transactions/${ids.get('euro')}`, {}, key)
    await drawerOf(page).getByRole('table', { name: 'Lines' }).waitFor()
    expect(
      await drawerOf(page)
        .getByRole('button', { name: /Refund/ })
        .count(),
    ).toBe(0)
    await page.goto(`${console_test.service.origin}/console#/transactions/${ids.get('pending')}`)
    await drawerOf(page).getByText('A pending sale is in no return').waitFor()
    expect(
      await drawerOf(page)
        .getByRole('button', { name: /Complete|Void/ })
        .count(),
    ).toBe(0)
    await page.goto(`${console_test.service.origin}/console#/customers`)
    await page.getByRole('link', { name: 'Acme' }).click()
    await drawerOf(page).getByText('c-1').waitFor()
    expect(
      await drawerOf(page)
        .getByRole('button', { name: /Edit|Erase|Check/ })
        .count(),
    ).toBe(0)
    expect(await drawerOf(page).getByText('Add a certificate').count()).toBe(0)
    await page.goto(`${console_test.service.origin}/console#/webhooks?webhook=${ids.get('webhook')}`)
    await page.getByText('Failures in a row').waitFor()
    expect(await page.getByRole('button', { name: /test event|Disable|Delete/ }).count()).toBe(0)
    await page.goto(`${console_test.service.origin}/console#/settings`)
    await page.getByText('This key can read this, but not change it.').waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
    await page.close()
  })

  it('opens a record without a request that is refused', async () => {
    const { page } = await console_test.signedIn('/#/overview', {}, await keyWith(['customers:read']))
    const refused: string[] = []
    page.on('response', (response) => response.status() === 403 && refused.push(response.url()))
    await page.goto(`${console_test.service.origin}/console#/customers`)
    await page.getByRole('link', { name: 'Acme' }).click()
    await drawerOf(page).getByText('c-1').waitFor()
    await page.waitForLoadState('networkidle')
    expect(refused).toEqual([])
    await page.close()
  })
})

describe('a refund', () => {
  it('takes the dinars that it shows, in each language', async () => {
    for (const locale of ['en-US', 'de-DE']) {
      const { page } = await console_test.signedIn(`/#/transactions/${ids.get('dinar')}`, { locale })
      await drawerOf(page).getByRole('button', { name: 'Refund…' }).click()
      const amount = drawerOf(page).getByLabel('Amount, tax included')
      expect(await amount.inputValue()).toBe('595.000')
      const split = drawerOf(page).locator('.refund-split')
      await amount.fill('1.234')
      await split.getByText(/^KWD\s1\.234 refund$/).waitFor()
      await amount.fill('595.000')
      await split.getByText(/^KWD\s595\.000 refund$/).waitFor()
      // More than is left, and less than nothing, gives nothing back.
      for (const wrong of ['595.001', '-5', '0']) {
        await amount.fill(wrong)
        await split.waitFor({ state: 'detached' })
      }
      await page.close()
    }
  })

  it('of a line names its product, and the line what was given back of it', async () => {
    const path = `/v1/transactions/${ids.get('euro')}`
    const { line_items } = await console_test.api('GET', path)
    const [, book] = line_items as { id: string }[]
    await console_test.api('POST', `${path}/refund`, { amount: 1_000, reason: 'Goodwill' })
    const lines = [{ id: book?.id, amount: 2_000 }]
    await console_test.api('POST', `${path}/refund`, { line_items: lines, reason: 'A page is missing' })
    const { page } = await console_test.signedIn(`/#/transactions/${ids.get('euro')}`)
    await drawerOf(page)
      .getByRole('row', { name: /Books.*€20\.00 refunded/ })
      .waitFor()
    await drawerOf(page)
      .getByRole('row', { name: /A page is missing\s*Books/ })
      .waitFor()
    await page.close()
  })
})

it('a sale names the last day of its return as the list of returns does, and that it is overdue', async () => {
  const { page } = await console_test.signedIn(`/#/transactions/${ids.get('euro')}`)
  await drawerOf(page).getByText('VAT return, Germany, Q3 2026 · overdue · due 12 Oct 2026').waitFor()
  await page.goto(`${console_test.service.origin}/console#/returns`)
  await page
    .getByRole('link', { name: /Germany.*due 12 Oct/s })
    .first()
    .waitFor()
  await page.close()
})

it('the sums of sales say which sales of the list they leave out', async () => {
  const { page } = await console_test.signedIn('/#/transactions')
  const left_out = page.getByText('Totals and export leave out pending, voided and replaced sales')
  await page.locator('.sums summary').click()
  await left_out.waitFor()
  await page.goto(`${console_test.service.origin}/console#/transactions?status=voided`)
  await page.getByText('1 sale').waitFor()
  expect(await left_out.count()).toBe(0)
  await page.goto(`${console_test.service.origin}/console#/transactions?jurisdiction_id=US`)
  await page.getByText('Sales in a state or province of United States are listed there').waitFor()
  await page.close()
})

it('a return without the rate of a currency says so at its figure and at its file', async () => {
  const { page } = await console_test.signedIn('/#/returns?type=oss_union&period=2026-Q3')
  const head = page.getByRole('region', { name: /Union scheme/ })
  await head.getByText('whose exchange rate is missing').waitFor()
  expect(plain(await head.innerText())).toContain('without NOK 40.00')
  await page.getByLabel('Layout').selectOption('csv')
  await page.getByText('The file can be made, but it is incomplete. The sales in NOK').waitFor()
  expect(await page.getByText('The file is complete').count()).toBe(0)
  await page.close()
})

it('a threshold that obliges from the next year on needs attention, and leads to its place', async () => {
  const { page } = await console_test.signedIn('/#/overview')
  const attention = page.getByRole('region', { name: 'Needs attention' })
  await attention
    .getByRole('link', { name: /Florida: 120\s% of the threshold that counts from 1 Jan/ })
    .click()
  await drawerOf(page).getByText('The sales of this year have passed the threshold.').waitFor()
  await page.close()
})

it('a certificate that has ended needs attention, and leads to its drawer', async () => {
  const { page } = await console_test.signedIn('/#/overview')
  const attention = page.getByRole('region', { name: 'Needs attention' })
  const all = attention.getByRole('button', { name: /^Show all \d+$/ })
  await attention.getByRole('link').first().waitFor()
  if (await all.isVisible()) await all.click()
  await attention.getByRole('link', { name: /Certificate NY-119 of Acme ended/ }).click()
  await drawerOf(page).getByRole('heading', { name: 'NY-119' }).waitFor()
  await drawerOf(page).getByText('expired', { exact: false }).first().waitFor()
  await page.close()
})

it('the search of all finds a sale by its id, as it is copied, and by an amount of dinars', async () => {
  const { page } = await console_test.signedIn('/#/overview')
  await page.keyboard.press('Control+k')
  const search = page.getByRole('combobox', { name: /order, invoice/ })
  for (const [typed, name] of [
    [ids.get('euro') ?? '', 'euro'],
    ['KWD 595.000', 'dinar'],
  ] as const) {
    await search.fill(typed)
    await page.getByRole('option', { name: new RegExp(`^${name}`) }).waitFor()
  }
  await page.close()
})

it('a large amount and a long name stay within the page', async () => {
  const name = `Donau${'dampfschifffahrts'.repeat(8)}gesellschaft`
  await console_test.api('POST', '/v1/customers', { name, address: { country: 'DE' } })
  await sell('large', 'EUR', [{ amount: 100_000_000_000, product_type: 'physical_goods' }])
  for (const [width, path, shown] of [
    [1280, '/#/customers', name],
    [390, '/#/returns?type=eu_domestic&period=2026-Q3&jurisdiction_id=DE', 'Steuerpflichtige Umsätze'],
  ] as const) {
    const { page } = await console_test.signedIn(path, { viewport: { width, height: 800 } })
    await page.getByText(shown).first().waitFor()
    expect(
      await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
      path,
    ).toBeLessThanOrEqual(0)
    await page.close()
  }
})

it('a calculation of an account in the United States begins there', async () => {
  const [key = ''] = await addKeys(console_test.service, { account: 'American' })
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ country: 'US', region: 'TX' })
  await fetch(`${console_test.service.origin}/v1/account`, { method: 'PUT', headers, body })
  const { page } = await console_test.signedIn('/#/calculation', {}, key)
  await page.getByLabel('To', { exact: true }).waitFor()
  expect(await page.getByLabel('To', { exact: true }).inputValue()).toBe('United States')
  expect(await page.getByLabel('Currency').inputValue()).toBe('USD')
  await page.close()
})

it('two lines of one name are told apart in a refund', async () => {
  await sell('twins', 'EUR', [
    { amount: 1_000, product_type: 'saas', description: 'Seat' },
    { amount: 2_000, product_type: 'saas', description: 'Seat' },
  ])
  const { page } = await console_test.signedIn(`/#/transactions/${ids.get('twins')}`)
  await drawerOf(page).getByRole('button', { name: 'Refund…' }).click()
  await drawerOf(page).getByLabel('Single lines').check()
  await drawerOf(page).getByLabel('Amount of Seat (line 2), tax included').waitFor()
  await page.close()
})

/** The quarter that it is now in the time zone of the account. */
function presentQuarter(): string {
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' }).format(new Date())
  const [year, month] = day.split('-')
  return `Q${Math.ceil(Number(month) / 3)} ${year}`
}

it('the list of returns has no period that has not begun', async () => {
  const before = presentQuarter()
  const { page } = await console_test.signedIn('/#/returns')
  const current = page.getByRole('navigation', { name: 'Returns' }).locator('section', {
    has: page.getByRole('heading', { name: 'Current periods' }),
  })
  await current.waitFor()
  const texts = await current.getByRole('listitem').allInnerTexts()
  // The page may have been read at the last moment of a quarter.
  const quarters = [before, presentQuarter()]
  for (const text of texts)
    expect(
      quarters.some((quarter) => text.includes(quarter)),
      text,
    ).toBe(true)
  await page.close()
})

it('a sale says by how much the charged total differs from the calculated one', async () => {
  const line = { amount: 10_000, product_type: 'physical_goods' }
  await sell('charged otherwise', 'EUR', [line], { expected_total: 12_000 })
  const { page } = await console_test.signedIn(`/#/transactions/${ids.get('charged otherwise')}`)
  const why = drawerOf(page).getByRole('region', { name: 'Why' })
  await why.getByText('The total that was charged is €1.00 more than the calculated one.').waitFor()
  await page.close()
})
