import { execFile } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { freshCheckout } from './checkout.ts'

const folder = freshCheckout()
afterAll(() => rmSync(folder, { recursive: true }))

/** Builds, and changes a line and a schema. */
const CHANGES = `
  import { readFileSync, writeFileSync } from 'node:fs'
  import { setTimeout } from 'node:timers/promises'
  import { buildOnChange } from './scripts/dev-build.ts'
  const file = process.cwd() + '/dist/dev/1/worker.js'
  const end = await buildOnChange(file)
  const change = (path, from, to) => writeFileSync(path, readFileSync(path, 'utf8').replaceAll(from, to))
  change('src/tax-data/status/health.ts', 'Not up to date', 'Of an older day')
  while (!readFileSync(file, 'utf8').includes('Of an older day')) await setTimeout(20)
  const sale = 'export const TransactionRequest = z.strictObject({'
  change('src/sales/transactions/sale/schemas.ts', sale, sale + ' of_this_test: z.string().optional(),')
  const made = 'src/sales/transactions/sale/quick-checks.generated.ts'
  while (!readFileSync(made, 'utf8').includes('of_this_test')) await setTimeout(20)
  await end()
`

it('a changed line is built, and what is made from a changed schema is made again', async () => {
  const args = ['--input-type=module', '-e', CHANGES]
  await promisify(execFile)(process.execPath, args, { cwd: folder })
  // What was built is not left behind.
  expect(existsSync(join(folder, 'dist/dev/1'))).toBe(false)
})
