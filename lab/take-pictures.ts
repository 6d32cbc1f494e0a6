import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import * as z from 'zod'

/** A picture of README.md has at most so many bytes. */
export const PICTURE_BYTES_MAX = 120_000
const QUALITIES = [90, 80, 70, 60, 50]

const Sales = z.object({
  transactions: z.array(
    z.object({ id: z.string(), tax_amount: z.int(), jurisdiction_id: z.string().nullable() }),
  ),
})
const Obligations = z.object({
  obligations: z.array(
    z.object({
      type: z.string().nullable(),
      period: z.string(),
      jurisdiction_id: z.string().nullable(),
      so_far: z.array(z.object({ tax_amount: z.int() })),
    }),
  ),
})

/**
 * Takes the pictures of README.md of an account with example books: the reason of a line, a return, and
 * nexus. It chooses by what the books have, so other books make other pictures and no fault.
 */
export async function takePictures(
  browser: Browser,
  { origin, key }: { origin: string; key: string },
  folder: string,
): Promise<string[]> {
  const ask = async (path: string): Promise<unknown> => {
    const response = await fetch(origin + path, { headers: { Authorization: `Bearer ${key}` } })
    if (!response.ok) throw new Error(`${path} answered ${response.status}`)
    return response.json()
  }
  const { transactions } = Sales.parse(await ask('/v1/transactions?limit=100'))
  const taxed = transactions.filter(({ tax_amount }) => tax_amount > 0)
  const sale = taxed.find(({ jurisdiction_id }) => jurisdiction_id !== taxed[0]?.jurisdiction_id) ?? taxed[0]
  const { obligations } = Obligations.parse(await ask('/v1/obligations?limit=100'))
  const most = obligations.toSorted((a, b) => dueOf(b) - dueOf(a))
  const due = most.find(({ type }) => type?.includes('oss')) ?? most.find(({ type }) => type !== null)
  if (sale === undefined || due === undefined) throw new Error('The books have no taxed sale or no return')
  const { type, period, jurisdiction_id } = due
  const query = new URLSearchParams({
    type: type ?? '',
    period,
    ...(jurisdiction_id !== null && { jurisdiction_id }),
  })
  const views = {
    reason: `transactions/${sale.id}`,
    return: `returns?${query.toString()}`,
    nexus: 'nexus',
  }
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 }, colorScheme: 'light' })
  await page.goto(`${origin}/console`)
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Console' }).waitFor()
  mkdirSync(folder, { recursive: true })
  const paths: string[] = []
  for (const [name, view] of Object.entries(views)) {
    await page.goto(`${origin}/console#/${view}`)
    await page.waitForLoadState('networkidle')
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
    if (name === 'reason') await page.getByText('All steps, with the law').click()
    const path = join(folder, `${name}.webp`)
    writeFileSync(path, await pictureOf(page, name))
    paths.push(path)
  }
  await page.close()
  return paths
}

function dueOf({ so_far }: z.infer<typeof Obligations>['obligations'][number]): number {
  return Math.max(0, ...so_far.map(({ tax_amount }) => tax_amount))
}

/** What is seen, as WebP: in the best quality that is small enough. */
async function pictureOf(page: Page, name: string): Promise<Buffer> {
  const session = await page.context().newCDPSession(page)
  for (const quality of QUALITIES) {
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality })
    const picture = Buffer.from(data, 'base64')
    if (picture.length <= PICTURE_BYTES_MAX) return picture
  }
  throw new Error(`The picture ${name} has more than ${PICTURE_BYTES_MAX} bytes`)
}
