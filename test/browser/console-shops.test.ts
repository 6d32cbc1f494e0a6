import { afterAll, beforeAll, expect, it } from 'vitest'
import { addShop, type ConsoleTest, startConsole } from './console.ts'

let console_test: ConsoleTest

beforeAll(async () => {
  console_test = await startConsole()
})
afterAll(() => console_test?.close())

it('an order that could not be recorded leads from the overview to its reason, and is dismissed', async () => {
  const id = await addShop(console_test, 'shop.example.com', ['1001', '1002'])
  const { page, faults } = await console_test.signedIn('/#/overview')
  await page.getByRole('link', { name: /2 orders of a shop on Saleor could not be recorded/ }).click()
  const drawer = page.locator('#drawer')
  await drawer.getByRole('heading', { name: /^shop.example.com/ }).waitFor()
  const row = drawer.getByRole('row', { name: /1001/ })
  expect(await row.innerText()).toMatch(/Invalid region\s+customer.address.region\s+saleor:T3JkZXI61001==/)
  await row.getByRole('button', { name: 'Dismiss order 1001' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Dismiss' }).click()
  await page.locator('.toast').getByText('Order 1001 is dismissed').waitFor()
  await row.waitFor({ state: 'detached' })
  await drawer.getByText(/^1 order could not be recorded/).waitFor()
  const left = await console_test.api('GET', `/v1/saleor/installs/${id}/refused-orders`)
  expect(left['orders']).toMatchObject([{ number: '1002' }])
  await drawer.getByRole('button', { name: 'Disconnect…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await page.getByText('No shop on Saleor is connected').waitFor()
  expect((await console_test.api('GET', '/v1/account'))['attention']).toEqual([])
  expect(faults).toEqual([])
  await page.close()
})

it('each shop that can be connected has a card in words of a shop, with its guide', async () => {
  const { page, faults } = await console_test.signedIn('/#/shops')
  for (const [name, guide] of [
    ['Shopware', 'shopware'],
    ['Vendure', 'vendure'],
    ['Odoo', 'odoo'],
    ['Saleor', 'saleor'],
    ['Stripe', 'stripe'],
    ['Medusa', 'medusa'],
  ] as const) {
    const card = page.getByRole('region', { name, exact: true })
    await card.getByRole('link', { name: `Connect ${name}` }).waitFor()
    await card.locator(`a[href="/docs/${guide}"]`).waitFor()
  }
  expect(await page.locator('main').innerText()).not.toContain('POST')
  await page.getByRole('link', { name: 'Create a key' }).waitFor()
  expect(faults).toEqual([])
  await page.close()
})

it('a shop on Saleor is connected by a link that is made here', async () => {
  const { page, faults } = await console_test.signedIn('/#/shops')
  await page.getByRole('link', { name: 'Connect Saleor' }).click()
  await page.getByLabel('Address of the API of the shop').fill('https://hooks.example.com/graphql/')
  await page.getByRole('button', { name: 'Make the link' }).click()
  const link = page.getByRole('region', { name: 'The link for the shop' })
  await link.getByText(`${console_test.service.origin}/`).waitFor()
  await link.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('row', { name: /hooks\.example\.com.*Not connected yet/ }).waitFor()
  expect(faults).toEqual([])
  await page.close()
})
