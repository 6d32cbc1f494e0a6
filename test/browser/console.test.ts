import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, keepScreenshot, launchBrowser, LOOKS } from './browser.ts'
import { type RunningService, startService } from './running-service.ts'

let service: RunningService
let browser: Browser

beforeAll(async () => {
  service = await startService(async () => {}, ['--var', 'ALLOW_LOCAL_WEBHOOKS:true'])
  browser = await launchBrowser()
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await service?.stop()
})

/** A page of the console after signing in. Faults are scripts that fail, policies that are broken, and requests to elsewhere. */
async function signedIn(path = '', options: object = {}): Promise<{ page: Page; faults: string[] }> {
  const page = await browser.newPage(options)
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => message.type() === 'error' && !/status of 4/.test(message.text()) && faults.push(message.text()))
  page.on('request', (request) => /^(http:\/\/127\.0\.0\.1|data:)/.test(request.url()) || faults.push(request.url()))
  await page.goto(`${service.origin}/console${path}`)
  await signIn(page, service.key)
  await page.locator('#signed-in').waitFor()
  return { page, faults }
}

async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

describe('the key', () => {
  it('opens the console, is kept in no storage, and is gone after a reload', async () => {
    const { page, faults } = await signedIn()
    expect(await page.locator('#account').innerText()).toBe('Demo (sandbox)')
    const state = await page.context().storageState({ indexedDB: true })
    expect(state).toEqual({ cookies: [], origins: [] })
    expect(await page.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }, history.state, location.href])')).not.toContain(
      service.key,
    )
    expect(await page.content()).not.toContain(service.key)
    await page.reload()
    expect(await page.getByLabel('API key').inputValue()).toBe('')
    expect(await page.locator('#signed-in').isVisible()).toBe(false)
    expect(faults).toEqual([])
    await page.close()
  })

  it('is forgotten when the person signs out', async () => {
    const { page } = await signedIn()
    await page.getByRole('button', { name: 'Sign out' }).click()
    expect(await page.getByLabel('API key').inputValue()).toBe('')
    expect(await page.getByRole('navigation', { name: 'Console' }).isVisible()).toBe(false)
    await page.close()
  })

  it('that is not good is refused with the reason', async () => {
    const page = await browser.newPage()
    await page.goto(`${service.origin}/console`)
    await signIn(page, 'tcs_test_nonsense')
    const alert = page.getByRole('alert')
    await alert.waitFor()
    expect(await alert.innerText()).toContain('invalid_api_key')
    await expectAccessible(page)
    await page.close()
  })
})

describe('a calculation', () => {
  it('shows totals, lines, taxes and the rules that led there', async () => {
    const { page, faults } = await signedIn('/#/calculation')
    await page.getByRole('button', { name: 'Add a line' }).click()
    const second = page.getByRole('group', { name: 'Line 2' })
    await second.getByLabel('Amount').fill('100')
    await second.getByLabel('Product type').selectOption('ebooks')
    await page.getByRole('button', { name: 'Calculate' }).click()
    const result = page.getByRole('region', { name: 'Result' })
    await result.locator('.overall').waitFor()
    expect(plain(await result.locator('.overall').innerText())).toBe('Tax EUR 9.50 · total EUR 129.49 · France (FR)')
    expect(plain(await page.getByRole('status').innerText())).toBe('Tax EUR 9.50, total EUR 129.49')
    expect(await result.getByRole('region', { name: 'What led there' }).innerText()).toContain('Directive 2006/112/EC, art. 58')
    expect(faults).toEqual([])
    await page.close()
  })

  it('says what is wrong with an amount before it is sent, and with a country after it was', async () => {
    const { page } = await signedIn('/#/calculation')
    await page.getByLabel('Amount').fill('1,999')
    await page.getByRole('button', { name: 'Calculate' }).click()
    expect(await page.getByRole('alert').innerText()).toContain('Line 1: must be an amount in EUR such as 19.99')
    await page.getByLabel('Amount').fill('19.99')
    await page.getByLabel('Customer’s country').fill('QQ')
    await page.getByRole('button', { name: 'Calculate' }).click()
    await page.getByText('must be an ISO 3166-1 country code').waitFor()
    expect(await page.getByRole('alert').innerText()).toContain('Reason: invalid_request')
    await page.close()
  })

  it('counts yen without decimals', async () => {
    const { page } = await signedIn('/#/calculation')
    await page.getByLabel('Currency').fill('JPY')
    await page.getByLabel('Amount').fill('1000')
    await page.getByRole('button', { name: 'Calculate' }).click()
    await page.getByText('Tax JPY 200 · total JPY 1,200').waitFor()
    await page.close()
  })
})

describe.each(Object.entries(LOOKS))('in %s', (look, options) => {
  it('the sign-in and the calculation are accessible', async () => {
    const page = await browser.newPage(options)
    await page.goto(`${service.origin}/console`)
    await page.getByLabel('API key').waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, `console-sign-in-${look}`)
    await signIn(page, service.key)
    await page.getByRole('button', { name: 'Calculate' }).click()
    await page.locator('.overall').waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, `console-calculation-${look}`)
    await page.close()
  })
})

/** Amounts are set with spaces that do not break. */
function plain(text: string): string {
  return text.replaceAll('\u00a0', ' ')
}
