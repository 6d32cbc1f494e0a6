import type { Locator } from 'playwright-core'
import { isOfCountryFile, REGION_IDS } from '../../src/platform/regions.ts'
import { afterAll, describe, expect, it } from 'vitest'
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

const PLACES = [
  '/',
  '/try?country=US&region=US-GA&postal_code=30318&amount=100&product_type=physical_goods',
  '/status',
  '/coverage',
  '/wrong?place=DE&day=2026-07-01&data_version=20261122T101500000Z',
  '/jurisdictions',
  '/jurisdictions/FR',
  '/jurisdictions/US-GA?postal_code=30318',
]

it('has the clock of the tests, also on the days of `npm run test:days`', async () => {
  const page = await openPage(browser)
  await page.goto(`${service.origin}/status`)
  const now = await page.evaluate<number>('new Date().getTime()')
  expect(Math.abs(now - Date.now())).toBeLessThan(3_600_000)
  await page.close()
})

describe.each(PLACES)('%s', (path) => {
  it('stays where it is drawn, and fits 320 px', async () => {
    for (const [width, most] of [
      [1280, 0],
      [390, 0.02],
    ] as const)
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await openPage(browser, { colorScheme, viewport: { width, height: 844 } })
        await expectSteady(page, service.origin + path, most)
        const name = path.slice(1).replaceAll(/\W+/g, '-') || 'home'
        await keepScreenshot(page, `${name}-${width}-${colorScheme}`)
        if (width === 390) await expectNarrow(page, path)
        await page.close()
      }
  })
})

describe.each(Object.entries(LOOKS))('in %s', (look, options) => {
  it.each([
    ['/', 'Sales tax, VAT and GST'],
    ['/try?country=CA&region=CA-ON&amount=100&product_type=saas', 'Tax calculator'],
    ['/try?country=US&amount=abc', 'Tax calculator'],
    ['/no-such-page', 'This page does not exist'],
    ['/status', 'Status'],
    ['/jurisdictions', 'Jurisdictions'],
    ['/jurisdictions/CA-QC', 'Quebec'],
    ['/coverage', 'Coverage'],
    ['/jurisdictions/ES', 'Spain'],
    ['/jurisdictions/US-OK?postal_code=73072', 'Oklahoma'],
    ['/jurisdictions/NOWHERE', 'Not found'],
  ])('%s is readable and accessible', async (path, heading) => {
    const page = await openPage(browser, options)
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('requestfailed', (request) => faults.push(request.url()))
    page.on('request', (request) => {
      if (!request.url().startsWith(service.origin) && !request.url().startsWith('data:'))
        faults.push(request.url())
    })
    await page.goto(service.origin + path)
    expect(await page.locator('h1').textContent()).toContain(heading)
    await expectAccessible(page)
    expect(faults).toEqual([])
    await keepScreenshot(page, `${path.slice(1).replaceAll(/[/?=]/g, '-') || 'home'}-${look}`)
    await page.close()
  })
})

it('the list of places leads to its regions without a script', async () => {
  const page = await openPage(browser, { javaScriptEnabled: false })
  await page.goto(`${service.origin}/jurisdictions`)
  const regions = page.getByRole('navigation', { name: 'Regions' })
  await regions.getByRole('link', { name: 'United States' }).click()
  expect(new URL(page.url()).hash).toBe('#US')
  await page.locator('#US').getByRole('heading', { name: 'United States' }).waitFor()
  await page.close()
})

describe('the page of a state', () => {
  it('says what the rate of a ZIP may be, and asks for its city', async () => {
    const page = await openPage(browser, { javaScriptEnabled: false })
    await page.goto(`${service.origin}/jurisdictions/US-GA`)
    await page.getByLabel('ZIP').fill('30318')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByText('7.75 % to 8.9 % in all').waitFor()
    expect(await page.locator('main').innerText()).toContain('In which city is the address?')
    await page.getByRole('button', { name: 'Atlanta +4.9 %' }).click()
    await page.getByText('8.9 % in all for goods in general, 4.9 % of it local').waitFor()
    expect(await page.locator('.choices').count()).toBe(0)
    await page.close()
  })

  it('has the rates of its products', async () => {
    const page = await openPage(browser, { javaScriptEnabled: false })
    await page.goto(`${service.origin}/jurisdictions/FR`)
    const reduced = page.getByRole('row', { name: /^5\.5 % reduced Books/ })
    expect(await reduced.innerText()).toMatch(/Books, Medical/)
    // Sweets and the like have the other rate, so groceries stand in a row of their own.
    const groceries = page.getByRole('row', { name: /^5\.5 % reduced, 20 % on/ })
    expect(await groceries.innerText()).toMatch(/Groceries/)
    expect(await page.getByText('rule in the data', { exact: true }).count()).toBe(0)
    await page.close()
  })

  it.each(['/jurisdictions/FR', '/jurisdictions', '/jurisdictions/US-MN?postal_code=55401'])(
    'has rows of a few lines on a phone, and no table that scrolls sideways: %s',
    async (path) => {
      const page = await openPage(browser, { viewport: { width: 390, height: 844 } })
      await page.goto(service.origin + path)
      const wide = await page.evaluate(`[...document.querySelectorAll('.scroll')]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map((box) => box.getAttribute('aria-label'))`)
      expect(wide).toEqual([])
      const row = page.locator('.rows tbody tr').first()
      const [name, figure] = [row.locator('th'), row.locator('.figure')]
      expect((await figure.boundingBox())?.y).toBeCloseTo((await name.boundingBox())?.y ?? 0, -1)
      expect((await row.boundingBox())?.height).toBeLessThan(120)
      await page.close()
    },
  )

  it('keeps the city with its label on a phone', async () => {
    const page = await openPage(browser, { viewport: { width: 390, height: 844 } })
    await page.goto(`${service.origin}/jurisdictions/US-GA`)
    const [label, field] = await Promise.all([
      page.locator('label[for="city"]').boundingBox(),
      page.getByLabel('City').boundingBox(),
    ])
    expect(label?.x).toBeLessThan(field?.x ?? 0)
    expect(Math.abs((label?.y ?? 0) - (field?.y ?? 0))).toBeLessThan(20)
    await page.close()
  })

  it('shows the local taxes of a ZIP on request, without a script', async () => {
    const page = await openPage(browser, { javaScriptEnabled: false })
    await page.goto(`${service.origin}/jurisdictions/US-MN`)
    await page.getByLabel('ZIP').fill('55401')
    await page.getByLabel('City').fill('Minneapolis')
    await page.getByRole('button', { name: 'Show' }).click()
    const taxes = page.getByRole('region', { name: 'Taxes of 55401' })
    await taxes.waitFor()
    expect(await taxes.innerText()).toContain('Hennepin County')
    expect(await page.locator('main').innerText()).toContain('9.025 % in all')
    await page.getByLabel('ZIP').fill('94105')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByRole('link', { name: 'California', exact: true }).click()
    await page.getByRole('region', { name: 'Taxes of 94105' }).waitFor()
    await page.close()
  })
})

describe('the coverage', () => {
  it('names the region of each mark on a phone, in letters that can be read', async () => {
    const page = await openPage(browser, { viewport: { width: 390, height: 844 } })
    await page.goto(`${service.origin}/coverage`)
    const cells = page.locator('tr', { hasText: 'Physical goods' }).locator('td:visible')
    expect(await cells.count()).toBeGreaterThan(10)
    const named = await page.evaluate<[string, string]>(`(() => {
      const cell = [...document.querySelectorAll('td')].find((each) => each.offsetWidth > 0)
      return [getComputedStyle(cell, '::before').content, parseFloat(getComputedStyle(cell).fontSize)]
    })()`)
    expect(named[0]).toBe('"EU "')
    expect(Number(named[1])).toBeGreaterThanOrEqual(13)
    expect(
      await page.locator('.scroll').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
    ).toBe(0)
    await page.close()
  })
})

describe('the coverage on a tablet', () => {
  it('keeps the name of a product in sight where its table scrolls', async () => {
    const page = await openPage(browser, { viewport: { width: 800, height: 700 } })
    await page.goto(`${service.origin}/coverage`)
    const box = page.locator('.scroll')
    await box.evaluate((each) => each.scrollTo({ left: each.scrollWidth }))
    const name = page.getByRole('rowheader', { name: 'Physical goods' })
    const seen = await name.evaluate(
      (each) =>
        each.getBoundingClientRect().left - (each.closest('.scroll')?.getBoundingClientRect().left ?? 0),
    )
    expect(await box.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(100)
    expect(seen).toBeGreaterThanOrEqual(0)
    await page.close()
  })
})

describe('the calculator', () => {
  it('shows what the tax of a ZIP may be, and asks for the city that decides it', async () => {
    const page = await openPage(browser, { javaScriptEnabled: false })
    await page.goto(
      `${service.origin}/try?country=US&postal_code=30318&amount=100&product_type=physical_goods&price=net`,
    )
    const answer = page.locator('.answer')
    expect(await answer.innerText()).toContain(
      'Local tax 3.75 % to 4.9 %: it depends on the city. 3.75 % is used here.',
    )
    await answer.getByRole('link', { name: 'Atlanta 4.9 %' }).click()
    await page.waitForURL('**/try?*city=Atlanta*')
    expect(await page.locator('.answer').innerText()).toContain('$108.90')
    expect(await page.locator('.answer .choices').count()).toBe(0)
    await page.close()
  })

  it.each([320, 390, 800, 1280])('cuts no choice at %d px', async (width) => {
    const page = await openPage(browser, { viewport: { width, height: 844 } })
    await page.goto(`${service.origin}/try?country=FR&from=DE&product_type=saas`)
    expect(await page.evaluate(CUT_CHOICES)).toEqual([])
    await page.close()
  })
})

/** The chosen texts that are wider than their select, without its arrow. */
const CUT_CHOICES = `[...document.querySelectorAll('select')].filter((select) => select.checkVisibility()).flatMap((select) => {
  const style = getComputedStyle(select)
  const canvas = document.createElement('canvas').getContext('2d')
  canvas.font = style.fontWeight + ' ' + style.fontSize + ' ' + style.fontFamily
  const text = select.selectedOptions[0].text
  const room = select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - 16
  return canvas.measureText(text).width > room ? [text] : []
})`

describe('the status page', () => {
  it('answers first whether the API is up, and fits each screen with a long error', async () => {
    for (const width of [320, 390, 800]) {
      const page = await openPage(browser, { viewport: { width, height: 844 } })
      await page.goto(`${service.origin}/status`)
      const first = page.locator('h1 + p')
      expect(await first.innerText()).toMatch(/^The API is up/)
      const told = await page.locator('main').innerText()
      expect(told).toContain('answered 500')
      expect(told).toContain('The collectors have not run yet')
      expect(told).not.toContain('since tick')
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
      await page.close()
    }
  })

  it('tells the state of every region without JavaScript', async () => {
    const page = await openPage(browser, { javaScriptEnabled: false })
    await page.goto(`${service.origin}/status`)
    const rows = page.getByRole('region', { name: 'Tax data by region' }).locator('tbody tr')
    const cellsOf = (row: Locator) => row.locator('th, .state').allInnerTexts()
    const states = await Promise.all(
      (await rows.all()).map(async (row) => (await cellsOf(row)).join(' ').toLowerCase()),
    )
    const expected = [
      ['European Union', 'degraded'],
      ['United Kingdom', 'shipped'],
      ['United States', 'shipped'],
      ['United States', 'shipped'],
      ['Canada', 'stale'],
      ['Australia', 'healthy'],
      ['All regions', 'shipped'],
      ['New Zealand', 'shipped'],
      ['European Union', 'no data yet'],
      ['United Kingdom', 'shipped'],
      ['Canada', 'no data yet'],
      ['United States', 'shipped'],
    ]
    const by_hand = page.getByRole('region', { name: 'Regions kept by hand' }).locator('tbody tr')
    expect(states).toHaveLength(expected.length)
    // All countries of data/countries stand in one row.
    const apart = REGION_IDS.filter((id) => !isOfCountryFile(id))
    expect(states.length + (await by_hand.count())).toBe(apart.length + 1)
    for (const row of await by_hand.allInnerTexts())
      expect(row).toMatch(/\d+\s(.* ago|yesterday|today) \(\d+ \w{3} \d{4}\)/)
    expect(await page.locator('main').innerText()).not.toMatch(/\d{4}-\d\d-\d\d|https?:/)
    expect(await rows.filter({ hasText: 'Local sales tax rates' }).innerText()).toMatch(
      /[\d,]{5,}\s+\d+ \w{3} \d{4} to \d+ \w{3} \d{4}/,
    )
    for (const [index, [name = '', state = '']] of expected.entries())
      expect(states[index]).toMatch(new RegExp(`^${name.toLowerCase()}.* ${state}$`, 's'))
    await page.close()
  })

  it('draws a bar a day, says them in words, and shows what a source said as text', async () => {
    const page = await openPage(browser)
    await page.goto(`${service.origin}/status`)
    const eu = page.locator('section', { has: page.locator('#runs-EU') })
    expect(await eu.locator('.strip span').count()).toBe(90)
    expect(await eu.locator('.strip .good').count()).toBe(59)
    expect(await eu.locator('.strip .bad').count()).toBe(2)
    expect(await eu.getByRole('img').getAttribute('aria-label')).toBe(
      'EU. Last 90 days: 59 with good runs, 2 with failed runs, 29 without a run',
    )
    expect(await eu.innerText()).toContain(
      'Last error: <script>alert("rates")</script> answered 500 at rates.example.com',
    )
    expect(await page.locator('#region-EU').getByRole('meter', { name: 'Age of the data' }).count()).toBe(1)
    expect(await eu.getByText('Failures in a row').isVisible()).toBe(false)
    await eu.getByText('Runs: European Union').click()
    expect(await eu.innerText()).toMatch(/Failures in a row\s+2/)
    await page.close()
  })

  it('prints every region and the addresses of its links', async () => {
    const page = await openPage(browser)
    await page.emulateMedia({ media: 'print' })
    await page.goto(`${service.origin}/jurisdictions/DE`)
    expect(await page.locator('nav').isVisible()).toBe(false)
    const printed = await page.evaluate(
      `getComputedStyle(document.querySelector('td a[href^="https"]'), '::after').content`,
    )
    expect(printed).toContain('https://')
    await page.close()
  })
})
