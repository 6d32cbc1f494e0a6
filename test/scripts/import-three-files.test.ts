import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RunningService, startService } from '../../lab/service.ts'
import { PROJECT } from '../../scripts/wrangler.ts'
import { AVALARA, STRIPE, TAXJAR } from '../support/import-files.ts'
import { builtWorker } from './built.ts'

const folder = mkdtempSync(join(tmpdir(), 'import-'))
let service: RunningService

beforeAll(async () => {
  service = await startService((await builtWorker()).modules, { offline: true })
})

afterAll(async () => {
  await service?.dispose()
  rmSync(folder, { recursive: true })
})

/** As somebody types it after `npm run import --`. Returns the rows of the control totals that it prints. */
async function imported(key: string, provider: string, csv: string): Promise<string[]> {
  const file = join(folder, `${provider}.csv`)
  writeFileSync(file, csv)
  const options = ['scripts/import.ts', provider, file, '--url', service.origin]
  const child = spawn(process.execPath, options, { cwd: PROJECT, env: { ...process.env, TAX_API_KEY: key } })
  const [out, err, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.on('close', resolve)),
  ])
  expect(code, err + out).toBe(0)
  const lines = out.trim().split('\n')
  expect(lines.slice(1, 3)).toEqual([
    'Control totals of the file:',
    expect.stringMatching(/^month +currency +documents +net +tax$/),
  ])
  return lines.slice(3)
}

type Row = { month: string; currency: string; transactions: number; gross_sales: number; net_tax: number }

async function api(key: string, path: string, method = 'GET', body?: object): Promise<unknown> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const response = await fetch(service.origin + path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer: unknown = await response.json()
  expect(response.status, JSON.stringify(answer)).toBe(200)
  return answer
}

/** The books of the same months, from the report. Columns are apart by one space. */
async function reported(key: string): Promise<string[]> {
  const path = '/v1/reports/summary?from_date=2026-01-01&to_date=2026-12-31&group_by=month'
  const { rows } = (await api(key, path)) as { rows: Row[] }
  return rows
    .map(({ month, currency, transactions, gross_sales, net_tax }) => {
      const digits = currency === 'JPY' ? 0 : 2
      const [net, tax] = [gross_sales, net_tax].map((units) => (units / 10 ** digits).toFixed(digits))
      return `${month} ${currency} ${transactions} ${net} ${tax}`
    })
    .toSorted()
}

const FILES = [
  ['stripe', STRIPE],
  ['taxjar', TAXJAR],
  ['avalara', AVALARA],
] as const

it.each(['UTC', 'America/Los_Angeles'])(
  'the control totals that three imports print are those of the reports: %s',
  async (time_zone) => {
    const all = await service.newAccount(`All in ${time_zone}`)
    const profile = { country: 'US', region: 'CA', time_zone }
    await api(all.key, '/v1/account', 'PUT', profile)
    for (const [provider, csv] of FILES) {
      const { key } = await service.newAccount(`${provider} in ${time_zone}`)
      await api(key, '/v1/account', 'PUT', profile)
      const printed = await imported(key, provider, csv)
      expect(printed.map((row) => row.replaceAll(/ +/g, ' '))).toEqual(await reported(key))
      await imported(all.key, provider, csv)
      // A second run finds all of them on file, and changes nothing.
      expect(await imported(key, provider, csv)).toEqual(printed)
      expect(printed.map((row) => row.replaceAll(/ +/g, ' '))).toEqual(await reported(key))
    }
    expect(await reported(all.key)).toEqual([
      '2026-03 EUR 1 100.00 19.00',
      '2026-03 USD 1 200.00 20.70',
      '2026-04 EUR 2 133.33 27.67',
      '2026-04 JPY 1 5000 500',
      '2026-04 USD 2 45.66 4.13',
      '2026-05 EUR 1 -40.00 -7.60',
      '2026-05 USD 2 -109.99 -11.30',
    ])
  },
)
