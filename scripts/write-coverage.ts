import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withCountries } from './countries-table.ts'
import { coveragePage } from './coverage-page.ts'
import { errorsPage } from './errors-page.ts'
import { localPage } from './local-page.ts'
import { withShapes } from './shapes-section.ts'
import { productTypesPage } from './product-types-page.ts'
import { PROJECT } from './wrangler.ts'

/** The pages that are made from code and data. */
const PAGES = {
  'docs/coverage.md': coveragePage,
  'docs/us-local-taxes.md': localPage,
  'docs/errors.md': errorsPage,
  'docs/product-types.md': productTypesPage,
}

/** Pages of which a section is made. */
const SECTIONS = { 'docs/collectors.md': withShapes, 'docs/other-countries.md': withCountries }

for (const [page, make] of Object.entries(SECTIONS)) {
  const path = join(PROJECT, page)
  writeFileSync(path, make(readFileSync(path, 'utf8')))
  spawnSync(process.execPath, [join(PROJECT, 'node_modules/oxfmt/bin/oxfmt'), path], { stdio: 'inherit' })
}

for (const [page, make] of Object.entries(PAGES)) {
  const path = join(PROJECT, page)
  writeFileSync(path, make())
  spawnSync(process.execPath, [join(PROJECT, 'node_modules/oxfmt/bin/oxfmt'), path], { stdio: 'inherit' })
  console.log(`Wrote ${page}`)
}
