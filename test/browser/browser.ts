import { existsSync } from 'node:fs'
import axe from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { ahead } from '../support/ahead.ts'

/** Debian's Chromium, or the one that CHROMIUM names. */
export const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium'

/** Debian's Chromium without windows, which takes a quarter of the CPU time. It does not show PDF files. */
const SHELL = '/usr/bin/chromium-headless-shell'

const USUAL = process.env['CHROMIUM'] === undefined && existsSync(SHELL) ? SHELL : CHROMIUM

export async function launchBrowser(executablePath = USUAL): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox'],
  })
}

/** Before the limit of the test, so that its failure names what was not there. */
const PATIENCE_MS = 120_000

/** A page in a context of its own. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.newPage(options)
  page.setDefaultTimeout(PATIENCE_MS)
  const ahead_ms = process.env['CLOCK_AHEAD_MS']
  // The clock of `npm run test:days`.
  if (ahead_ms !== undefined) await page.addInitScript(`Date = (${String(ahead)})(Date, ${ahead_ms})`)
  return page
}

/** How a page is looked at: by whom, and on what. */
export const LOOKS = {
  light: { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  dark: { colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  phone: { colorScheme: 'light', viewport: { width: 360, height: 740 } },
} as const

/** Nothing that axe-core finds wrong, and nothing wider than the screen. */
export async function expectAccessible(page: Page): Promise<void> {
  // Evaluated by the debugger, so that the page's own policy need not allow scripts.
  await page.evaluate(axe.source)
  const violations: unknown = await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map((node) => node.html).join(' ')))`,
  )
  expect(violations).toEqual([])
  expect(
    await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
  ).toBe(0)
}

/** Opens an address, and expects what is drawn to stay where it is. `most` is in units of layout shift. */
export async function expectSteady(page: Page, url: string, most: number): Promise<void> {
  await page.addInitScript(`
    globalThis.shifted = 0
    globalThis.movers = []
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries()) {
        if (hadRecentInput) continue
        shifted += value
        for (const { node } of sources) movers.push((node?.textContent ?? '').slice(0, 40))
      }
    }).observe({ type: 'layout-shift', buffered: true })`)
  await page.goto(url, { waitUntil: 'networkidle' })
  // Two frames later, the observer has been told of the last shift.
  const shifted = await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(shifted)))))',
  )
  const movers = String(await page.evaluate('movers.join(", ")'))
  expect(Number(shifted), `${url}, moved: ${movers}`).toBeLessThanOrEqual(most)
}

/** The widths of a window, and those of usual windows when the page is enlarged. */
const WINDOWS = [
  ...Array.from({ length: 25 }, (_, step) => ({ width: 320 + 40 * step, zoom: 1 })),
  ...[1440, 1600, 1760, 1920].map((width) => ({ width, zoom: 1 })),
  ...[1.25, 1.5, 2].flatMap((zoom) => [768, 1024, 1280, 1366, 1920].map((width) => ({ width, zoom }))),
]

/** After them, what watches its own size has taken its shape. */
async function twoFrames(page: Page): Promise<void> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
}

/** Nothing is wider than its card, nor than the window, from the smallest screen to the largest. */
export async function expectFits(page: Page, path: string): Promise<void> {
  const debug = await page.context().newCDPSession(page)
  const found: string[] = []
  for (const { width, zoom } of WINDOWS) {
    const size = { width: Math.round(width / zoom), height: 900, deviceScaleFactor: zoom, mobile: false }
    await debug.send('Emulation.setDeviceMetricsOverride', size)
    await twoFrames(page)
    const wide = await page.evaluate<string[]>(`
      [document.documentElement, ...document.querySelectorAll('.table, .paper, .card, #drawer, dialog')]
        .filter((box) => box.checkVisibility() && box.scrollWidth > box.clientWidth + 1)
        .map((box) => box.tagName + '.' + box.className + ' ' + (box.scrollWidth - box.clientWidth))`)
    found.push(...wide.map((each) => `${width} px at ${zoom}: ${each} px too wide`))
  }
  expect(found, path).toEqual([])
  await debug.detach()
}

/** Nothing wider than the smallest screen in use. */
export async function expectNarrow(page: Page, path: string): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 })
  await twoFrames(page)
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), path).toBeLessThanOrEqual(
    0,
  )
}

/** Keeps a picture for people to look at, when the variable SCREENSHOTS names a folder. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

/**
 * Each text of the page is in its own box: no cell, button or badge is wider than its place, and no badge and
 * no date has two lines. Text that ends in an ellipsis is meant to be cut, and the months below a chart use the
 * room of their hidden neighbours.
 */
export async function expectUncut(page: Page, path: string): Promise<void> {
  const cut =
    await page.evaluate(`[...document.querySelectorAll('td, th, dd, dt, h1, h2, h3, .badge, button, time')]
    .filter((box) => {
      const style = getComputedStyle(box)
      if (!box.checkVisibility() || box.clientWidth <= 1 || box.closest('.skip, .months')) return false
      const is_wide = box.scrollWidth > box.clientWidth + 1 && style.textOverflow !== 'ellipsis'
      const is_broken = box.matches('.badge, time') && box.getClientRects().length > 1
      return is_broken || (style.display !== 'inline' && is_wide)
    })
    .map((box) => box.tagName + ' ' + box.textContent.slice(0, 60))`)
  expect(cut, path).toEqual([])
}
