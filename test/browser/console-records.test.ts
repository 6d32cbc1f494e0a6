import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openLocal } from '../../scripts/bindings.ts'
import { expectAccessible, expectNarrow, keepScreenshot } from './browser.ts'
import { CONSOLE_LOOKS, type ConsoleTest, plain, startConsole } from './console.ts'
import { addKeys } from '../support/running-service.ts'

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
  customer = String(
    (
      await api('POST', '/v1/customers', {
        name: EVIL_NAME,
        external_id: 'crm-1',
        address: { country: 'DE' },
      })
    )['id'],
  )
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

/** How far what was drawn has moved since the page was loaded, in units of layout shift. */
async function shiftOf(page: Page): Promise<number> {
  return page.evaluate<number>(`new Promise((done) => {
    new PerformanceObserver((list) =>
      done(list.getEntries().reduce((sum, each) => sum + (each.hadRecentInput ? 0 : each.value), 0)),
    ).observe({ type: 'layout-shift', buffered: true })
    setTimeout(() => done(0), 1000)
  })`)
}

/** The name of what has the focus. */
async function focused(page: Page): Promise<string> {
  return String(await page.evaluate('document.activeElement.name || document.activeElement.textContent'))
}

describe('a calculation', () => {
  it('has the answer beside the form from the start, and leaves the phone at the form', async () => {
    const { page, faults } = await console_test.signedIn('/#/calculation', CONSOLE_LOOKS['phone-light'])
    const result = page.getByRole('region', { name: 'Result' })
    await result.locator('.overall').getByText('on €19.99').waitFor()
    expect(await page.evaluate('scrollY')).toBe(0)
    expect(faults).toEqual([])
    await page.close()
  })

  it('shows totals and the reason of each line in words, with the steps and their law folded below', async () => {
    const { page, faults } = await console_test.signedIn('/#/calculation')
    await page.getByLabel('Registered in').fill('One Stop Shop')
    await page.getByRole('button', { name: 'Add a line' }).click()
    const second = page.getByRole('group', { name: 'Line 2' })
    await second.getByLabel('Amount').fill('100')
    await second.getByLabel('Product type').fill('ebooks')
    await page.getByRole('button', { name: 'Calculate' }).click()
    const result = page.getByRole('region', { name: 'Result' })
    await result.locator('.sum').getByText('129.49').waitFor()
    expect(plain(await result.locator('.overall').innerText())).toBe('€9.50 tax on €119.99')
    const why = result.getByRole('region', { name: 'Why' })
    expect(await why.innerText()).toContain(
      'Software as a service · €19.99 · 20 % VAT of France = €4.00 · standard rate, ',
    )
    expect(await why.innerText()).toContain('€100.00 · 5.5 % VAT of France = €5.50 · reduced rate, ')
    await why.getByText('All steps, with the law').click()
    expect(await result.locator('.steps').innerText()).toContain('Directive 2006/112/EC, art. 58')
    expect(faults).toEqual([])
    await page.close()
  })

  it('takes countries by name, and never another one than was typed', async () => {
    const { page } = await console_test.signedIn('/#/calculation')
    const country = page.getByLabel('To', { exact: true })
    await country.fill('Germany')
    await page.getByRole('button', { name: 'Calculate' }).click()
    await page.getByRole('heading', { name: 'Germany (DE)' }).waitFor()
    await country.fill('Gemrany')
    await page.getByRole('button', { name: 'Calculate' }).click()
    await page.getByText('“Gemrany” is not in the list').first().waitFor()
    expect(await country.inputValue()).toBe('Gemrany')
    expect(await page.getByRole('heading', { name: 'Germany (DE)' }).count()).toBe(0)
    await country.fill('United Kingdom')
    await expect.poll(() => page.getByLabel('Currency').inputValue()).toBe('GBP')
    expect(await page.getByLabel('Postal code').inputValue()).toBe('')
    await page.close()
  })

  it('names a missing field by its label, and takes the currency of the country', async () => {
    const { page } = await console_test.signedIn('/#/calculation')
    await page.getByLabel('To', { exact: true }).fill('United States')
    await page.getByLabel('State or province').waitFor()
    expect(await page.getByLabel('Currency').inputValue()).toBe('USD')
    await page.getByRole('button', { name: 'Calculate' }).click()
    await page.getByText(/^Is required for the United States: /).waitFor()
    expect(await page.getByLabel('State or province').getAttribute('aria-invalid')).toBe('true')
    await page.close()
  })

  it('says what is wrong with an amount, and takes a comma for the decimals', async () => {
    const { page } = await console_test.signedIn('/#/calculation')
    await page.getByLabel('Amount').fill('1.999')
    await page.getByRole('button', { name: 'Calculate' }).click()
    await page.getByText('Must be an amount in EUR such as 19.99').waitFor()
    expect(await page.getByLabel('Amount').getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel('Registered in').fill('France')
    await page.getByLabel('Amount').fill('19,99')
    await page.getByRole('button', { name: 'Calculate' }).click()
    await page.getByText('€4.00 tax on €19.99').waitFor()
    await page.close()
  })

  it.each([
    ['FR123', 'Its format is invalid, so the customer counts as a consumer'],
    ['FR40303265045', 'Its format is valid. It was not checked with an authority'],
  ])('says what the VAT id %s is worth', async (vat_id, worth) => {
    const { page } = await console_test.signedIn('/#/calculation')
    await page.getByLabel('VAT id of the customer').fill(vat_id)
    await page.getByRole('button', { name: 'Calculate' }).click()
    await page.getByRole('region', { name: 'Result' }).getByText(worth).waitFor()
    await page.close()
  })

  it('tells a note of the sale and of its line once', async () => {
    const { page } = await console_test.signedIn('/#/calculation')
    await page.getByLabel('Registered in').fill('Georgia')
    await page.getByLabel('To', { exact: true }).fill('United States')
    await expect.poll(() => page.getByLabel('Currency').inputValue()).toBe('USD')
    await page.getByLabel('Postal code').fill('30318')
    await page.getByLabel('Product type').fill('Physical goods')
    await page.getByRole('button', { name: 'Calculate' }).click()
    const result = page.getByRole('region', { name: 'Result' })
    await result.getByRole('heading', { name: /Georgia/ }).waitFor()
    const notes = result.getByRole('listitem').filter({ hasText: 'Goods that leave the VAT area' })
    expect(await notes.count()).toBe(1)
    await page.close()
  })

  it('counts yen without decimals', async () => {
    const { page } = await console_test.signedIn('/#/calculation')
    await page.getByLabel('Registered in').fill('FR')
    await page.getByLabel('Currency').fill('JPY')
    await page.getByLabel('Amount').fill('1000')
    await page.getByRole('button', { name: 'Calculate' }).click()
    await page.getByText('¥200 tax on ¥1,000').waitFor()
    await page.close()
  })
})

describe('local taxes', () => {
  it('of each example have a total, also where a state has a tax of certain products beside it', async () => {
    const { page } = await console_test.signedIn('/#/local-taxes')
    await page.getByRole('link', { name: '84101 Salt Lake City' }).click()
    await page.locator('.overall').getByText('8.45 % in total').waitFor()
    await page.close()
  })

  it('of a ZIP are shown with their places, and the city is asked for if it decides them', async () => {
    const { page, faults } = await console_test.signedIn('/#/local-taxes')
    await page.getByLabel('ZIP').fill('55401')
    await page.getByLabel('City').fill('Minneapolis')
    await page.getByRole('button', { name: 'Show' }).click()
    const taxes = page.getByRole('table', { name: 'Taxes' })
    await taxes.waitFor()
    expect(plain(await page.locator('.overall').innerText())).toBe('9.025 % in total')
    expect(await taxes.innerText()).toContain('Hennepin County')
    await taxes.getByRole('row', { name: 'Minnesota State 6.875' }).waitFor()
    expect(await page.locator('main dl').innerText()).toContain('ZIP and city')
    await page.getByLabel('City').fill('')
    await page.getByLabel('ZIP').fill('30318')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.locator('.overall').getByText('7.75 % to 8.9 % in total').waitFor()
    await page.getByText('It depends on the city. Without the city, 7.75 % applies.').waitFor()
    await page.getByRole('link', { name: 'Atlanta 8.9 %' }).click()
    await page.locator('.overall').getByText('8.9 % in total', { exact: true }).waitFor()
    expect(await page.getByLabel('City').inputValue()).toBe('Atlanta')
    expect(await page.getByText('depends on the city').count()).toBe(0)
    await page.getByLabel('ZIP').fill('1')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByRole('alert').getByText('This is not a ZIP in a US state. Check its digits.').waitFor()
    expect(faults).toEqual([])
    await page.close()
  })
})

it('local taxes without a ZIP have places to try', async () => {
  const { page, faults } = await console_test.signedIn('/#/local-taxes')
  await page
    .getByRole('navigation', { name: 'Examples' })
    .getByRole('link', { name: '30318 Atlanta' })
    .click()
  await page.locator('.overall').getByText('7.75 % to 8.9 % in total').waitFor()
  expect(await page.getByRole('textbox', { name: 'ZIP' }).inputValue()).toBe('30318')
  expect(faults).toEqual([])
  await page.close()
})

it('people of an account that has none say how to add the first', async () => {
  const { page, faults } = await console_test.signedIn('/#/people')
  await page.getByText('No people yet').waitFor()
  await page.locator('main .empty').getByRole('link', { name: 'Add a person' }).click()
  await page.getByRole('complementary', { name: 'Add a person' }).waitFor()
  expect(faults).toEqual([])
  await page.close()
})

describe('transactions', () => {
  it('are listed, shown with their lines, and refunded once however often the button is pressed', async () => {
    const { page, faults } = await console_test.signedIn('/#/transactions')
    await page.getByRole('link', { name: 'order-0', exact: true }).click()
    const drawer = page.getByRole('complementary', { name: 'order-0' })
    await drawer.getByRole('table', { name: 'Lines' }).waitFor()
    await drawer.getByRole('button', { name: 'Refund…' }).click()
    expect(await drawer.getByLabel('Amount, tax included').inputValue()).toBe('119.00')
    await drawer.getByLabel('Amount, tax included').fill('19.00')
    await drawer.getByText('€19.00 refund, including €3.03 tax').waitFor()
    await drawer.getByLabel('Reason').fill('Returned')
    await drawer.getByRole('button', { name: 'Refund', exact: true }).dblclick()
    await drawer.getByRole('table', { name: 'Refunds' }).waitFor()
    await page.getByText('Refunded €19.00, including tax €3.03').waitFor()
    expect(await drawer.getByRole('table', { name: 'Refunds' }).locator('tbody tr').count()).toBe(1)
    await drawer.getByRole('button', { name: 'Refund…' }).click()
    expect(await drawer.getByLabel('Amount, tax included').inputValue()).toBe('100.00')
    await drawer.getByLabel('Amount, tax included').fill('100.01')
    await drawer.getByLabel('Reason').fill('Too much')
    await drawer.getByRole('button', { name: 'Refund', exact: true }).click()
    await drawer.getByRole('alert').waitFor()
    expect(await drawer.getByRole('alert').innerText()).toContain('is left to refund')
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
    await page.getByText('No transaction matches').waitFor()
    expect(page.url()).toContain('#/transactions?status=voided')
    await page.reload()
    await page.getByText('No transaction matches').waitFor()
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

  it('give the focus to the form of a button and back, and ask before Esc discards what was typed', async () => {
    const { page, faults } = await console_test.signedIn('/#/transactions?external_id_prefix=order-5')
    await page.getByRole('link', { name: 'order-5', exact: true }).click()
    const drawer = page.getByRole('complementary', { name: 'order-5' })
    const reason = drawer.getByLabel('Reason')
    await drawer.getByRole('button', { name: 'Refund…' }).press('Enter')
    await expect.poll(() => focused(page)).toBe('amount')
    const selected = 'const at = document.activeElement; at.value.slice(at.selectionStart, at.selectionEnd)'
    expect(await page.evaluate(selected)).toBe('119.00')
    const marked = `[...document.querySelectorAll('#drawer form label')].filter((label) =>
      getComputedStyle(label, '::after').content.includes('required')).length`
    expect(await page.evaluate(marked)).toBe(1)
    await drawer.getByRole('button', { name: 'Cancel' }).press('Enter')
    await expect.poll(() => focused(page)).toBe('Refund…')
    await page.keyboard.press('Enter')
    await reason.fill('Returned')
    await page.keyboard.press('Escape')
    const question = page.getByRole('dialog', { name: 'Discard what you typed?' })
    await question.waitFor()
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    expect([await focused(page), await reason.inputValue()]).toEqual(['reason', 'Returned'])
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Discard' }).click()
    await reason.waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).toBe('Refund…')
    await page.keyboard.press('Enter')
    await reason.fill('Returned')
    await drawer.getByLabel('Amount, tax included').fill('19.00')
    await page.keyboard.press('Enter')
    await drawer.getByRole('table', { name: 'Refunds' }).waitFor()
    await expect.poll(() => focused(page)).toBe('Refund…')
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page)).toBe('amount')
    await page.keyboard.press('Escape')
    await expect.poll(() => focused(page)).toBe('Refund…')
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    expect(faults).toEqual([])
    await page.close()
  })

  it('are refunded by line', async () => {
    const made = await console_test.api('POST', '/v1/transactions', {
      external_id: 'two-lines',
      currency: 'EUR',
      seller: { country: 'DE' },
      customer: { address: { country: 'DE' } },
      line_items: [
        { amount: 10_000, product_type: 'saas', description: 'Plan' },
        { amount: 5_000, product_type: 'physical_goods', description: 'Router' },
      ],
    })
    const { page, faults } = await console_test.signedIn(`/#/transactions/${String(made['id'])}`)
    const drawer = page.getByRole('complementary', { name: 'two-lines' })
    await drawer.getByRole('button', { name: 'Refund…' }).click()
    await drawer.getByLabel('Single lines').check()
    await drawer.getByLabel('Amount of Router, tax included').fill('11,90')
    await drawer.getByLabel('Reason').fill('Scratched')
    await drawer.getByText('€11.90 refund, including €1.90 tax').waitFor()
    await drawer.getByRole('button', { name: 'Refund', exact: true }).click()
    await page.getByText('Refunded €11.90, including tax €1.90').waitFor()
    const { refunds, line_items } = await console_test.api('GET', `/v1/transactions/${String(made['id'])}`)
    const router = z.array(z.looseObject({ id: z.string() })).parse(line_items)[1]
    expect(refunds).toMatchObject([{ amount: 1_190, line_items: [{ id: router?.id, tax_amount: 190 }] }])
    await page.getByRole('row', { name: /two-lines.*Refunded in part/ }).waitFor()
    await drawer.getByRole('row', { name: /Router.*€11.90 refunded/ }).waitFor()
    expect(faults).toEqual([])
    await page.close()
  })

  it('are explained by the reason that was kept, never by a new calculation, and show who changed what', async () => {
    const { page, faults } = await console_test.signedIn('/#/transactions?external_id_prefix=order-7')
    await page.getByRole('link', { name: 'order-7', exact: true }).click()
    const drawer = page.getByRole('complementary', { name: 'order-7' })
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    const why = drawer.getByRole('region', { name: 'Why' })
    await why.getByText('€100.00 · 19 % VAT of Germany = €19.00').waitFor()
    await why.getByText('All steps, with the law').click()
    expect(await why.locator('.steps').innerText()).toContain('Directive 2006/112/EC')
    await drawer.getByRole('table', { name: 'History' }).waitFor()
    expect(asked.filter((url) => url.includes('/v1/calculate'))).toEqual([])
    expect(await drawer.getByRole('table', { name: 'Taxes' }).innerText()).toContain('Germany')
    expect(await drawer.getByRole('table', { name: 'History' }).innerText()).toContain('Sale created')
    const parts = [
      drawer.locator('.sum'),
      why,
      drawer.getByRole('button', { name: 'Refund…' }),
      drawer.getByRole('table', { name: 'Lines' }),
      drawer.getByText('Taxed in', { exact: true }),
      drawer.getByRole('region', { name: 'E-invoice' }),
      drawer.getByRole('table', { name: 'History' }),
      drawer.getByRole('button', { name: 'Copy the id' }),
    ]
    const tops = await Promise.all(parts.map(async (part) => (await part.boundingBox())?.y ?? 0))
    expect(tops).toEqual(tops.toSorted((one, other) => one - other))
    expect(await drawer.getByText('Reverse charge').count()).toBe(0)
    expect(faults).toEqual([])
    await page.close()
  })

  it('of before reasons were kept say so', async () => {
    const { db, dispose } = await openLocal(console_test.service.state)
    const { id } = await console_test.api('GET', '/v1/transactions/external/order-8')
    await db.prepare('UPDATE transactions SET reasons = NULL WHERE id = ?').bind(String(id)).run()
    await dispose()
    const { page } = await console_test.signedIn(`/#/transactions/${String(id)}`)
    await page.getByRole('region', { name: 'Why' }).getByText('No reason was kept').waitFor()
    expect(await page.getByRole('region', { name: 'Why' }).locator('.steps').count()).toBe(0)
    await page.close()
  })

  it('are filtered while one types, and the field keeps what is typed and the focus', async () => {
    const { page, faults } = await console_test.signedIn('/#/transactions')
    const search = page.getByRole('searchbox')
    await page.getByText(/^25 of/).waitFor()
    await search.pressSequentially('order-29')
    await page.getByText('1 in all').waitFor()
    expect(page.url()).toContain('q=order-29')
    expect(await page.evaluate('document.activeElement.type')).toBe('search')
    expect(await search.inputValue()).toBe('order-29')
    await search.fill('')
    await page.getByText(/^25 of/).waitFor()
    await search.fill('order-29')
    await page.getByText('1 in all').waitFor()
    await page.getByRole('button', { name: 'Clear all' }).click()
    await expect.poll(() => search.inputValue()).toBe('')
    expect(faults).toEqual([])
    await page.close()
  })

  it('have four filters in sight and the rest in a panel, filter while one types, and say what is set', async () => {
    const { page, faults } = await console_test.signedIn('/#/transactions')
    await page.getByText(/^25 of/).waitFor()
    const bar = page.getByRole('search', { name: 'Filters' })
    expect(await bar.locator('summary:visible').allInnerTexts()).toEqual([
      'Days',
      'Place',
      'Status',
      'Tax',
      'More filters',
    ])
    await bar.getByText('Place', { exact: true }).first().click()
    await page.getByRole('combobox', { name: 'Place' }).fill('australia')
    await page.keyboard.press('Enter')
    await bar.getByText('Place: Australia').waitFor()
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Place: Australia')
    await bar.getByRole('button', { name: 'Remove Place' }).click()
    await page.getByText(/^25 of/).waitFor()
    await page.getByText('More filters').click()
    await expect
      .poll(() => page.evaluate('document.activeElement.labels?.[0]?.textContent'))
      .toBe('Charged tax')
    await page.getByRole('combobox', { name: 'Currency' }).pressSequentially('GBP')
    await page.getByText('No transaction matches').waitFor()
    await page.getByRole('combobox', { name: 'Currency' }).fill('')
    await page.getByText(/^25 of/).waitFor()
    await page.getByLabel('Sold from', { exact: true }).fill('2999-01-31')
    await page.getByText('No transaction matches').waitFor()
    await page.keyboard.press('Escape')
    expect(await page.evaluate('document.activeElement.textContent')).toContain('More filters')
    await bar.getByText('Sold from: 31 Jan 2999').waitFor()
    await expectAccessible(page)
    await bar.getByRole('button', { name: 'Remove Sold from' }).click()
    await page.getByText(/^25 of/).waitFor()
    expect(page.url()).toMatch(/#\/transactions$/)
    expect(await page.evaluate('document.activeElement.tagName')).toBe('SUMMARY')
    expect(faults).toEqual([])
    await page.close()
  })

  it('have one button for all filters on a phone, which shows the first sale high up', async () => {
    const { page, faults } = await console_test.signedIn('/#/transactions', {
      viewport: { width: 390, height: 844 },
    })
    const first = page.locator('main tbody tr').first()
    await first.waitFor()
    await page.waitForLoadState('networkidle')
    expect((await first.boundingBox())?.y).toBeLessThan(280)
    const bar = page.getByRole('search', { name: 'Filters' })
    expect(await bar.locator('summary:visible').allInnerTexts()).toEqual(['Filters'])
    await bar.locator('.more > summary').click()
    await bar.getByRole('combobox', { name: 'Status' }).selectOption('voided')
    await page.getByText('No transaction matches').waitFor()
    await expectAccessible(page)
    await expectNarrow(page, 'the sheet of filters')
    await bar.getByRole('button', { name: 'Show the list' }).click()
    expect(await bar.locator('summary:visible').allInnerTexts()).toEqual(['Status: Voided', 'Filters (1)'])
    await bar.getByRole('button', { name: 'Remove Status' }).click()
    await first.waitFor()
    expect(faults).toEqual([])
    await page.close()
  })

  it('are found by number, customer and product, and exported with the same filters', async () => {
    await console_test.api('POST', '/v1/transactions', {
      external_id: 'on-file',
      currency: 'EUR',
      seller: { country: 'DE' },
      customer_id: customer,
      line_items: [{ amount: 100, product_type: 'ebooks' }],
    })
    const { page, faults } = await console_test.signedIn('/#/transactions')
    await page.getByRole('searchbox', { name: 'Order, invoice, customer, amount' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('on-')
    await page.keyboard.press('Enter')
    await page.getByText('1 in all').waitFor()
    await page.getByRole('button', { name: 'Clear all' }).click()
    await page.getByRole('button', { name: 'Load more' }).waitFor()
    await page.getByText('More filters').click()
    await page.getByRole('textbox', { name: 'Customer' }).fill('crm-1')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toContain(`customer_id=${customer}`)
    await page.locator('summary', { hasText: /^Customer: (?!cust_)/ }).waitFor()
    await page.getByText('1 in all').waitFor()
    await page.getByRole('combobox', { name: 'Product type' }).fill('Nonsense')
    await page.keyboard.press('Tab')
    await page.getByText('“Nonsense” is not in the list').waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('transactions.csv')
    expect(readFileSync(await file.path(), 'utf8').split('\r\n')).toHaveLength(3)
    expect(faults).toEqual([])
    await page.close()
  })
})

describe('the overview', () => {
  it('has key figures, matters to attend to, and a chart that is also a table', async () => {
    const { page, faults } = await console_test.signedIn('/#/overview')
    const figures = page.locator('.key-figures')
    await figures.getByText('Certificates to review').waitFor()
    expect(await figures.innerText()).toContain('Unfiled tax')
    const attention = page.getByRole('region', { name: 'Needs attention' })
    await attention.getByText('certificate to review').waitFor()
    const topOf = async (part: Locator) => (await part.boundingBox())?.y ?? 0
    expect(await topOf(attention)).toBeGreaterThan(await topOf(figures))
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await topOf(attention)).toBeLessThan(await topOf(figures))
    await page.setViewportSize({ width: 1280, height: 900 })
    for (const figure of await figures.locator('a', { hasText: /^\D*0\D/ }).all())
      expect(await figure.getAttribute('class')).toMatch(/none|bad/)
    const chart = page.getByRole('img', { name: /^Tax collected less tax refunded, by month, in EUR/ })
    await chart.waitFor()
    await page.getByText('Show as table').click()
    const table = page.getByRole('table', { name: 'Tax collected less tax refunded, by month, in EUR' })
    expect(await table.locator('tbody tr').count()).toBe(12)
    await page.getByRole('region', { name: 'Latest transactions' }).getByRole('link').first().click()
    await page.getByRole('heading', { level: 1, name: 'Transactions' }).waitFor()
    expect(faults).toEqual([])
    await page.close()
  })

  it('tells a new account how to begin', async () => {
    const [key] = await addKeys(console_test.service, { account: 'New' })
    const { page, faults } = await console_test.signedIn('/#/overview', {}, key)
    await page.getByText('No transactions yet').waitFor()
    await page.getByText('No open tasks').waitFor()
    await expectAccessible(page)
    await page.reload()
    await page.getByText('No open tasks').waitFor()
    const heights = await page
      .locator('section[aria-label="Open returns"], section[aria-label="Tax by month"]')
      .evaluateAll((parts) => parts.map(({ clientHeight }) => clientHeight))
    expect(heights).toHaveLength(2)
    expect(Math.max(...heights)).toBeLessThan(200)
    expect(await shiftOf(page)).toBe(0)
    await keepScreenshot(page, 'console-overview-empty')
    expect(faults).toEqual([])
    await page.close()
  })
})

describe('customers', () => {
  it('whose VAT id the authority does not know are shown so', async () => {
    const { id } = await console_test.api('POST', '/v1/customers', {
      name: 'Unknown SARL',
      vat_id: 'FR40303265045',
    })
    const { page } = await console_test.signedIn()
    await page.route('**/v1/customers/*', async (route) => {
      const response = await route.fetch()
      const customer: object = await response.json()
      const vat_id_validated_at = '2026-11-01T00:00:00.000Z'
      await route.fulfill({ response, json: { ...customer, vat_id_validated: false, vat_id_validated_at } })
    })
    await page.goto(`${console_test.service.origin}/console/#/customers/${String(id)}`)
    const drawer = page.getByRole('complementary', { name: 'Unknown SARL' })
    await drawer.getByText('Invalid', { exact: true }).waitFor()
    expect(await drawer.getByText('Not checked').count()).toBe(0)
    await page.close()
  })

  it('are added and changed, and erased only after a confirmation', async () => {
    const { page, faults } = await console_test.signedIn('/#/customers')
    await page.getByRole('link', { name: 'Add a customer' }).click()
    const form = page.getByRole('complementary', { name: 'New customer' })
    await form.getByLabel('Name').fill('Contoso Inc.')
    await form.getByLabel('Country').fill('United States')
    await page.keyboard.press('Tab')
    await form.getByLabel('State or province').fill('Washington')
    await form.getByLabel('Postal code').fill('98101')
    await form.getByRole('button', { name: 'Add the customer' }).click()
    const drawer = page.getByRole('complementary', { name: 'Contoso Inc.' })
    await drawer.getByRole('button', { name: 'Erase' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    const id = /cust_\w+/.exec(page.url())?.[0] ?? ''
    const kept = await console_test.api('GET', `/v1/customers/${id}`)
    expect(kept).toMatchObject({ name: 'Contoso Inc.', address: { country: 'US', region: 'WA' } })
    await drawer.getByRole('button', { name: 'Edit' }).click()
    await drawer.getByLabel('Street and number').fill('1 Pine St')
    await drawer.getByRole('button', { name: 'Save' }).click()
    await drawer.getByText('1 Pine St, 98101 WA, United States').waitFor()
    await drawer.getByRole('button', { name: 'Erase' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Erase the customer' }).click()
    await page.getByText('Contoso Inc. is erased').waitFor()
    await page.getByRole('link', { name: 'Contoso Inc.' }).waitFor({ state: 'detached' })
    await expect(console_test.api('GET', `/v1/customers/${id}`)).rejects.toThrow('not_found')
    expect(faults).toEqual([])
    await page.close()
  })
})

it.each([
  ['Erase…', 'Cancel', 'Erase…'],
  ['Edit', 'name', 'Edit'],
])('%s of a customer gives the focus away, and Esc brings it back', async (button, first, after) => {
  const { page, faults } = await console_test.signedIn(`/#/customers/${customer}`)
  await page.getByRole('button', { name: button }).press('Enter')
  await expect.poll(() => focused(page)).toBe(first)
  await page.keyboard.press('Escape')
  await expect.poll(() => focused(page)).toBe(after)
  expect(page.url()).toContain(customer)
  expect(faults).toEqual([])
  await page.close()
})

describe('certificates', () => {
  it('of all states are listed, reviewed and added, and names are shown as they are', async () => {
    const { page, faults } = await console_test.signedIn('/#/certificates?state=pending')
    expect(await page.getByRole('row', { name: 'CERT-1' }).innerText()).toContain(EVIL_NAME)
    await page.getByRole('link', { name: 'CERT-1' }).click()
    const drawer = page.getByRole('complementary', { name: 'CERT-1' })
    await drawer.getByLabel('Notes').fill('Seen')
    await drawer.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('CERT-1 is approved').waitFor()
    await page.getByText('No certificate matches').waitFor()
    const { exemptions } = await console_test.api('GET', `/v1/customers/${customer}/exemptions`)
    expect(exemptions).toMatchObject([{ status: 'verified', verification_notes: 'Seen' }])
    await drawer.getByRole('link', { name: EVIL_NAME }).click()
    const owner = page.getByRole('complementary', { name: EVIL_NAME })
    await owner.getByText('Add a certificate').click()
    await owner.getByLabel('Number').fill('CERT-2')
    await owner.getByLabel('Exempt in').fill('Texas')
    await owner.getByRole('button', { name: 'Add the certificate' }).click()
    await owner.getByRole('link', { name: 'CERT-2' }).click()
    await page.getByRole('complementary', { name: 'CERT-2' }).getByText('Texas').waitFor()
    expect(faults).toEqual([])
    await page.close()
  })
})

describe.each(Object.entries(CONSOLE_LOOKS))('in %s', (look, options) => {
  it.each(['transactions', 'customers', 'certificates'])('%s and a drawer are accessible', async (view) => {
    const { page } = await console_test.signedIn(`/#/${view}`, options)
    await page.locator('main tbody a').first().waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, `console-${view}-${look}`)
    await page.locator('main tbody a').first().click()
    await page.locator('#drawer dl').waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, `console-${view}-one-${look}`)
    await page.close()
  })

  it('the overview, the calculation and local taxes are accessible', async () => {
    const { page } = await console_test.signedIn('/#/overview', options)
    await page.getByRole('region', { name: 'Latest transactions' }).locator('table').waitFor()
    await page.locator('.chart').waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, `console-overview-${look}`)
    await page.goto(`${console_test.service.origin}/console/#/calculation`)
    await page.locator('.overall').waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, `console-calculation-${look}`)
    await page.goto(`${console_test.service.origin}/console/#/local-taxes`)
    await page.getByLabel('ZIP').fill('73072')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByRole('table', { name: 'Local taxes by part of the ZIP' }).waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, `console-local-taxes-${look}`)
    await page.close()
  })
})

it.each(['overview', 'transactions', 'customers'])('%s has targets for a finger', async (view) => {
  const { page } = await console_test.signedIn(`/#/${view}`, { viewport: { width: 390, height: 844 } })
  await page.locator('main tbody a').first().waitFor()
  const small = await page.locator('a, button, summary').evaluateAll((all) =>
    all
      .filter((each) => each.checkVisibility() && !each.classList.contains('skip'))
      .filter((each) => each.getBoundingClientRect().height < 24)
      .map((each) => each.textContent),
  )
  expect(small).toEqual([])
  await page.close()
})
