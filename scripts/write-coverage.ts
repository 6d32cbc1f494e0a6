import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { coveragePage } from './coverage-page.ts'
import { PROJECT } from './wrangler.ts'

const path = join(PROJECT, 'docs/coverage.md')
writeFileSync(path, coveragePage())
spawnSync(process.execPath, [join(PROJECT, 'node_modules/oxfmt/bin/oxfmt'), path], { stdio: 'inherit' })
console.log('Wrote docs/coverage.md')
