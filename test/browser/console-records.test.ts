import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, keepScreenshot } from './browser.ts'
import { CONSOLE_LOOKS, type ConsoleTest, plain, startConsole } from './console.ts'

let console_test: ConsoleTest

const SALES = 31
const EVIL_NAME = '<img src=x onerror=alert(1)> & Sons'
let customer = ''

/** Sales of this month, and a certificate to review. */
async function fill(): Promise<void> {
  const { api } = console_test
  const line = { amount: 10_000, product_type: 'saas', description: EVIL_NAME }
  const sale = { currency: 'EUR', customer: { address: { country: 'DE' } }, line_items: [line] }
  for (let index = SALES - 1; index >= 0; index -= 1)
    await api('POST', '/v1/transactions', {
      ...sale,
      external_id: `order-${index}`,
      seller: { country: 'DE' },
    })
  customer = String((await api('POST', '/v1/customers', { name: EVIL_NAME }))['id'])
  await api('POST', `/v1/customers/${customer}/exemptions`, {
    jurisdiction_id: 'US-WA',
    exemption_type: 'resale',
    valid_from: '2026-01-01',
    certificate_url: 'https://example.com/1.pdf',
    certificate_number: 'CERT-1',
  })
}

beforeAll(async () => {
  console_test = await startConsole()
  await fill()
})

afterAll(() => console_test?.close())

describe('a calculation', () => {
  it('shows totals, lines, taxes and the rules that led there', async () => {
    const { page, faults } = await console_test.signedIn('/#/calculation')
    await page.getByRole('button', { name: 'Add a line' }).click()
    const second = page.getByRole('group', { name: 'Line 2' })
    await second.getByLabel('Amount').fill('100')
    await second.getByLabel('Product type').selectOption('ebooks')
    await page.getByRole('button', { name: 'Calculate' }).click()
    const result = page.getByRole('region', { name: 'Result' })
    await result.locator('.overall').waitFor()
    expect(plain(await result.locator('.overall').innerText())).toBe(
      'Tax €9.50 · total €129.49 · France (FR)',
    )
    expect(await result.getByRole('table', { name: 'Steps of the calculation' }).innerText()).toContain(
      'Directive 2006/112/EC, art. 58',
    )
    expect(faults).toEqual([])
    await page.close()
  })

  it('says what is wrong with an amount before it is sent, and with a country after it was', async () => {
    const { page } = await console_test.signedIn('/#/calculation')
    await page.getByLabel('Amount').fill('1.999,00')
    await page.getByRole('button', { name: 'Calculate' }).click()
    expect(await page.getByRole('alert').innerText()).toContain(
      'Line 1: must be an amount in EUR such as 19.99',
    )
    await page.getByLabel('Amount').fill('19,99')
    await page.getByLabel('Customer’s country').fill('QQ')
    await page.getByRole('button', { name: 'Calculate' }).click()
    await page.getByText('must be an ISO 3166-1 country code').waitFor()
    expect(await page.getByRole('alert').innerText()).toContain('Reason: invalid_request')
    await page.close()
  })

  it('counts yen without decimals', async () => {
    const { page } = await console_test.signedIn('/#/calculation')
    await page.getByLabel('Currency').fill('JPY')
    await page.getByLabel('Amount').fill('1000')
    await page.getByRole('button', { name: 'Calculate' }).click()
    await page.getByText('Tax ¥200 · total ¥1,200').waitFor()
    await page.close()
  })
})

describe('local taxes', () => {
  it('of a ZIP are shown with their places, and how sure they are', async () => {
    const { page, faults } = await console_test.signedIn('/#/local-taxes')
    await page.getByLabel('ZIP').fill('55401')
    await page.getByLabel('City').fill('Minneapolis')
    await page.getByRole('button', { name: 'Show' }).click()
    const taxes = page.getByRole('table', { name: 'Taxes' })
    await taxes.waitFor()
    expect(await page.locator('.overall').innerText()).toBe('9.025% in all')
    expect(await taxes.innerText()).toContain('Hennepin County')
    expect(await page.locator('main dl').innerText()).toContain('zip5 city')
    await page.getByLabel('ZIP').fill('1')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByRole('alert').waitFor()
    expect(faults).toEqual([])
    await page.close()
  })
})

describe('transactions', () => {
  it('are listed, shown with their lines, and refunded once however often the button is pressed', async () => {
    const { page, faults } = await console_test.signedIn('/#/transactions')
    await page.getByRole('link', { name: 'order-0', exact: true }).click()
    const drawer = page.getByRole('complementary', { name: 'order-0' })
    await drawer.getByRole('table', { name: 'Lines' }).waitFor()
    expect(await drawer.getByLabel('Amount, tax included').inputValue()).toBe('119.00')
    await drawer.getByLabel('Amount, tax included').fill('19.00')
    await drawer.getByLabel('Reason').fill('Returned')
    await drawer.getByRole('button', { name: 'Refund' }).dblclick()
    await drawer.getByRole('table', { name: 'Refunds' }).waitFor()
    await page.getByText('Refunded €19.00, including tax €3.03').waitFor()
    expect(await drawer.getByRole('table', { name: 'Refunds' }).locator('tbody tr').count()).toBe(1)
    expect(await drawer.getByLabel('Amount, tax included').inputValue()).toBe('100.00')
    await drawer.getByLabel('Amount, tax included').fill('100.01')
    await drawer.getByLabel('Reason').fill('Too much')
    await drawer.getByRole('button', { name: 'Refund' }).click()
    await drawer.getByRole('alert').waitFor()
    expect(await drawer.getByRole('alert').innerText()).toContain('refund_exceeds_remaining')
    expect(faults).toEqual([])
    await page.close()
  })

  it('are read page by page', async () => {
    const { page } = await console_test.signedIn('/#/transactions')
    await page.getByText(`25 of ${SALES}`).waitFor()
    await page.getByRole('button', { name: 'Load more' }).click()
    await page.getByRole('link', { name: 'order-30', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Load more' }).waitFor({ state: 'detached' })
    expect(await page.locator('main tbody tr').count()).toBe(SALES)
    await page.close()
  })

  it('keep their filters in the address, and the drawer keeps the list', async () => {
    const { page, faults } = await console_test.signedIn('/#/transactions')
    await page.locator('summary', { hasText: 'Status' }).click()
    await page.getByRole('combobox', { name: 'Status' }).selectOption('voided')
    await page.getByText('No transactions').waitFor()
    expect(page.url()).toContain('#/transactions?status=voided')
    await page.reload()
    await page.getByText('No transactions').waitFor()
    await page.getByRole('button', { name: 'Clear all' }).click()
    const row = page.getByRole('link', { name: 'order-3', exact: true })
    await row.click()
    await page.getByRole('complementary', { name: 'order-3' }).waitFor()
    expect(page.url()).toMatch(/#\/transactions\/txn_\w+$/)
    await page.keyboard.press('Escape')
    await page.getByRole('complementary', { name: 'order-3' }).waitFor({ state: 'hidden' })
    expect(page.url()).toMatch(/#\/transactions$/)
    expect(await page.evaluate('document.activeElement.textContent')).toBe('order-3')
    expect(faults).toEqual([])
    await page.close()
  })
})

describe('certificates', () => {
  it('wait for somebody to verify or reject them, and names are shown as they are', async () => {
    const { page, faults } = await console_test.signedIn('/#/certificates')
    const card = page.getByRole('region', { name: `CERT-1 of ${EVIL_NAME}` })
    await card.waitFor()
    expect(await card.locator('h2').innerText()).toBe(EVIL_NAME)
    await card.getByLabel('Notes').fill('Seen')
    await card.getByRole('button', { name: 'Verify CERT-1' }).click()
    await card.waitFor({ state: 'detached' })
    const { exemptions } = await console_test.api('GET', `/v1/customers/${customer}/exemptions`)
    expect(exemptions).toMatchObject([{ status: 'verified', verification_notes: 'Seen' }])
    expect(faults).toEqual([])
    await page.close()
  })
})

describe.each(Object.entries(CONSOLE_LOOKS))('in %s', (look, options) => {
  it('transactions and their drawer are accessible', async () => {
    const { page } = await console_test.signedIn('/#/transactions', options)
    await page.locator('main tbody a').first().waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, `console-transactions-${look}`)
    await page.locator('main tbody a').first().click()
    await page.locator('#drawer dl').waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, `console-transaction-${look}`)
    await page.close()
  })

  it('the calculation and local taxes are accessible', async () => {
    const { page } = await console_test.signedIn('/#/calculation', options)
    await page.getByRole('button', { name: 'Calculate' }).click()
    await page.locator('.overall').waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, `console-calculation-${look}`)
    await page.goto(`${console_test.service.origin}/console/#/local-taxes`)
    await page.getByLabel('ZIP').fill('73072')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByRole('table', { name: 'Local taxes in other parts' }).waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, `console-local-taxes-${look}`)
    await page.close()
  })
})
