import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { coveragePage } from '../../scripts/coverage-page.ts'

/** The formatter pads the cells of tables. */
const plain = (text: string) => text.replaceAll(/-{3,}/g, '---').replaceAll(/ +/g, ' ').trim()

it('docs/coverage.md is what npm run coverage:write makes of the data', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/coverage.md'), 'utf8')
  expect(plain(page)).toBe(plain(coveragePage()))
})
