import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { buildWorker } from './run-worker.ts'
import { PROJECT } from './wrangler.ts'

/**
 * Stores the bundle of this release and the names of its migrations in the repository. The tests of the next
 * release run it with the next tables. Run it after a deploy, and commit the files.
 */
const bundle = await buildWorker('src/worker.ts')
writeFileSync(join(PROJECT, 'test/release/worker.js.gz'), gzipSync(bundle, { level: 9 }))
const migrations = readdirSync(join(PROJECT, 'migrations')).filter((name) => name.endsWith('.sql'))
writeFileSync(join(PROJECT, 'test/release/migrations.txt'), `${migrations.toSorted().join('\n')}\n`)
console.log('Wrote test/release. Commit it after the release is deployed')
