import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PROJECT } from '../../scripts/wrangler.ts'
import { launchBrowser, openPage } from './browser.ts'
import { runningService } from '../support/running-service.ts'

const service = runningService()
let browser: Browser
const built = mkdtempSync(join(tmpdir(), 'browser-client-'))

beforeAll(async () => {
  execFileSync(
    process.execPath,
    [join(PROJECT, 'node_modules/typescript/bin/tsc'), '-p', 'client/tsconfig.json', '--outDir', built],
    { cwd: PROJECT },
  )
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser?.close()
  rmSync(built, { recursive: true })
})

const USE = `import('/client/client.js').then(async ({ createClient }) => {
  const tax = createClient({ baseUrl: location.origin, apiKey: KEY })
  await tax.customers.create({ name: 'Ada' })
  const names = []
  for await (const { name } of tax.customers.list({ limit: 1 })) names.push(name)
  const refused = await tax.rates({ jurisdiction: 'ZZ' }).catch((error) => error.reason)
  return { names, refused }
})`

it('runs in a browser, on pages of the same origin', async () => {
  const page = await openPage(browser)
  await page.route('**/client/**/*.js', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: readFileSync(
        join(built, new URL(route.request().url()).pathname.replace('/client/', '')),
        'utf8',
      ),
    }),
  )
  await page.goto(`${service.origin}/console/`)
  expect(await page.evaluate(USE.replace('KEY', JSON.stringify(service.key)))).toEqual({
    names: ['Ada'],
    refused: 'invalid_jurisdiction',
  })
  await page.close()
})
