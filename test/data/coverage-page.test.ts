import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { errorsPage } from '../../scripts/errors-page.ts'
import { localPage } from '../../scripts/local-page.ts'
import { coveragePage } from '../../scripts/coverage-page.ts'

/** The formatter pads the cells of tables. */
const plain = (text: string) => text.replaceAll(/-{3,}/g, '---').replaceAll(/ +/g, ' ').trim()

it.each([
  ['coverage.md', coveragePage],
  ['us-local-taxes.md', localPage],
  ['errors.md', errorsPage],
] as const)('docs/%s is what npm run coverage:write makes of data and code', (name, make) => {
  const page = readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8')
  expect(plain(page)).toBe(plain(make()))
})
