import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible } from './browser.ts'
import { type ConsoleTest, startConsole } from './console.ts'

let console_test: ConsoleTest

beforeAll(async () => {
  console_test = await startConsole()
})

afterAll(() => console_test?.close())

const drawerOf = (page: Page) => page.locator('.drawer-body')

/** The control has the error as its description, and the focus is on it. */
async function expectWrong(control: Locator, error: string): Promise<void> {
  await control.and(control.page().locator('[aria-invalid="true"]')).waitFor()
  const [described = ''] = ((await control.getAttribute('aria-describedby')) ?? '').split(' ')
  expect(await control.page().locator(`[id="${described}"]`).innerText()).toBe(error)
  expect(await control.evaluate((each) => each.matches(':focus'))).toBe(true)
}

it('what the API refuses stands at its field, until something else is typed there', async () => {
  const { page, faults } = await console_test.signedIn('/#/customers/new')
  const form = drawerOf(page)
  const email = form.getByLabel('E-mail address')
  await form.getByLabel('Name').fill('A customer')
  await email.fill('no address')
  await form.getByRole('button', { name: 'Add the customer' }).click()
  await expectWrong(email, 'Must be an e-mail address')
  expect(await page.locator('.failure').count()).toBe(0)
  await expectAccessible(page)
  await email.fill('mara@example.com')
  await expect.poll(() => email.getAttribute('aria-invalid')).toBeNull()
  await form.getByRole('button', { name: 'Add the customer' }).click()
  await page.locator('.toast').getByText('A customer is added').waitFor()
  expect(faults).toEqual([])
  await page.close()
})

it('a field with another name in the API has its error, too', async () => {
  const { page } = await console_test.signedIn('/#/calculation')
  await page.getByRole('button', { name: 'Add a line' }).click()
  const second = page.getByRole('group', { name: 'Line 2' }).getByLabel('Amount')
  await second.fill('1.2.3')
  await page.getByRole('button', { name: 'Calculate' }).click()
  await expectWrong(second, 'Must be an amount in EUR such as 19.99')
  await page.close()
})

it('a group of boxes has its error below its legend, where it can be seen', async () => {
  const { page } = await console_test.signedIn('/#/webhooks/new', { viewport: { width: 1280, height: 700 } })
  const form = drawerOf(page)
  await form.getByLabel('Address').fill('https://hooks.example.com/tax')
  await form.getByRole('checkbox', { name: /^All/ }).uncheck()
  await form.getByRole('button', { name: 'Add the webhook' }).click()
  const error = form.getByRole('group', { name: 'Events' }).getByText('Choose at least one')
  await error.waitFor()
  // Nothing covers it.
  const is_on_top = await error.evaluate((each) => {
    const { left, top } = each.getBoundingClientRect()
    return each.ownerDocument.elementFromPoint(left + 1, top + 1) === each
  })
  expect(is_on_top).toBe(true)
  await page.close()
})

it('what is about no field stays below the form', async () => {
  const { page } = await console_test.signedIn('/#/customers/new')
  const form = drawerOf(page)
  await form.getByLabel('Name').fill('Another customer')
  await page.route('**/v1/customers', (route) => route.abort())
  await form.getByRole('button', { name: 'Add the customer' }).click()
  await form.locator('.failure').getByText('The service did not answer. Try again.').waitFor()
  expect(await form.locator('[aria-invalid]').count()).toBe(0)
  await page.close()
})

it('an address that is broken shows the list, and says that there is no such record', async () => {
  const { page, faults } = await console_test.signedIn('/#/transactions/%')
  await page.getByRole('heading', { name: 'Transactions', level: 1 }).waitFor()
  await drawerOf(page).getByText('There is no such record in this account').waitFor()
  expect(faults).toEqual([])
  await page.close()
})
