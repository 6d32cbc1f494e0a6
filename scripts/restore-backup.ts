import { openBackupFolder } from './backups/backup-folder.ts'
import { restoreBackup, wholeRuns } from './backups/restore.ts'
import { DEFAULT_STATE, openLocal, openRemote } from './bindings.ts'
import { readArguments } from './options.ts'

/**
 * Loads a backup of the bucket BACKUPS, or of the folder of `--from`, into an installation without accounts;
 * without a name, the newest whole one. `--list` names all. If it is stopped, `--continue` goes on.
 */
const { values, positionals } = readArguments({
  'persist-to': { type: 'string', default: DEFAULT_STATE },
  remote: { type: 'boolean', default: false },
  env: { type: 'string', default: '' },
  list: { type: 'boolean', default: false },
  continue: { type: 'boolean', default: false },
  from: { type: 'string' },
})
const { shards, buckets, dispose } = await (values.remote
  ? openRemote(values.env)
  : openLocal(values['persist-to']))
const folder = values.from === undefined ? null : await openBackupFolder(values.from)
try {
  const { CERTIFICATES: files, CHESTS: chests } = buckets
  const bucket = folder?.bucket ?? buckets.BACKUPS
  if (bucket === undefined)
    throw new Error(
      'wrangler.toml binds no bucket as BACKUPS: give a folder by --from, or see docs/operations.md',
    )
  const runs = await wholeRuns(bucket)
  const [run = runs[0]] = positionals
  if (values.list) console.log(runs.join('\n'))
  else if (run === undefined) throw new Error('The bucket has no whole backup')
  else {
    const report = (line: string) => console.log(line)
    const rows = await restoreBackup(
      { bucket, ...(files && { files }), ...(chests && { chests }), shards, report },
      run,
      values.continue,
    )
    const next = values.remote ? 'Run npm run deploy next' : 'Start the service again'
    console.log(`The backup ${run} is loaded: ${rows} rows. ${next}`)
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await folder?.dispose()
  await dispose()
}
