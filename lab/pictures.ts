import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { chromium } from 'playwright-core'
import { freePort } from '../scripts/free-port.ts'
import { PROJECT } from '../scripts/wrangler.ts'
import { killDev, startDev } from './start-dev.ts'
import { takePictures } from './take-pictures.ts'

/**
 * Makes the pictures of README.md: starts the service with an empty database, fills it with the example
 * books, and opens the console in Chromium. CHROMIUM names another browser than Debian's.
 */
const folder = mkdtempSync(join(tmpdir(), 'pictures-'))
const port = await freePort()
const origin = `http://127.0.0.1:${port}`
const dev = await startDev(['--port', String(port), '--persist-to', folder])
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium-headless-shell',
  args: ['--no-sandbox'],
})
try {
  const headers = { Authorization: `Bearer ${dev.key}` }
  const filled = await fetch(`${origin}/v1/account/example-books`, { method: 'POST', headers })
  if (!filled.ok) throw new Error(`The example books: ${await filled.text()}`)
  for (const path of await takePictures(browser, { origin, key: dev.key }, join(PROJECT, 'docs/pictures')))
    console.log(`${statSync(path).size} bytes  ${relative(PROJECT, path)}`)
} finally {
  await browser.close()
  await killDev(dev)
  rmSync(folder, { recursive: true, force: true })
}
