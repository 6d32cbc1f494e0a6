import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectSteady, openPage } from './browser.ts'
import { CONSOLE_ADDRESSES, type ConsoleTest, startConsole } from './console.ts'
import { addKeys } from '../support/running-service.ts'

let console_test: ConsoleTest
let operator = ''
/** Of another account with the same books: the console of one account has 120 reads a minute. */
let on_phone = ''

beforeAll(async () => {
  console_test = await startConsole()
  const { service } = console_test
  const of_operator = {
    account: 'Operator of a name that is wider than the menu',
    scopes: ['*', 'operator'],
  } as const
  ;[operator = '', on_phone = ''] = await addKeys(service, of_operator, { account: 'On the phone' })
  for (const each of [service.key, on_phone]) await fill(each)
})

afterAll(() => console_test?.close())

async function fill(key: string): Promise<void> {
  const send = async (method: string, path: string, body?: object) => {
    const response = await fetch(console_test.service.origin + path, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    expect(response.ok, await response.text()).toBe(true)
  }
  await send('PUT', '/v1/account', { country: 'DE', time_zone: 'UTC', vat_id: 'DE136695976' })
  await send('POST', '/v1/account/example-books')
  await send('POST', '/v1/webhooks', { url: 'http://127.0.0.1:9/', events: ['transaction.created'] })
}

/** A page of somebody who has signed in already in this tab. */
async function withKey(width: number, key: string): Promise<Page> {
  const page = await openPage(console_test.browser, { viewport: { width, height: 844 } })
  await page.addInitScript(`sessionStorage.setItem('api-key', '${key}')`)
  return page
}

describe('what is drawn stays where it is', () => {
  it.each(CONSOLE_ADDRESSES)('in #/%s', async (path) => {
    for (const [width, most, key] of [
      [1280, 0, console_test.service.key],
      [390, 0.02, on_phone],
    ] as const) {
      const page = await withKey(width, path === 'reviews' ? operator : key)
      await expectSteady(page, `${console_test.service.origin}/console#/${path}`, most)
      await page.getByRole('navigation', { name: 'Console' }).waitFor()
      expect(await page.locator('main h1').innerText(), path).not.toBe('Sign in')
      await page.close()
    }
  })
})

/** The requests of an address, and the bytes of their bodies with gzip: the local service does not compress. */
async function weigh(page: Page, path: string): Promise<{ kilobytes: number; requests: number }> {
  const sizes: Promise<number>[] = []
  page.on('response', (response) => {
    const is_redirect = response.status() >= 300 && response.status() < 400
    sizes.push(is_redirect ? Promise.resolve(0) : response.body().then((body) => gzipSync(body).length))
  })
  await page.goto(console_test.service.origin + path, { waitUntil: 'networkidle' })
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  return { kilobytes: Math.round(bytes / 1000), requests: sizes.length }
}

describe('a page is within its budget of kilobytes and requests:', () => {
  it.each([
    ['/', 11, 3],
    ['/status', 7, 3],
    ['/jurisdictions/FR', 7, 3],
    ['/docs/webhooks', 24, 7],
  ])('%s', async (path, kilobytes, requests) => {
    const page = await openPage(console_test.browser)
    const weight = await weigh(page, path)
    expect.soft(weight.kilobytes).toBeLessThanOrEqual(kilobytes)
    expect.soft(weight.requests).toBeLessThanOrEqual(requests)
    await page.close()
  })
})

const DELAY_MS = 1_500

/** Delays each answer of the API. Returns how long the longest chain of answered requests is. */
async function delayAnswers(page: Page): Promise<() => number> {
  let answered = 0
  await page.route('**/v1/**', async (route) => {
    const place = answered + 1
    await new Promise((passed) => setTimeout(passed, DELAY_MS))
    const response = await route.fetch()
    answered = Math.max(answered, place)
    await route.fulfill({ response })
  })
  return () => answered
}

it(`shows the first sale after two answers in a row, if each takes ${DELAY_MS} ms`, async () => {
  const page = await withKey(1280, console_test.service.key)
  const answered = await delayAnswers(page)
  await page.goto(`${console_test.service.origin}/console#/transactions`)
  await page.locator('.skeleton').first().waitFor()
  expect(answered()).toBe(0)
  await page.locator('main tbody a').first().waitFor()
  expect(answered()).toBeLessThanOrEqual(2)
  await page.close()
})

const MANY = 1_025

/** Answers each page of the sales with as many copies of one sale. */
async function manySales(page: Page): Promise<void> {
  let sent = 0
  await page.route('**/v1/transactions?**', async (route) => {
    const url = new URL(route.request().url())
    const { searchParams } = url
    if (searchParams.has('sums')) return route.continue()
    searchParams.delete('cursor')
    const response = await route.fetch({ url: url.href })
    const answer = await response.json()
    const [sale] = answer.transactions
    const transactions = Array.from({ length: Number(searchParams.get('limit')) }, () => {
      sent += 1
      return { ...sale, id: `${sale.id}${sent}`, external_id: `S-${sent}` }
    })
    await route.fulfill({ response, json: { ...answer, transactions, next_cursor: 'more' } })
  })
}

/** Counts the amounts that are written, and the formats that are made for it. */
const COUNT_FORMATS = `
  globalThis.written = 0
  globalThis.made = 0
  const { get } = Object.getOwnPropertyDescriptor(Intl.NumberFormat.prototype, 'format')
  Object.defineProperty(Intl.NumberFormat.prototype, 'format', {
    get() {
      written += 1
      return get.call(this)
    },
  })
  Intl.NumberFormat = new Proxy(Intl.NumberFormat, {
    construct: (target, options) => {
      made += 1
      return new target(...options)
    },
  })`

it(`does not draw ${MANY} sales again for a page more or a drawer, nor names that nobody asked for`, async () => {
  const page = await withKey(1280, console_test.service.key)
  await page.addInitScript(COUNT_FORMATS)
  await manySales(page)
  await page.goto(`${console_test.service.origin}/console#/transactions`)
  const rows = page.locator('main tbody tr')
  await rows.first().waitFor()
  await page.waitForLoadState('networkidle')
  expect(await page.locator('datalist option').count()).toBe(0)
  const more = page.getByRole('button', { name: 'Load more' })
  for (let count = 25; count < MANY; count += 100) {
    await more.click()
    await rows.nth(count).waitFor({ state: 'attached' })
  }
  const drawn = async (act: () => Promise<unknown>) => {
    const before = Number(await page.evaluate('written'))
    await act()
    return Number(await page.evaluate('written')) - before
  }
  expect(
    await drawn(() => more.click().then(() => rows.nth(MANY).waitFor({ state: 'attached' }))),
  ).toBeLessThan(MANY / 2)
  expect(
    await drawn(async () => {
      await rows.first().getByRole('link').click()
      await page.locator('#drawer h2').waitFor()
    }),
  ).toBeLessThan(MANY / 2)
  expect(Number(await page.evaluate('made'))).toBeLessThan(50)
  await page.close()
})

it('takes the table of a view from the page before its fields, which would style each row again', async () => {
  const page = await withKey(1280, console_test.service.key)
  await page.goto(`${console_test.service.origin}/console#/transactions`)
  await page.locator('main tbody tr').first().waitFor()
  await page.evaluate(`{
    globalThis.early = []
    const { remove } = Element.prototype
    Element.prototype.remove = function () {
      if (this.isConnected && document.querySelector('#content .table tbody')) early.push(this.localName)
      remove.call(this)
    }
  }`)
  await page.evaluate("location.hash = '#/settings'")
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  expect(await page.evaluate("early.filter((name) => name === 'input')")).toEqual([])
  expect(await page.evaluate("early.includes('div')")).toBe(true)
  await page.close()
})
