import type { Browser, Page } from 'playwright-core'
import { metricsOf, open, spent, type Watched, watch } from './console-page.ts'

/** What somebody did in a long list. `rows` are those in the page, and `memory_mb` is that of its scripts. */
export type Done = { what: string; processor_ms: number; rows: number; nodes: number; memory_mb: number }

/** Goes through the sales of long books as a person does, until the list has so many rows. */
export async function measureBooks(
  browser: Browser,
  { origin, key }: { origin: string; key: string },
  goals: readonly number[],
): Promise<Done[]> {
  const watched = await watch(browser, key, 1)
  const { page } = watched
  const done: Done[] = []
  const deed = async (what: string, act: () => Promise<unknown>) => {
    done.push(await measured(watched, what, act))
  }
  const search = page.getByRole('searchbox')
  await deed('open the list of sales', () => open(watched, `${origin}/console#/transactions`))
  await deed('search by a number', async () => {
    await search.fill('order-777')
    await until(page, `${ROWS} > 0 && ${ROWS} < 25`)
  })
  await deed('end the search', async () => {
    await search.fill('')
    await until(page, `${ROWS} === 25`)
  })
  await deed('open a drawer', () => openDrawer(page))
  await deed('close it', () => closeDrawer(page))
  for (const goal of goals) {
    await rowsUntil(page, goal - 100)
    await deed(`the last page of ${goal} rows`, () => rowsUntil(page, goal))
    await deed('open a drawer', () => openDrawer(page))
    await deed('close it', () => closeDrawer(page))
  }
  await deed('open the list of customers', async () => {
    await page.evaluate("location.hash = '#/customers'")
    await until(page, `document.querySelector('h1').textContent === 'Customers' && ${ROWS} === 25`)
  })
  await deed('go back to the sales', async () => {
    await page.goBack()
    await until(page, `document.querySelector('h1').textContent === 'Transactions' && ${ROWS} > 0`)
    await page.waitForLoadState('networkidle')
  })
  await watched.close()
  return done
}

const ROWS = "document.querySelectorAll('main tbody tr').length"

/** Looks at each frame, so that the looking costs nothing. The debugger evaluates it, so no policy does. */
async function until(page: Page, condition: string): Promise<void> {
  await page.evaluate(`new Promise((done) => {
    const look = () => (${condition}) ? done() : requestAnimationFrame(look)
    look()
  })`)
}

async function measured({ page, debug }: Watched, what: string, act: () => Promise<unknown>): Promise<Done> {
  const before = await metricsOf(debug)
  await act()
  const after = await metricsOf(debug)
  return {
    what,
    processor_ms: spent(before, after).processor_ms,
    rows: Number(await page.evaluate(ROWS)),
    nodes: after.get('Nodes') ?? 0,
    memory_mb: (after.get('JSHeapUsedSize') ?? 0) / 1_000_000,
  }
}

async function openDrawer(page: Page): Promise<void> {
  await page.evaluate("document.querySelector('main tbody a').click()")
  await until(page, "document.querySelector('#drawer h2') && !document.querySelector('#drawer .skeleton')")
}

async function closeDrawer(page: Page): Promise<void> {
  await page.evaluate("document.querySelector('#drawer [aria-label=Close]').click()")
  await until(page, "document.querySelector('#drawer') === null")
}

/** Loads more until the list has so many rows. */
async function rowsUntil(page: Page, goal: number): Promise<void> {
  for (let rows = 0; rows < goal; rows = Number(await page.evaluate(ROWS))) {
    if (rows === 0) continue
    await page.evaluate("document.querySelector('main .table-foot button').click()")
    await until(page, `${ROWS} > ${rows}`)
  }
}
