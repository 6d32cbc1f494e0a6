import { gzipSync } from 'node:zlib'
import type { Browser, CDPSession, Page } from 'playwright-core'

/** What a page did since it was opened. `usable_ms` is from the click on the address to the first content. */
export type Opened = {
  usable_ms: number
  processor_ms: number
  script_ms: number
  kilobytes: number
  requests: number
}

/** A console in a browser of its own, whose processor is so many times slower than that of the machine. */
export type Watched = { page: Page; debug: CDPSession; close: () => Promise<void> }

/** Outside of the page, because its policy allows no script that is text. */
const WATCH_USABLE = `globalThis.usable = new Promise((done) => {
  const look = () => {
    const is_there = document.querySelector('main h1') !== null &&
      document.querySelector('.skeleton') === null &&
      document.querySelector('main :is(table, form, .empty, .chart, .card, .map)') !== null
    if (is_there) done(performance.now())
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
})`

/** Opens a browser context that is signed in, with nothing in its cache. */
export async function watch(browser: Browser, key: string, slower: number): Promise<Watched> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  // On a busy machine, a slow processor is slower still.
  page.setDefaultTimeout(60_000)
  await page.addInitScript(`if (location.protocol === 'http:') sessionStorage.setItem('api-key', '${key}')`)
  await page.addInitScript(WATCH_USABLE)
  const debug = await context.newCDPSession(page)
  await debug.send('Performance.enable')
  await debug.send('Emulation.setCPUThrottlingRate', { rate: slower })
  return { page, debug, close: () => context.close() }
}

/** Opens an address, and waits until it asks for nothing more. */
export async function open({ page, debug }: Watched, url: string): Promise<Opened> {
  await page.goto('about:blank')
  const sizes: Promise<number>[] = []
  const count = (response: { body: () => Promise<Buffer> }) =>
    sizes.push(
      response.body().then(
        (body) => gzipSync(body).length,
        () => 0,
      ),
    )
  page.on('response', count)
  const before = await metricsOf(debug)
  await page.goto(url)
  const usable_ms = Number(await page.evaluate('usable'))
  await page.waitForLoadState('networkidle')
  const after = await metricsOf(debug)
  page.off('response', count)
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  return { usable_ms, ...spent(before, after), kilobytes: bytes / 1000, requests: sizes.length }
}

type Metrics = ReadonlyMap<string, number>

/** What the browser counted of the page. */
export async function metricsOf(debug: CDPSession): Promise<Metrics> {
  const { metrics } = await debug.send('Performance.getMetrics')
  return new Map(metrics.map(({ name, value }) => [name, value]))
}

/** Milliseconds of the processor between two counts. A count begins anew with another page. */
export function spent(before: Metrics, after: Metrics): { processor_ms: number; script_ms: number } {
  const between = (name: string) => {
    const [from = 0, to = 0] = [before.get(name), after.get(name)]
    return (to >= from ? to - from : to) * 1000
  }
  return { processor_ms: between('TaskDuration'), script_ms: between('ScriptDuration') }
}
