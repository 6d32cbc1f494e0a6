import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json, text } from 'node:stream/consumers'
import { afterEach, expect, it } from 'vitest'
import { PROJECT } from '../../scripts/wrangler.ts'

let close = () => {}
afterEach(() => close())

const HEADER =
  'id,type,currency,transaction_date,tax_date,line_item_id,tax_code,subtotal,tax_amount,' +
  'destination_resolved_address_country'
const ROWS = [
  'in_1,invoice,eur,2026-03-31,2026-03-31,li_1,txcd_10103001,100.00,19.00,DE',
  'in_2,invoice,eur,2026-04-01,2026-04-01,li_1,txcd_10103001,33.33,6.67,FR',
]

/** A service that refuses the second sale. */
async function serve(): Promise<string> {
  const server = createServer((request, response) => {
    if (request.method === 'GET') return void response.end(JSON.stringify({ time_zone: 'UTC' }))
    void json(request).then((body) => {
      const { transactions } = body as { transactions: { external_id: string }[] }
      const results = transactions.map(({ external_id }) =>
        external_id === 'in_2' ? { success: false, error: { message: 'no' } } : { success: true },
      )
      response.end(JSON.stringify({ results }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  close = () => void server.close()
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has a port')
  return `http://127.0.0.1:${address.port}`
}

async function run(...args: string[]) {
  return runWith(ROWS, ...args)
}

async function runWith(rows: readonly string[], ...args: string[]) {
  const file = join(mkdtempSync(join(tmpdir(), 'import-')), 'sales.csv')
  writeFileSync(file, [HEADER, ...rows, ''].join('\n'))
  const child = spawn(process.execPath, ['scripts/import.ts', 'stripe', file, ...args], {
    cwd: PROJECT,
    env: { ...process.env, TAX_API_KEY: 'key' },
  })
  const [out, err, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.on('close', resolve)),
  ])
  return { out, err, code }
}

const OF_THE_FILE = [
  'Control totals of the file:',
  'month    currency  documents     net    tax',
  '2026-03  EUR               1  100.00  19.00',
  '2026-04  EUR               1   33.33   6.67',
]

it('the import ends with control totals of the file, and of what was refused', async () => {
  const { out, code } = await run('--url', await serve())
  expect(code).toBe(1)
  expect(out.trim().split('\n')).toEqual([
    '1 recorded, 0 recorded already, 1 refused',
    ...OF_THE_FILE,
    'Of these, refused and not in the books:',
    'month    currency  documents    net   tax',
    '2026-04  EUR               1  33.33  6.67',
  ])
})

it('a dry run prints them beside the sales', async () => {
  const { out, err, code } = await run('--dry-run')
  expect({ lines: out.trim().split('\n').length, code }).toEqual({ lines: 2, code: 0 })
  expect(err.trim().split('\n')).toEqual(OF_THE_FILE)
})

const FAULTY = [
  ...ROWS,
  'in_3,invoice,eur,2026-04-01,2026-04-01,li_1,txcd_10103001,1.00,0.00,XX',
  'in_4,invoice,eur,2026-04-01,2026-04-01,li_1,txcd_10103001,one,0.00,FR',
]

it('all errors of a file are named, and nothing is recorded', async () => {
  const refused = join(mkdtempSync(join(tmpdir(), 'import-')), 'refused.csv')
  const { out, err, code } = await runWith(FAULTY, '--url', await serve(), '--refused', refused)
  expect({ out, code }).toEqual({ out: '', code: 1 })
  expect(err.trim().split('\n')).toEqual([
    'Row 4, country: "XX" is not the code of a country, such as DE',
    'Row 5, subtotal: "one" is not a decimal number',
    'Nothing is recorded',
  ])
  expect(readFileSync(refused, 'utf8').split('\r\n')).toHaveLength(4)
})

it('what is left out, and what the service refuses, is written to a file with reasons', async () => {
  const refused = join(mkdtempSync(join(tmpdir(), 'import-')), 'refused.csv')
  const { code } = await runWith(FAULTY, '--url', await serve(), '--skip-bad-rows', '--refused', refused)
  expect(code).toBe(1)
  const lines = readFileSync(refused, 'utf8').trim().split('\r\n')
  expect(lines.map((line) => [line.split(',')[0], line.split(',').at(-1)])).toEqual([
    ['id', 'reason'],
    ['in_3', ' such as DE"'],
    ['in_4', ' subtotal: ""one"" is not a decimal number"'],
    ['in_2', 'no'],
  ])
})

it('a file without errors writes none', async () => {
  const refused = join(mkdtempSync(join(tmpdir(), 'import-')), 'refused.csv')
  expect((await run('--dry-run', '--refused', refused)).code).toBe(0)
  expect(existsSync(refused)).toBe(false)
})
