import { copyRun, openBackupFolder } from './backups/backup-folder.ts'
import { forgetPlaces, makeBackup } from './backups/make-backup.ts'
import { DEFAULT_STATE, openLocal, openRemote } from './bindings.ts'
import { readOptions } from './options.ts'

/**
 * Makes a backup of all databases and files now, in the bucket that wrangler.toml binds as BACKUPS, and
 * copies it to the folder of `--to`. Without such a bucket, the folder is enough. During
 * `npm run maintenance -- on` it is of one moment. The nightly tick makes one without this command.
 */
const options = readOptions({
  'persist-to': { type: 'string', default: DEFAULT_STATE },
  remote: { type: 'boolean', default: false },
  env: { type: 'string', default: '' },
  to: { type: 'string' },
})
const bindings = await (options.remote ? openRemote(options.env) : openLocal(options['persist-to']))
const folder = options.to === undefined ? null : await openBackupFolder(options.to)
try {
  const bucket = bindings.buckets.BACKUPS ?? folder?.bucket
  if (bucket === undefined)
    throw new Error(
      'wrangler.toml binds no bucket as BACKUPS: give a folder by --to, or see docs/operations.md',
    )
  // Only this command makes backups then. One that died was in another folder, perhaps.
  if (bindings.buckets.BACKUPS === undefined) await forgetPlaces(bindings.shards)
  const run = await makeBackup({ ...bindings, buckets: { ...bindings.buckets, BACKUPS: bucket } }, new Date())
  if (folder !== null && bucket !== folder.bucket) await copyRun(bucket, folder.bucket, run)
  console.log(`The backup ${run} is whole`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await folder?.dispose()
  await bindings.dispose()
}
