import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { copyRun, openBackupFolder } from '../../scripts/backups/backup-folder.ts'

it('copies a run into a folder with the files of certificates and the chests of sealed sales', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'backup-folder-'))
  const [from, to] = await Promise.all(['from', 'to'].map((name) => openBackupFolder(join(folder, name))))
  try {
    if (from === undefined || to === undefined) throw new Error('A folder is missing')
    const keys = ['backups/one/0/manifest.json', 'chests/books/acct_a/000001-a.gz', 'files/a']
    for (const key of keys)
      await from.bucket.put(key, JSON.stringify({ run: 'one', shard: 0, shards: [0], parts: [] }))
    await copyRun(from.bucket, to.bucket, 'one')
    expect((await to.bucket.list()).objects.map(({ key }) => key)).toEqual(keys)
  } finally {
    await Promise.all([from?.dispose(), to?.dispose()])
    rmSync(folder, { recursive: true })
  }
})
