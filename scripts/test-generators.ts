import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Lets generators of other houses make clients of the OpenAPI document, and compiles what they make:
 * `npm run test:generators`. They are in a folder of their own, because they are larger than the service.
 * One that cannot be had is named as skipped.
 */
const PROJECT = join(import.meta.dirname, '..')
const SOURCE = join(PROJECT, 'test/generators')
/** Not in `test/`, where the other checks would read the packages. */
const FOLDER = join(PROJECT, 'dist/generators')
const MADE = join(FOLDER, 'made')
const DOCUMENT = join(PROJECT, 'public/openapi.json')

/** A use of the types: a misspelt word of a request, or a list that is lost or closed, does not compile. */
const USE = `import type { components, operations } from './openapi-typescript.ts'

type Sale = components['schemas']['TransactionAnswer']
type Refund = operations['refundTransaction']['parameters']['path']
const refund: Refund = { id: 'txn_1' }
const coverage: components['schemas']['Coverage'] = 'local'
type Answered = components['schemas']['Calculation']['coverage']
// A new word compiles, because the list is open, and editors still know the present words.
const later: Answered = 'street'
const kept: Extract<Answered, 'local'> = 'local'
// @ts-expect-error A request takes only the words that the service knows.
const wrong: components['schemas']['CalculateLineRequest']['tax_behavior'] = 'inclusiv'
const used: [Sale | null, Refund, string, string, string | undefined, string] =
  [null, refund, coverage, later, wrong, kept]
export { used }
`

process.exitCode = main()

function main(): number {
  run(process.execPath, [join(PROJECT, 'scripts/generate.ts')], PROJECT)
  cpSync(SOURCE, FOLDER, { recursive: true })
  if (run('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], FOLDER) !== 0) {
    console.log('skipped: the generators cannot be installed')
    return 0
  }
  rmSync(MADE, { recursive: true, force: true })
  mkdirSync(MADE, { recursive: true })
  writeFileSync(join(MADE, 'use.ts'), USE)
  const failed = [
    report('openapi-typescript', made('openapi-typescript.mjs', 'openapi-typescript.ts')),
    tool(
      'openapi-ts',
      '-i',
      DOCUMENT,
      '-o',
      join(MADE, 'hey-api'),
      '-p',
      '@hey-api/typescript',
      '@hey-api/sdk',
      'zod',
    ),
    tool('orval', '--input', DOCUMENT, '--output', join(MADE, 'orval/client.ts'), '--client', 'fetch'),
    tool('orval', '--input', DOCUMENT, '--output', join(MADE, 'orval/zod.ts'), '--client', 'zod'),
    tool('tsc', '-p', 'tsconfig.json'),
    python(),
  ].filter((ok) => !ok)
  return failed.length === 0 ? 0 : 1
}

/** Runs a file of the folder that writes types. */
function made(file: string, out: string): boolean {
  return run(process.execPath, [file, DOCUMENT, join(MADE, out)], FOLDER) === 0
}

function tool(name: string, ...args: string[]): boolean {
  return report(name, run(join(FOLDER, 'node_modules/.bin', name), args, FOLDER) === 0)
}

/** Only if it is installed: it comes from another registry. */
function python(): boolean {
  const name = 'openapi-python-client'
  if (spawnSync(name, ['--version']).error !== undefined) {
    console.log(`${name}: skipped, it is not installed`)
    return true
  }
  const args = ['generate', '--path', DOCUMENT, '--output-path', join(MADE, 'python'), '--fail-on-warning']
  return report(name, run(name, args, FOLDER) === 0)
}

function report(name: string, ok: boolean): boolean {
  console.log(`${name}: ${ok ? 'ok' : 'FAILED'}`)
  return ok
}

/** Runs a command and shows what it says only if it fails. Returns its status. */
function run(command: string, args: readonly string[], cwd: string): number {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', timeout: 300_000 })
  if (status !== 0) console.error(stdout, stderr)
  return status ?? 1
}
