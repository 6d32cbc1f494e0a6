import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { openLocal } from '../scripts/bindings.ts'
import { createAccountAndKey } from '../scripts/create-account-and-key.ts'
import { freePort } from '../scripts/free-port.ts'
import { readOptions } from '../scripts/options.ts'
import { type Done, measureBooks } from './bench/console-books.ts'
import { measureViews, SLOWER, type ViewFigures } from './bench/console-views.ts'
import { generateSales } from './bench/generate-sales.ts'
import { report, table, thousands } from './bench/report.ts'
import { killDev, startDev } from './start-dev.ts'

const SALES = 10_000
const GOALS = [1_025, 2_525, 5_025]

const values = readOptions({ tries: { type: 'string', default: '3' } })

/** Opens the console in Chromium, with a fast and with slow processors. CHROMIUM names another browser. */
const folder = mkdtempSync(join(tmpdir(), 'console-'))
const port = await freePort()
const origin = `http://127.0.0.1:${port}`
const flags = ['--port', String(port), '--persist-to', folder, '--var', 'RATE_LIMITS:off']
const dev = await startDev(flags)
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium-headless-shell',
  args: ['--no-sandbox'],
})
try {
  const key = await fillLong()
  const headers = { Authorization: `Bearer ${dev.key}` }
  const filled = await fetch(`${origin}/v1/account/example-books`, { method: 'POST', headers })
  if (!filled.ok) throw new Error(`The example books: ${await filled.text()}`)
  const views = await measureViews(browser, { origin, key: dev.key }, Number(values.tries))
  const lines = linesOf(views, await measureBooks(browser, { origin, key }, GOALS))
  console.log(lines.join('\n'))
  report('console', lines)
} finally {
  await browser.close()
  await killDev(dev)
  rmSync(folder, { recursive: true, force: true })
}

/** An account with many sales. Returns its key. */
async function fillLong(): Promise<string> {
  const { db, dispose } = await openLocal(folder)
  const wanted = { account: 'Long', tier: 'pro', scopes: ['*'], sandbox: true } as const
  const { key, account_id } = await createAccountAndKey(db, wanted, new Date())
  await generateSales(db, account_id, SALES, () => {})
  await dispose()
  return key
}

function linesOf(views: readonly ViewFigures[], books: readonly Done[]): string[] {
  const slow = SLOWER.map((rate) => (rate === 1 ? 'usable, ms' : `${rate} times slower`))
  return [
    ...table(
      ['View', 'KB', 'requests', 'processor, ms', ...slow, ...slow.map((each) => `again: ${each}`)],
      views.map(({ view, cold, warm }) => [
        view,
        (cold[0]?.kilobytes ?? 0).toFixed(0),
        String(cold[0]?.requests ?? 0),
        thousands(cold[0]?.processor_ms ?? 0),
        ...[...cold, ...warm].map(({ usable_ms }) => thousands(usable_ms)),
      ]),
    ),
    '',
    ...table(
      [`With ${thousands(SALES)} sales`, 'processor, ms', 'rows', 'nodes', 'memory, MB'],
      books.map(({ what, processor_ms, rows, nodes, memory_mb }) => [
        what,
        thousands(processor_ms),
        thousands(rows),
        thousands(nodes),
        memory_mb.toFixed(0),
      ]),
    ),
  ]
}
