import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { errorsPage } from '../../scripts/errors-page.ts'
import { COLLECTORS } from '../../collectors/all.ts'
import { DIRECTORIES, LISTS, WATCHED } from '../../collectors/us-local/sources.ts'
import { withShapes } from '../../scripts/shapes-section.ts'
import { DOCUMENT_SHAPES } from '../../src/tax-data/status/document-shapes.ts'
import { localPage } from '../../scripts/local-page.ts'
import { productTypesPage } from '../../scripts/product-types-page.ts'
import { withCountries } from '../../scripts/countries-table.ts'
import { coveragePage } from '../../scripts/coverage-page.ts'

it('docs/collectors.md has the register of shapes, with an entry for each address that is read', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/collectors.md'), 'utf8')
  expect(plain(page)).toBe(plain(withShapes(page)))
  const read = [
    ...Object.values(COLLECTORS).flatMap((each): { variable: string }[] =>
      'series' in each
        ? [...each.alternatives]
        : each.parts.flatMap(({ alternatives, beside = [] }) => [...alternatives, ...beside]),
    ),
    ...LISTS,
    ...WATCHED,
    DIRECTORIES.rates,
    DIRECTORIES.boundaries,
  ].map(({ variable }) => variable)
  expect(new Set(DOCUMENT_SHAPES.map(({ variable }) => variable))).toEqual(new Set(read))
})

it('docs/other-countries.md says since when a seller charges in each country', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/other-countries.md'), 'utf8')
  expect(plain(page)).toBe(plain(withCountries(page)))
  expect(plain(page)).toContain(
    '| Singapore (`SG`) | SGD | 2007-07-01 | 2020-01-01 | 2023-01-01 | 2023-01-01 |',
  )
})

/** The formatter pads the cells of tables. */
const plain = (text: string) => text.replaceAll(/-{3,}/g, '---').replaceAll(/ +/g, ' ').trim()

it.each([
  ['coverage.md', coveragePage],
  ['us-local-taxes.md', localPage],
  ['errors.md', errorsPage],
  ['product-types.md', productTypesPage],
] as const)('docs/%s is what npm run coverage:write makes of data and code', (name, make) => {
  const page = readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8')
  expect(plain(page)).toBe(plain(make()))
})
