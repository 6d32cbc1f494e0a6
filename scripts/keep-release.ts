import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { buildWorker } from './run-worker.ts'
import { PROJECT } from './wrangler.ts'

/**
 * Stores the bundle of this release in the repository. The tests of the next release run it against the next
 * tables. Run it after a deploy, and commit the file.
 */
const bundle = await buildWorker('src/worker.ts')
writeFileSync(join(PROJECT, 'test/release/worker.js.gz'), gzipSync(bundle, { level: 9 }))
console.log('Wrote test/release/worker.js.gz. Commit it after the release is deployed')
