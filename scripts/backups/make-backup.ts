import type { Bindings } from '../../src/platform/bindings.ts'
import type { WholeDb } from '../../src/platform/database/databases.ts'
import { COPIES_PREFIX } from '../../src/sales/sealed/chest.ts'
import type { Shard } from '../../src/platform/database/shards.ts'
import { backUp, backUpFiles } from '../../src/service/backups/backup.ts'
import { readManifests } from '../../src/service/backups/manifest.ts'
import { movePlace, readPlace } from '../../src/service/backups/backup-store.ts'

/** The databases and buckets of an installation, opened from Node. */
type Opened = {
  db: WholeDb
  shards: readonly Shard[]
  kv: KVNamespace
  buckets: Pick<Bindings, 'BACKUPS' | 'CERTIFICATES' | 'CHESTS'>
}

/** Makes a whole backup now. One that a tick has begun is ended first. Returns its name. */
export async function makeBackup({ db, shards, kv, buckets }: Opened, now: Date): Promise<string> {
  const others = shards.filter(({ number }) => number > 0)
  const bound = Object.fromEntries(others.map(({ number, books }) => [`BOOKS_${number}`, books]))
  // The jobs of a backup use these bindings alone.
  const env = { ...buckets, ...bound, DB: db, KV: kv } as unknown as Bindings
  const run = now.toISOString().slice(0, 19).replaceAll(':', '-')
  const end = async (shard: Shard) => {
    while ((await readPlace(shard.books)) !== null) await backUp(env, shard, now, null)
  }
  for (const shard of shards) {
    await end(shard)
    await backUp(env, shard, now, run)
    await end(shard)
  }
  await backUpFiles(env, true)
  await backUpChests(buckets)
  if (buckets.BACKUPS && (await readManifests(buckets.BACKUPS, run)) === null)
    throw new Error('A tick began a backup of its own meanwhile: run this again when that one is done')
  return run
}

/**
 * Copies the chests that the bucket of backups lacks. The job that seals sales copies each one, but only into
 * a bucket that is bound. No row of the backup names a chest that comes later.
 */
async function backUpChests({ BACKUPS, CHESTS }: Opened['buckets']): Promise<void> {
  if (BACKUPS === undefined || CHESTS === undefined) return
  for (let cursor: string | undefined; ;) {
    const page = await CHESTS.list({ ...(cursor !== undefined && { cursor }) })
    for (const { key } of page.objects) {
      if ((await BACKUPS.head(COPIES_PREFIX + key)) !== null) continue
      const chest = await CHESTS.get(key)
      if (chest !== null) await BACKUPS.put(COPIES_PREFIX + key, await chest.arrayBuffer())
    }
    if (!page.truncated) return
    ;({ cursor } = page)
  }
}

/** Forgets backups that were begun and are not done. */
export async function forgetPlaces(shards: readonly Shard[]): Promise<void> {
  for (const { books } of shards) await movePlace(books, null)
}
