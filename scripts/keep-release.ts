import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { keepRelease } from './kept-release.ts'
import { buildWorker } from './run-worker.ts'
import { PROJECT } from './wrangler.ts'

/**
 * Stores the modules of this release and the names of its migrations in the repository. The tests of the next
 * release run it with the next tables. Run it after a deploy, and commit the files.
 */
const migrations = readdirSync(join(PROJECT, 'migrations')).filter((name) => name.endsWith('.sql'))
keepRelease({ modules: await buildWorker('src/worker.ts'), migrations: migrations.toSorted() })
console.log('Wrote test/release. Commit it after the release is deployed')
