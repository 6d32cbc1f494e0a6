import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, expectNarrow, expectUncut, keepScreenshot } from './browser.ts'
import { addShop, CONSOLE_ADDRESSES, CONSOLE_LOOKS, type ConsoleTest, startConsole } from './console.ts'
import { addKeys } from '../support/running-service.ts'

let console_test: ConsoleTest
let webhook = ''
let operator = ''
let empty = ''

const ADDRESS =
  'http://127.0.0.1:9/a/receiver/with/a/long/path/that/has/no/space/to/break/at/and/answers/never'

/** An account with a year of example books, and a long name or number wherever one fits. */
async function fill(): Promise<void> {
  const { api, service } = console_test
  await api('PUT', '/v1/account', { country: 'DE', time_zone: 'UTC', vat_id: 'DE136695976' })
  await api('POST', '/v1/account/example-books')
  const url = { url: ADDRESS, description: 'Bookkeeping', events: ['transaction.created'] }
  webhook = String((await api('POST', '/v1/webhooks', url))['id'])
  await api('POST', '/v1/api-keys', {
    name: 'The accounting department of Brightloop',
    scopes: ['reports:read'],
  })
  await api('POST', '/v1/transactions', {
    currency: 'USD',
    customer: { address: { country: 'US', region: 'TX' } },
    line_items: [{ amount: 123_456_789_00, product_type: 'saas', description: 'A contract of some years' }],
  })
  const { customers } = await api('GET', '/v1/customers')
  const customer = Array.isArray(customers) ? String(customers[0].id) : ''
  await api('POST', `/v1/customers/${customer}/exemptions`, {
    jurisdiction_id: 'US-WA',
    exemption_type: 'resale',
    valid_from: '2026-01-01',
    certificate_number: 'WA-RESELLER-PERMIT-A00000000-2026',
  })
  await addShop(console_test, 'shop.brightloop-with-a-long-name.example', ['1001', '1002'])
  const of_operator = { account: 'Operator', scopes: ['*', 'operator'] } as const
  ;[empty = '', operator = ''] = await addKeys(service, { account: 'Empty' }, of_operator)
}

beforeAll(async () => {
  console_test = await startConsole()
  await fill()
})

afterAll(() => console_test?.close())

async function opened(path: string, look: keyof typeof CONSOLE_LOOKS, key?: string) {
  const { page, faults } = await console_test.signedIn(`/#/${path}`, CONSOLE_LOOKS[look], key)
  await page.locator('main h1').waitFor()
  await page.waitForLoadState('networkidle')
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  return { page, faults }
}

/** Its text is whole on each screen, and axe finds nothing on the smallest one. */
async function looksGood(path: string, name: string, key?: string): Promise<void> {
  await Promise.all((['light', 'phone-dark'] as const).map((look) => looksGoodOn(look, path, name, key)))
}

async function looksGoodOn(
  look: 'light' | 'phone-dark',
  path: string,
  name: string,
  key?: string,
): Promise<void> {
  const { page, faults } = await opened(path, look, key)
  await expectUncut(page, path)
  // A form of the settings shows its own once something is typed.
  const first = page.locator('main .first').filter({ visible: true })
  expect(await first.count(), `first choices of ${path}`).toBeLessThanOrEqual(1)
  // A day has one form, in browsers that write September with four letters, too.
  expect(await page.locator('#app').innerText()).not.toMatch(/\bSept\b|\d{4}-\d\d-\d\d/)
  await keepScreenshot(page, `screens-${name}-${look}`)
  if (look === 'phone-dark') {
    await expectNarrow(page, path)
    await expectUncut(page, `${path} at 320 px`)
  }
  await expectAccessible(page)
  expect(faults).toEqual([])
  await page.close()
}

const DRAWERS = ['transactions', 'nexus', 'customers', 'certificates', 'registrations', 'shops', 'keys']

/** Whether a text is on one line. */
function isWhole(cell: Locator): Promise<boolean> {
  return cell.evaluate((box) => {
    const range = box.ownerDocument.createRange()
    range.selectNodeContents(box)
    return new Set([...range.getClientRects()].map(({ top }) => top)).size === 1
  })
}

it('breaks no word in the list of webhooks', async () => {
  const { page } = await opened('webhooks', 'light')
  for (const name of ['Bookkeeping', 'transaction.created'])
    expect(await isWhole(page.getByRole('cell', { name, exact: true }).first()), name).toBe(true)
  await page.close()
})

it.each(['registrations', 'keys'])('a drawer of #/%s has one main button at most', async (path) => {
  const { page } = await opened(path, 'light')
  await page.locator('main tbody a[href^="#/"]').first().click()
  await page.locator('#drawer dl').waitFor()
  expect(await page.locator('#drawer button.first').count()).toBeLessThanOrEqual(1)
  await page.close()
})

describe('with records', () => {
  it.each(CONSOLE_ADDRESSES)('#/%s is whole and accessible, and fits 320 px', async (path) => {
    await looksGood(path, path.replaceAll(/\W/g, '-'), path === 'reviews' ? operator : undefined)
  })

  it('the page of a webhook is whole and accessible, and fits 320 px', async () => {
    await looksGood(`webhooks?webhook=${webhook}`, 'webhook')
  })

  it.each(DRAWERS)('so is a drawer of #/%s', async (path) => {
    const { page } = await opened(path, 'light')
    const href = await page.locator('main tbody a[href^="#/"]').first().getAttribute('href')
    await page.close()
    await looksGood(String(href).slice(2), `${path}-drawer`)
  })
})

it('the months below the chart have words where there is room, and the last one always', async () => {
  const { page } = await opened('overview', 'light')
  const words = page.locator('.months button:visible')
  for (const span of ['12', '24', '6'])
    for (const width of [1280, 820, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await page.getByLabel('Months').selectOption(span)
      await page.locator(`.months.of-${span}`).waitFor()
      const edges = await words.evaluateAll((buttons) =>
        buttons.map((button) => {
          const range = button.ownerDocument.createRange()
          range.selectNodeContents(button)
          const { left, right } = range.getBoundingClientRect()
          return { left, right }
        }),
      )
      const told = `${span} months at ${width} px`
      expect(edges.length, told).toBeGreaterThan(2)
      expect(await page.locator('.months button').last().isVisible(), told).toBe(true)
      for (const [index, { right }] of edges.entries())
        expect(edges[index + 1]?.left ?? Infinity, told).toBeGreaterThanOrEqual(right)
    }
  await page.close()
})

it('the name of a return has room beside its amount on a tablet', async () => {
  const year = new Date().getUTCFullYear()
  const { page } = await opened(`returns?type=oss_union&period=${year}-Q4`, 'light')
  await page.setViewportSize({ width: 820, height: 1180 })
  const box = await page.locator('#return').boundingBox()
  expect(box?.width).toBeGreaterThan(220)
  await page.close()
})

it('a form says the same note once, and gives zero no weight', async () => {
  const year = new Date().getUTCFullYear()
  const { page } = await opened(`returns?type=eu_domestic&period=${year}-Q4&jurisdiction_id=DE`, 'light')
  const form = page.getByRole('table', { name: 'The form' })
  expect(await form.getByText('Computed from the whole euros').count()).toBe(1)
  expect(await form.getByText('0 on the form', { exact: true }).count()).toBe(0)
  expect(await form.getByRole('link', { name: /0\.00, rows of box 48/ }).getAttribute('class')).toBe('quiet')
  await page.close()
})

it('a printed return names its taxpayer, the number and the day', async () => {
  const year = new Date().getUTCFullYear()
  const { page } = await opened(`returns?type=oss_union&period=${year - 1}-Q4`, 'light')
  const taxpayer = page.locator('.only-print')
  expect(await taxpayer.isVisible()).toBe(false)
  await page.emulateMedia({ media: 'print' })
  expect(await page.getByRole('heading', { name: 'Files' }).isVisible()).toBe(false)
  expect(await taxpayer.innerText()).toMatch(
    /^console-screens · VAT id DE136695976 · printed on \d+ \w{3} \d{4}$/,
  )
  await page.close()
})

describe('without records', () => {
  it('returns say on each screen what to do first', async () => {
    for (const look of ['light', 'phone-light'] as const) {
      const { page } = await opened('returns', look, empty)
      await page.getByRole('link', { name: 'Add a registration' }).click()
      await page.getByRole('button', { name: 'Add the registration' }).waitFor()
      await page.close()
    }
  })

  it('the next step of returns is at the left edge above all else, and nexus has one', async () => {
    const { page } = await opened('returns', 'phone-light', empty)
    const [step, other] = await Promise.all(
      ['Add a registration', 'Another return…'].map((text) => page.getByText(text).boundingBox()),
    )
    expect(other?.y).toBeGreaterThan(step?.y ?? Infinity)
    expect(other?.x).toBeLessThan(60)
    await page.goto(`${console_test.service.origin}/console#/nexus`)
    await page.getByRole('link', { name: 'Record the first sale' }).click()
    await page.getByRole('heading', { name: 'Import sales' }).waitFor()
    await page.close()
  })

  it('an address of a return that cannot be leads back to all returns', async () => {
    const { page } = await opened('returns?type=generic&period=2026-13', 'phone-light', empty)
    await page.getByRole('alert').waitFor()
    await page.getByRole('link', { name: 'All returns' }).click()
    await page.getByRole('link', { name: 'Add a registration' }).waitFor()
    await page.close()
  })

  it.each(CONSOLE_ADDRESSES)('#/%s is whole and accessible, and fits 320 px', async (path) => {
    await looksGood(path, `${path.replaceAll(/\W/g, '-')}-empty`, empty)
  })
})
