import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, keepScreenshot } from './browser.ts'
import { type ConsoleTest, plain, startConsole } from './console.ts'

let console_test: ConsoleTest

/** A German seller in the one-stop shop; one of its sales has an invoice number, a customer and no tax. */
async function fill(): Promise<void> {
  const { api } = console_test
  await api('PUT', '/v1/account', { country: 'DE', time_zone: 'UTC' })
  for (const where of [{ jurisdiction_id: 'DE' }, { scheme: 'oss_union' }])
    await api('POST', '/v1/registrations', { ...where, valid_from: '2020-01-01' })
  const person = { name: 'Bäckerei Anna Hofmann', email: 'anna@hofmann.example', address: { country: 'FR' } }
  const customer_id = (await api('POST', '/v1/customers', person))['id']
  const line = { amount: 11_602, product_type: 'saas' }
  await api('POST', '/v1/transactions', {
    external_id: 'order-77',
    invoice_number: 'RE-2026-10435',
    customer_id,
    currency: 'EUR',
    transaction_date: '2026-02-03',
    line_items: [line],
  })
  const bakery = await api('POST', '/v1/customers', { name: 'Corner Bakery', address: { country: 'AT' } })
  for (let index = 0; index < 4; index += 1)
    await api('POST', '/v1/transactions', {
      external_id: `bread-${index}`,
      status: 'pending',
      customer_id: bakery['id'],
      currency: 'EUR',
      transaction_date: '2026-01-02',
      line_items: [{ amount: 500, product_type: 'saas' }],
    })
  for (let index = 0; index < 30; index += 1)
    await api('POST', '/v1/transactions', {
      external_id: `web-${index}`,
      currency: 'EUR',
      transaction_date: `2026-03-${String(1 + (index % 28)).padStart(2, '0')}`,
      customer: { address: { country: 'DE' } },
      line_items: [{ amount: 1_000 + index, product_type: 'saas', ...(index === 4 && { taxable: false }) }],
    })
}

beforeAll(async () => {
  console_test = await startConsole()
  await fill()
})

afterAll(() => console_test?.close())

describe('a sale', () => {
  it.each([
    ['its invoice number', 'RE-2026-10435'],
    ['the digits of the number', '10435'],
    ['a word of the name of the customer', 'hofmann'],
    ['its amount', '139,22'],
  ])('is found by %s, and tells the return that it is in', async (_by, typed) => {
    const { page, faults } = await console_test.signedIn()
    await page.getByRole('link', { name: 'Transactions', exact: true }).click()
    await page.getByRole('searchbox', { name: 'Order, invoice, customer, amount' }).fill(typed)
    await page.keyboard.press('Enter')
    await page.getByText('1 in all').waitFor()
    const row = page.getByRole('row', { name: /order-77/ })
    expect(plain(await row.innerText())).toMatch(/RE-2026-10435[^]*Bäckerei Anna Hofmann[^]*€139\.22/)
    await page.getByText('1 sale · €116.02 net · €23.20 tax · €139.22').waitFor()
    await row.getByRole('link').click()
    const drawer = page.getByRole('complementary', { name: 'order-77' })
    const link = drawer.getByRole('link', { name: 'One Stop Shop, Q1 2026' })
    await drawer.getByText(/overdue · due 30 Apr 2026/).waitFor()
    await link.click()
    await page.getByRole('heading', { level: 1, name: 'Returns' }).waitFor()
    expect(page.url()).toContain('type=oss_union&period=2026-Q1')
    expect(faults).toEqual([])
    await page.close()
  })

  it('is among those without tax, of some days, in the order of amounts, with their sums', async () => {
    const { page, faults } = await console_test.signedIn('/#/transactions')
    await page.getByText(/^31 sales/).waitFor()
    await page.getByText('More filters').click()
    await page.getByRole('combobox', { name: 'Order', exact: true }).selectOption('Largest amount first')
    const first = page.getByRole('row').nth(1)
    await expect.poll(async () => first.innerText()).toContain('order-77')
    await page.locator('summary', { hasText: /^Tax$/ }).click()
    await page.getByRole('combobox', { name: 'Tax', exact: true }).selectOption('No tax')
    await page.getByText('1 in all').waitFor()
    await page.getByText('1 sale · €10.04 net · €0.00 tax · €10.04').waitFor()
    await page.locator('summary', { hasText: 'Days' }).click()
    await page.getByRole('combobox', { name: 'Days' }).selectOption('Last month')
    await page.getByText('No transaction matches').waitFor()
    await page.getByRole('button', { name: 'Clear all' }).click()
    await page.getByText(/^31 sales/).waitFor()
    await page.getByRole('row', { name: /web-27/ }).waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'transactions')
    await page.setViewportSize({ width: 390, height: 844 })
    await keepScreenshot(page, 'transactions-phone')
    expect(faults).toEqual([])
    await page.close()
  })
})

describe('Ctrl-K', () => {
  it('finds a sale, a customer and a page from anywhere', async () => {
    const { page, faults } = await console_test.signedIn('/#/settings')
    await page.keyboard.press('Control+k')
    const search = page.getByRole('dialog', { name: 'Search everything' })
    await search.getByRole('combobox').fill('10435')
    await search.getByRole('option', { name: /order-77.*Bäckerei Anna Hofmann/ }).waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'search-everything')
    await page.keyboard.press('Enter')
    await page.getByRole('complementary', { name: 'order-77' }).waitFor()
    await page.getByRole('button', { name: 'Search Ctrl K' }).click()
    await search.getByRole('combobox').fill('hofmann')
    await search.getByRole('option', { name: /^Bäckerei Anna Hofmann/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor()
    await page.getByRole('complementary', { name: /Hofmann/ }).waitFor()
    await page.keyboard.press('Control+k')
    await search.getByRole('combobox').fill('webho')
    await search.getByRole('option').first().waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
    expect(await search.count()).toBe(0)
    expect(faults).toEqual([])
    await page.close()
  })

  it.each([
    ['oss q1 2026', 'Returns', /^One Stop Shop, Q1 2026/, /#\/returns\?type=oss_union&period=2026-Q1/],
    ['new key', 'Actions', /^Create a key/, /#\/keys\/new/],
    ['austria', 'Places', /^Austria/, /#\/rates\?place=AT/],
  ])('finds a return, an action and a place: %s', async (typed, kind, name, address) => {
    const { page, faults } = await console_test.signedIn('/#/settings')
    await page.keyboard.press('Control+k')
    const search = page.getByRole('dialog', { name: 'Search everything' })
    await search.getByRole('combobox').fill(typed)
    await search.getByRole('group', { name: kind }).getByRole('option', { name }).first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(address)
    expect(faults).toEqual([])
    await page.close()
  })

  it('shows customers before sales, three of them, and then the way to all', async () => {
    const { page, faults } = await console_test.signedIn('/#/settings')
    await page.keyboard.press('Control+k')
    const search = page.getByRole('dialog', { name: 'Search everything' })
    await search.getByRole('combobox').fill('bakery')
    await search.getByRole('option', { name: 'All sales with “bakery”' }).waitFor()
    const groups = search.getByRole('group')
    expect(await groups.evaluateAll((all) => all.map((each) => each.ariaLabel))).toEqual([
      'Customers',
      'Sales',
    ])
    expect(await groups.last().getByRole('option').allInnerTexts()).toHaveLength(4)
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await page.getByRole('complementary', { name: 'Corner Bakery' }).waitFor()
    expect(faults).toEqual([])
    await page.close()
  })

  it('opens the first that is found if Enter was pressed before it came', async () => {
    const { page, faults } = await console_test.signedIn('/#/settings')
    const asked = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    await page.route('**/v1/transactions?q=*', async (route) => {
      asked.resolve()
      await released.promise
      await route.continue()
    })
    await page.keyboard.press('Control+k')
    const search = page.getByRole('dialog', { name: 'Search everything' })
    await search.getByRole('combobox').fill('web-2')
    await page.keyboard.press('Enter')
    await search.getByRole('combobox').fill('10435')
    await asked.promise
    await search.getByText('Searching…').waitFor()
    await page.keyboard.press('Enter')
    released.resolve()
    await page.getByRole('complementary', { name: 'order-77' }).waitFor()
    expect(await search.count()).toBe(0)
    expect(faults).toEqual([])
    await page.close()
  })

  it('says that nothing is found, and closes with Escape', async () => {
    const { page, faults } = await console_test.signedIn('/#/overview', {
      viewport: { width: 390, height: 844 },
    })
    await page.getByRole('button', { name: /^Search/ }).click()
    const search = page.getByRole('dialog', { name: 'Search everything' })
    await search.getByRole('combobox').fill('no such thing')
    await search.getByText('No results.').waitFor()
    await keepScreenshot(page, 'search-nothing-phone')
    await page.keyboard.press('Escape')
    await expect.poll(async () => search.count()).toBe(0)
    expect(faults).toEqual([])
    await page.close()
  })
})
