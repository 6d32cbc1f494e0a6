import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible } from './browser.ts'
import { type ConsoleTest, startConsole } from './console.ts'

let console_test: ConsoleTest
let path = ''
let answers = 500
const signatures: string[] = []
const receiver = createServer((request, response) => {
  if (answers === 204) signatures.push(String(request.headers['webhook-signature']))
  request.resume().on('end', () => response.writeHead(answers).end())
})

beforeAll(async () => {
  console_test = await startConsole()
  const { api } = console_test
  await api('PUT', '/v1/account', { country: 'DE', time_zone: 'UTC' })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const address = receiver.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`
  const wanted = { url, description: 'Bookkeeping', events: ['transaction.created'] }
  path = `/v1/webhooks/${String((await api('POST', '/v1/webhooks', wanted))['id'])}`
})

afterAll(async () => {
  await console_test?.close()
  receiver.close()
})

function sell(external_id: string) {
  return console_test.api('POST', '/v1/transactions', {
    external_id,
    currency: 'EUR',
    customer: { address: { country: 'DE' } },
    line_items: [{ amount: 1_000, product_type: 'saas' }],
  })
}

/** Resolves when the first attempt at a sale has failed, so that the webhook pauses. */
async function failed(external_id: string): Promise<void> {
  answers = 500
  await sell(external_id)
  await expect
    .poll(async () => (await console_test.api('GET', path))['consecutive_failures'])
    .toBeGreaterThan(0)
}

async function openedWebhook() {
  const { page, faults } = await console_test.signedIn()
  await page.getByRole('link', { name: 'Webhooks', exact: true }).click()
  const row = page.getByRole('row', { name: /Bookkeeping/ })
  await row.waitFor()
  const listed = await row.innerText()
  await row.getByRole('link').first().click()
  await page.getByRole('heading', { name: 'Deliveries, the newest first' }).waitFor()
  return { page, faults, listed }
}

it('a finance person finds what did not arrive, by the number of the sale, and sends all of it', async () => {
  await failed('order-1')
  await sell('order-2')
  await sell('order-3')
  // The page shows what waited when it was opened.
  await expect
    .poll(async () => (await console_test.api('GET', `${path}/deliveries`))['deliveries'])
    .toHaveLength(3)
  const { page, faults, listed } = await openedWebhook()
  expect(listed).toContain('Failing')
  await page.getByRole('link', { name: 'Waiting' }).click()
  for (const number of [1, 2, 3]) await page.getByRole('row', { name: `order-${number}` }).waitFor()
  const tried = page.getByRole('row', { name: 'order-1' })
  expect(await tried.innerText()).toMatch(/1 attempt, the last: 500[^]* 20\d\d, \d\d:\d\d$/)
  answers = 204
  await page.getByRole('button', { name: 'Send all now' }).click()
  await page.getByText('3 events are sent now').waitFor()
  await expect.poll(() => signatures.length).toBe(3)
  await expect.poll(async () => (await console_test.api('GET', path))['consecutive_failures']).toBe(0)
  // The page says so by itself.
  await page.getByText('No deliveries with this status').waitFor()
  await page.getByRole('heading', { name: /Active$/ }).waitFor()
  expect(await page.getByRole('button', { name: 'Send all now' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Succeeded' }).click()
  await page.getByRole('row', { name: 'order-3' }).waitFor()
  await expectAccessible(page)
  expect(faults).toEqual([])
  await page.close()
})

it('sends one waiting event now, which leads to its sale', async () => {
  await failed('order-4')
  const before = signatures.length
  const { page, faults } = await openedWebhook()
  await page.getByRole('row', { name: 'order-4' }).getByRole('link').first().click()
  answers = 204
  const drawer = page.locator('#drawer')
  await drawer.getByRole('button', { name: 'Send now' }).click()
  await page.getByText('order-4 is sent now').waitFor()
  await expect.poll(() => signatures.length).toBe(before + 1)
  await expectAccessible(page)
  await drawer.getByRole('link', { name: 'order-4' }).click()
  await page.getByRole('complementary', { name: 'order-4' }).waitFor()
  expect(faults).toEqual([])
  await page.close()
})

it('a test event that arrives sends what waited, and says how much', async () => {
  await failed('order-5')
  const { page, faults } = await openedWebhook()
  answers = 204
  await page.getByRole('button', { name: 'Send a test event' }).click()
  await page.getByText(/It arrived: 204 after \d+ ms\. 1 event is sent now/).waitFor()
  await expect.poll(async () => (await console_test.api('GET', path))['consecutive_failures']).toBe(0)
  expect(faults).toEqual([])
  await page.close()
})

it('says when what waits is sent, and keeps no time that is over', async () => {
  await failed('order-disabled')
  const { page, faults } = await openedWebhook()
  await page.getByRole('button', { name: 'Disable' }).click()
  const row = page.getByRole('row', { name: 'order-disabled' })
  await row.getByText('When it is enabled').waitFor()
  const before = signatures.length
  answers = 204
  await page.getByRole('button', { name: 'Enable' }).click()
  await row.getByText('When it is enabled').waitFor({ state: 'detached' })
  await console_test.api('POST', `${path}/recover`, { since: new Date(Date.now() - 3_600_000).toISOString() })
  await expect.poll(() => signatures.length).toBe(before + 1)
  expect(faults).toEqual([])
  await page.close()
})

it('rotates a secret, shows it once, and lets both sign for the chosen hours', async () => {
  answers = 204
  const { page, faults } = await openedWebhook()
  await page.getByText('Rotate the signing secret').click()
  expect(await page.getByLabel('Hours for which the old one also signs').inputValue()).toBe('24')
  await page.getByRole('button', { name: 'Rotate', exact: true }).click()
  const secret = page.getByRole('region', { name: 'The signing secret' })
  expect(await secret.locator('code').innerText()).toMatch(/^whsec_/)
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await secret.waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain('whsec_')
  await page.getByText('Rotate the signing secret').click()
  await page.getByText(/The old secret also signs until \d/).waitFor()
  const before = signatures.length
  await sell('order-6')
  await expect.poll(() => signatures.length).toBe(before + 1)
  expect(signatures.at(-1)?.split(' ')).toHaveLength(2)
  expect(faults).toEqual([])
  await page.close()
})
