import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { siteFiles } from '../../scripts/docs-site/site.ts'
import { currentDocument } from '../../scripts/openapi.ts'
import { PROJECT } from '../../scripts/wrangler.ts'
import {
  expectAccessible,
  expectNarrow,
  expectSteady,
  keepScreenshot,
  launchBrowser,
  LOOKS,
  openPage,
} from './browser.ts'
import { runningService } from '../support/running-service.ts'

const service = runningService()
const browser = await launchBrowser()
afterAll(() => browser.close())

const PATHS = [...siteFiles(PROJECT, currentDocument()).keys()]
  .filter((file) => file.endsWith('.html'))
  .map((file) => `/${file.replace(/(index)?\.html$/, '')}`)

/** The faults of a page: errors of its scripts, blocked content, and requests to other origins. */
function faultsOf(page: Page): string[] {
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('request', (request) => {
    if (!/^(http:\/\/127\.0\.0\.1|data:)/.test(request.url())) faults.push(request.url())
  })
  return faults
}

/** Pages of each kind. Colours and the layout of a phone come from the style sheet that all pages share. */
const KINDS = [
  '/docs/',
  '/docs/quickstart',
  '/docs/webhooks',
  '/docs/reference/',
  '/docs/reference/calculation',
]

async function expectReadable(path: string, look: keyof typeof LOOKS): Promise<void> {
  const page = await openPage(browser, LOOKS[look])
  const faults = faultsOf(page)
  const response = await page.goto(service.origin + path)
  expect(response?.status()).toBe(200)
  expect(new URL(page.url()).pathname).toBe(path)
  await expectAccessible(page)
  expect(faults).toEqual([])
  await keepScreenshot(page, `docs${path.slice(5).replaceAll('/', '-')}-${look}`)
  await page.close()
}

it.each(PATHS)('%s is readable and accessible', (path) => expectReadable(path, 'light'))

describe.each(['dark', 'phone'] as const)('in %s', (look) => {
  it.each(KINDS)('%s is readable and accessible', (path) => expectReadable(path, look))
})

it('no page is wider than a phone', async () => {
  const page = await openPage(browser, LOOKS.phone)
  for (const path of PATHS) {
    await page.goto(service.origin + path)
    const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    expect(excess, path).toBe(0)
  }
  await page.close()
})

it('the tables of the coverage fit 1280 px, without a box that scrolls sideways', async () => {
  const page = await openPage(browser, LOOKS.light)
  await page.goto(`${service.origin}/docs/coverage`)
  const boxes = page.locator('.scroll')
  expect(await boxes.count()).toBeGreaterThan(3)
  const excess = await boxes.evaluateAll((all) => all.map((box) => box.scrollWidth - box.clientWidth))
  expect(excess).toEqual(excess.map(() => 0))
  await page.close()
})

it.each(['light', 'phone'] as const)('no name in a table is broken, in %s', async (look) => {
  const page = await openPage(browser, LOOKS[look])
  for (const path of PATHS) {
    await page.goto(service.origin + path)
    const broken = await page.evaluate(`[...document.querySelectorAll(':is(td, th) > code')]
      .filter((each) => /^\\w+$/.test(each.textContent) && each.getClientRects().length > 1)
      .map((each) => each.textContent)`)
    expect(broken, path).toEqual([])
  }
  await page.close()
})

it.each(KINDS)('%s stays where it is drawn, and fits 320 px', async (path) => {
  for (const [width, most] of [
    [1280, 0],
    [390, 0.02],
  ] as const)
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await openPage(browser, { colorScheme, viewport: { width, height: 844 } })
      await expectSteady(page, service.origin + path, most)
      await keepScreenshot(page, `docs${path.slice(5).replaceAll('/', '-')}-${width}-${colorScheme}`)
      if (width === 390) await expectNarrow(page, path)
      await page.close()
    }
})

describe('the documentation', () => {
  it('is found at its address without a slash, and the document of the API beside it', async () => {
    for (const path of ['/docs', '/docs/reference', '/docs/webhooks'])
      expect((await fetch(service.origin + path)).status, path).toBe(200)
    const served = await fetch(`${service.origin}/openapi.json`)
    expect(served.headers.get('Content-Type')).toBe('application/json')
    expect(await served.text()).toBe(JSON.stringify(currentDocument()))
  })

  it.each(['Control+k', '/'])('finds a section after %s, and opens it by keyboard', async (keys) => {
    const page = await openPage(browser)
    const faults = faultsOf(page)
    await page.goto(`${service.origin}/docs/`)
    await page.keyboard.press(keys)
    await page.getByLabel('Search the documentation').and(page.locator('input')).fill('verify webhook')
    const first = page.getByRole('option').first()
    await first.getByText('Verify', { exact: true }).waitFor()
    expect(await first.locator('mark').allTextContents()).toContain('Verify')
    await expectAccessible(page)
    await keepScreenshot(page, `docs-search${keys === '/' ? '' : '-again'}`)
    await page.keyboard.press('ArrowDown')
    expect(await page.getByRole('option').nth(1).getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/webhooks#verify')
    expect(faults).toEqual([])
    await page.close()
  })

  it('says it if no section has the words, and Escape closes the search at once', async () => {
    const page = await openPage(browser)
    await page.goto(`${service.origin}/docs/`)
    await page.getByRole('button', { name: 'Search' }).click()
    await page.locator('#docs-search').fill('zzzz')
    await page.getByText('Nothing found. Try fewer words.').waitFor()
    await page.keyboard.press('Escape')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.close()
  })

  it('prints the whole of each sample and answer', async () => {
    const page = await openPage(browser)
    await page.goto(`${service.origin}/docs/reference/calculation`)
    await page.emulateMedia({ media: 'print' })
    const cut = await page.evaluate(`[...document.querySelectorAll('pre')]
      .filter((each) => each.checkVisibility() &&
        (each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1)).length`)
    expect(cut).toBe(0)
    expect(await page.getByRole('button', { name: 'Try it' }).count()).toBe(0)
    await page.close()
  })

  it('copies a block of code', async () => {
    const page = await openPage(browser, { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto(`${service.origin}/docs/quickstart`)
    await page.getByRole('button', { name: 'Copy' }).first().click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const code = await page.locator('main pre code').first().textContent()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(code)
    await page.close()
  })

  it('is complete without JavaScript, and then shows no search', async () => {
    const page = await openPage(browser, { javaScriptEnabled: false })
    await page.goto(`${service.origin}/docs/webhooks`)
    expect(await page.locator('h1').textContent()).toBe('Webhooks')
    expect(await page.getByRole('navigation', { name: 'Documentation' }).isVisible()).toBe(true)
    expect(await page.locator('search').isVisible()).toBe(false)
    await page.close()
  })
})

describe('the reference', () => {
  it('sends a request from the page, and shows the answer', async () => {
    const page = await openPage(browser)
    const faults = faultsOf(page)
    await page.goto(`${service.origin}/docs/reference/calculation`)
    const operation = page.locator('.operation').first()
    await operation.getByRole('button', { name: 'Try it' }).click()
    await operation.getByLabel('API key').fill('Schlüssel')
    await operation.getByRole('button', { name: 'Send POST' }).click()
    await operation.getByRole('status').filter({ hasText: 'Not sent' }).waitFor()
    await operation.getByLabel('API key').fill(service.key)
    await operation.getByRole('button', { name: 'Send POST' }).click()
    await operation.getByRole('status').filter({ hasText: '200' }).waitFor()
    expect(await operation.locator('.trial pre').textContent()).toContain('"jurisdiction_id": "FR"')
    expect(await operation.getByText('This changes the data').count()).toBe(0)
    await expectAccessible(page)
    await keepScreenshot(page, 'docs-try')
    expect(faults).toEqual([])
    await page.close()
  })

  it('has a field for each parameter, and the key of the tab on the next page', async () => {
    const page = await openPage(browser)
    const faults = faultsOf(page)
    await page.goto(`${service.origin}/docs/reference/transactions`)
    const one = page.locator('.operation', { has: page.locator('#getTransaction') })
    await one.getByRole('button', { name: 'Try it' }).click()
    await one.getByLabel('API key').fill(service.key)
    await one.getByRole('button', { name: 'Send GET' }).click()
    expect(await one.locator('input:focus').getAttribute('id')).toBe(
      await one.getByLabel('id').getAttribute('id'),
    )
    await one.getByLabel('id').fill('https://example.com/')
    await one.getByRole('button', { name: 'Send GET' }).click()
    await one.getByRole('status').filter({ hasText: /^40\d/ }).waitFor()
    await page.goto(`${service.origin}/docs/reference/rules`)
    const rates = page.locator('.operation', { has: page.locator('#getRates') })
    await rates.getByRole('button', { name: 'Try it' }).click()
    await rates.getByLabel('product_type').fill('books')
    await rates.getByRole('button', { name: 'Send GET' }).click()
    await rates.getByRole('status').filter({ hasText: '200' }).waitFor()
    // The browser reports the refusal of the first request as an error of the page.
    expect(faults.filter((fault) => !fault.includes('status of 40'))).toEqual([])
    await page.close()
  })

  it('opens the fields of a type in place, also by its address', async () => {
    const page = await openPage(browser)
    await page.goto(`${service.origin}/docs/reference/transactions#schema-TransactionAnswer`)
    await page.locator('#schema-TransactionAnswer[open]').waitFor()
    const nested = page.locator('#schema-TransactionAnswer details').first()
    expect(await nested.locator('dl').first().isVisible()).toBe(false)
    await nested.locator('summary').first().click()
    expect(await nested.locator('dl').first().isVisible()).toBe(true)
    await page.close()
  })

  it('shows each call in the chosen language', async () => {
    const page = await openPage(browser)
    await page.goto(`${service.origin}/docs/reference/calculation`)
    expect(await page.locator('.sample:visible').allTextContents()).toEqual(
      expect.arrayContaining([expect.stringContaining('curl -s')]),
    )
    await page.getByRole('radio', { name: 'Python' }).last().check()
    const shown = await page.locator('.sample:visible').allTextContents()
    expect(shown.length).toBe(await page.locator('.operation').count())
    for (const text of shown) expect(text).toContain('urllib.request.')
    await page.close()
  })
})
