import { makeBackup } from './backups/make-backup.ts'
import { DEFAULT_STATE, openLocal, openRemote } from './bindings.ts'
import { readOptions } from './options.ts'

/**
 * Makes a backup of all databases and files now, in the bucket that wrangler.toml binds as BACKUPS. During
 * `npm run maintenance -- on` it is of one moment. The nightly tick makes one without this command.
 */
const options = readOptions({
  'persist-to': { type: 'string', default: DEFAULT_STATE },
  remote: { type: 'boolean', default: false },
  env: { type: 'string', default: '' },
})
const bindings = await (options.remote ? openRemote(options.env) : openLocal(options['persist-to']))
try {
  if (bindings.buckets.BACKUPS === undefined)
    throw new Error('wrangler.toml binds no bucket as BACKUPS: docs/operations.md says how')
  console.log(`The backup ${await makeBackup(bindings, new Date())} is whole`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await bindings.dispose()
}
