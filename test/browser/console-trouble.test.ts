import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CONSOLE_ADDRESSES, type ConsoleTest, startConsole } from './console.ts'
import { addKeys } from '../support/running-service.ts'

let console_test: ConsoleTest
let operator = ''
/** The views, the forms of new records, and drawers of each kind. */
let addresses: string[] = []

beforeAll(async () => {
  console_test = await startConsole()
  ;[operator = ''] = await addKeys(console_test.service, { account: 'Troubled', scopes: ['*', 'operator'] })
  const send = async (method: string, path: string, body?: object) => {
    const response = await fetch(console_test.service.origin + path, {
      method,
      headers: { Authorization: `Bearer ${operator}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    expect(response.ok).toBe(true)
    return (await response.json()) as Record<string, { id: string }[]>
  }
  await send('PUT', '/v1/account', { country: 'DE', time_zone: 'UTC', vat_id: 'DE136695976' })
  await send('POST', '/v1/account/example-books')
  const first = async (name: string) => (await send('GET', `/v1/${name}?limit=1`))[name]?.[0]?.id ?? ''
  addresses = [
    ...CONSOLE_ADDRESSES,
    `transactions/${await first('transactions')}`,
    `customers/${await first('customers')}`,
    `registrations/${await first('registrations')}`,
  ]
})

afterAll(() => console_test?.close())

/** What the page shows once nothing is on its way. */
async function shown(page: Page): Promise<{ heading: string; alerts: string[] }> {
  await expect
    .poll(() => page.evaluate("document.querySelector('.skeleton, [aria-busy]') === null"))
    .toBe(true)
  const heading = await page.locator('main h1').innerText()
  return { heading, alerts: await page.getByRole('alert').allInnerTexts() }
}

/** The alerts of the page, once there is one and nothing is on its way. A view may have not begun to ask. */
async function alertsOf(page: Page, address: string): Promise<string[]> {
  let alerts: string[] = []
  const read = async () => (alerts = (await shown(page)).alerts).length
  await expect.poll(read, { message: address }).toBeGreaterThan(0)
  return alerts
}

/** Goes to an address by way of another view, so that what was typed or opened is not there any more. */
async function goTo(page: Page, address: string): Promise<void> {
  await page.evaluate(`location.hash = '#/nothing'; location.hash = '#/${address}'`)
}

/** Opens each address, so that its scripts are here, and then lets `answer` answer for the service. */
async function eachInTrouble(
  answer: (route: Route) => Promise<void>,
  look: (page: Page, address: string) => Promise<void>,
): Promise<void> {
  const { page, faults } = await console_test.signedIn('', {}, operator)
  for (const address of addresses) {
    await goTo(page, address)
    await shown(page)
  }
  await page.route('**/v1/**', answer)
  for (const address of addresses) {
    await goTo(page, address)
    await look(page, address)
  }
  expect(faults.filter((fault) => !/status of 5|net::ERR/.test(fault))).toEqual([])
  await page.close()
}

/** What an address shows without a request: a form that only sends. */
const ASKS_NOTHING = new Set(['transactions/new', 'customers/new', 'keys/new', 'people/new', 'shops/new'])

describe('each view and drawer says what happened, with a way on,', () => {
  it('if the service fails with a page that is no answer', async () => {
    await eachInTrouble(
      (route) => route.fulfill({ status: 500, contentType: 'text/html', body: '<h1>Error</h1>' }),
      async (page, address) => {
        for (const alert of await alertsOf(page, address))
          expect.soft(alert, address).toMatch(/^The service has trouble \(500\).*\s+Try again$/)
        expect.soft((await shown(page)).heading, address).not.toMatch(/Sign in|does not exist/)
      },
    )
  })

  it('without a connection', async () => {
    await eachInTrouble(
      (route) => route.abort('internetdisconnected'),
      async (page, address) => {
        for (const alert of await alertsOf(page, address))
          expect.soft(alert, address).toMatch(/did not answer.*\s+Try again$/)
      },
    )
  })

  it('if there were too many requests: it waits, and asks again by itself', async () => {
    const asked = new Set<string>()
    await eachInTrouble(
      async (route) => {
        const { pathname } = new URL(route.request().url())
        if (asked.has(pathname)) return route.continue()
        asked.add(pathname)
        const json = { message: 'Too many requests', reason: 'rate_limited', request_id: 'req_1' }
        await route.fulfill({ status: 429, headers: { 'Retry-After': '1' }, json })
      },
      async (page, address) => {
        const { alerts } = await shown(page)
        expect.soft(alerts, address).toEqual([])
      },
    )
    expect(asked.size).toBeGreaterThan(20)
  })

  it('if the key has ended: it asks for another one, and nothing of the account is left', async () => {
    const json = { message: 'This key was revoked', reason: 'key_revoked', request_id: 'req_1' }
    for (const address of addresses.filter((each) => !ASKS_NOTHING.has(each))) {
      const { page } = await console_test.signedIn('/#/nothing', {}, operator)
      await page.route('**/v1/**', (route) => route.fulfill({ status: 401, json }))
      await page.evaluate(`location.hash = '#/${address}'`)
      await page.getByLabel('API key').waitFor()
      expect.soft(await page.getByRole('alert').innerText(), address).toMatch(/^Your key is no longer valid/)
      expect.soft(await page.locator('#drawer, main table, #views').count(), address).toBe(0)
      expect.soft(await page.evaluate('sessionStorage.length'), address).toBe(0)
      await page.close()
    }
  })
})

it('Back leads through all views and drawers, and each shows what it has', async () => {
  const { page, faults } = await console_test.signedIn('', {}, operator)
  const headings: string[] = []
  for (const address of addresses) {
    await page.evaluate(`location.hash = '#/${address}'`)
    headings.push((await shown(page)).heading)
  }
  for (const [index, address] of [...addresses.entries()].toReversed().slice(1)) {
    await page.goBack()
    await page.waitForURL((url) => url.hash === `#/${address}`)
    const { heading, alerts } = await shown(page)
    expect.soft([heading, alerts], address).toEqual([headings[index], []])
    expect.soft(await page.locator('#drawer').count(), address).toBe(address.includes('/') ? 1 : 0)
  }
  expect(faults).toEqual([])
  await page.close()
})

it('a drawer whose scripts could not be read says so, and opens when they can be', async () => {
  const { page, faults } = await console_test.signedIn('/#/transactions', {}, operator)
  await page.locator('main tbody a').first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.context().setOffline(true)
  await page.locator('main tbody a').first().click()
  const drawer = page.locator('#drawer')
  await drawer.getByText('This page could not be loaded. Try again').waitFor()
  await page.context().setOffline(false)
  await drawer.getByRole('button', { name: 'Try again' }).click()
  await drawer.locator('.answer .sum').waitFor()
  expect(faults.filter((fault) => !/net::ERR/.test(fault))).toEqual([])
  await page.close()
})
