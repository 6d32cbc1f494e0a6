import type { Bindings } from '../../platform/bindings.ts'
import { pagesOfJob } from '../../platform/database/pages-of-job.ts'
import { type Shard, shardsOf } from '../../platform/database/shards.ts'
import { inSlices } from '../../platform/database/slices.ts'
import { sha256 } from '../../platform/kit/sha256.ts'
import { RELEASE } from '../../platform/release.ts'
import {
  beginBackup,
  movePlace,
  type PlaceOfBackup,
  readPart,
  readPlace,
  readTables,
  type TableOfBackup,
} from './backup-store.ts'
import {
  BACKUPS_PREFIX,
  FILES_PREFIX,
  folderOf,
  gzip,
  type Manifest,
  manifestKey,
  readManifests,
} from './manifest.ts'

/** Parts of one slice of a run, of a megabyte each. A tick has 20 slices. */
const PARTS_OF_SLICE = 8
const FILES_OF_PAGE = 20
const KEPT_DAYS = 35
const DAY_MS = 86_400_000

/**
 * Copies a database to the bucket of backups, as far as one tick goes. `run` begins one, unless one goes on;
 * null: only such a one. A part is written once: a run that finds it, after a death or because two copy at
 * once, goes on after its last row. So no row is missing or twice. The rows of a part are of one moment,
 * those of different parts are not: what is written meanwhile may be in it or not.
 */
export async function backUp(env: Bindings, shard: Shard, now: Date, run: string | null): Promise<void> {
  const { BACKUPS } = env
  const { books } = shard
  if (BACKUPS === undefined) return
  const begun_at = now.toISOString()
  if (run !== null) await beginBackup(books, { run, begun_at, table: '', after: 0, part: 0 })
  let place = await readPlace(books)
  if (place === null) return
  const tables = await readTables(books)
  await inSlices(async () => {
    for (let done = 0; done < PARTS_OF_SLICE && place !== null; done += 1)
      place = await copyPart(BACKUPS, shard, tables, place)
    if (place !== null) await movePlace(books, place)
    else await endBackup(env, BACKUPS, shard, now)
    return place !== null
  })
}

/** Copies the next part of the tables. Returns where it goes on; null: that was the last one. */
async function copyPart(
  bucket: R2Bucket,
  { number, books }: Shard,
  tables: readonly TableOfBackup[],
  { table: name, ...place }: PlaceOfBackup,
): Promise<PlaceOfBackup | null> {
  const table = tables.find((each) => each.name >= name)
  if (table === undefined) return null
  const isNew = table.name !== name
  const { after, part } = isNew ? { after: 0, part: 0 } : place
  const read = await readPart(books, table, after)
  // A space sorts after a name, and before each longer one.
  if (read === null) return { ...place, table: `${table.name} `, after: 0, part: 0 }
  const bytes = await gzip(JSON.stringify(read.part))
  const key = `${folderOf(place.run, number)}${table.name}/${String(part).padStart(6, '0')}.json.gz`
  const customMetadata = {
    sha256: await sha256(bytes),
    rows: String(read.part.rows.length),
    table: table.name,
    last: String(read.last),
  }
  const put = await bucket.put(key, bytes, { customMetadata, onlyIf: { etagDoesNotMatch: '*' } })
  const last = put === null ? await lastOfPart(bucket, key) : read.last
  return { ...place, table: table.name, after: last, part: part + 1 }
}

/** The last row of a part that another run has written, which this one may know with other rows. */
async function lastOfPart(bucket: R2Bucket, key: string): Promise<number> {
  const last = Number((await bucket.head(key))?.customMetadata?.['last'])
  if (!Number.isSafeInteger(last)) throw new Error(`${key} does not say its last row`)
  return last
}

/** Writes the manifest, which makes the backup whole, and then forgets the place. */
async function endBackup(
  env: Bindings,
  bucket: R2Bucket,
  { number, books }: Shard,
  now: Date,
): Promise<void> {
  const place = await readPlace(books)
  if (place === null) return
  const { run, begun_at } = place
  const manifest: Manifest = {
    run,
    shard: number,
    shards: shardsOf(env).map((each) => each.number),
    release: RELEASE,
    begun_at,
    ended_at: now.toISOString(),
    parts: [],
  }
  for (let cursor: string | undefined; ;) {
    const page = await bucket.list({
      prefix: folderOf(run, number),
      include: ['customMetadata'],
      ...(cursor !== undefined && { cursor }),
    })
    for (const { key, customMetadata: { sha256: hash = '', rows = '', table = '' } = {} } of page.objects)
      if (table !== '') manifest.parts.push({ key, table, rows: Number(rows), sha256: hash })
    if (!page.truncated) break
    ;({ cursor } = page)
  }
  await bucket.put(manifestKey(run, number), JSON.stringify(manifest))
  await movePlace(books, null)
}

/** Copies the files of certificates that the bucket of backups does not have. */
export async function backUpFiles(env: Bindings, begin: boolean): Promise<void> {
  const { BACKUPS, CERTIFICATES } = env
  if (BACKUPS === undefined || CERTIFICATES === undefined) return
  await pagesOfJob(env.DB, { name: 'backup_of_files', begin }, async (after) => {
    const startAfter = after === '' ? {} : { startAfter: after }
    const { objects } = await CERTIFICATES.list({ limit: FILES_OF_PAGE, ...startAfter })
    for (const { key } of objects) {
      if ((await BACKUPS.head(FILES_PREFIX + key)) !== null) continue
      const file = await CERTIFICATES.get(key)
      if (file !== null)
        await BACKUPS.put(FILES_PREFIX + key, await file.arrayBuffer(), {
          ...(file.httpMetadata && { httpMetadata: file.httpMetadata }),
        })
    }
    return objects.length < FILES_OF_PAGE ? null : (objects.at(-1)?.key ?? null)
  })
}

/** Deletes backups that began before `BACKUPS_KEPT_DAYS` and before the last two whole ones. */
export async function pruneBackups({ BACKUPS, BACKUPS_KEPT_DAYS }: Bindings, now: Date): Promise<void> {
  if (BACKUPS === undefined) return
  const oldest = new Date(now.getTime() - Number(BACKUPS_KEPT_DAYS ?? KEPT_DAYS) * DAY_MS).toISOString()
  const { delimitedPrefixes } = await BACKUPS.list({ prefix: BACKUPS_PREFIX, delimiter: '/' })
  const runs = delimitedPrefixes.map((prefix) => prefix.slice(BACKUPS_PREFIX.length, -1)).toSorted()
  for (let whole = 0; whole < 2 && runs.length > 0;)
    if ((await readManifests(BACKUPS, runs.pop() ?? '')) !== null) whole += 1
  const old = runs.filter((run) => run < oldest).map((run) => `${BACKUPS_PREFIX}${run}/`)
  await inSlices(async () => {
    const [run] = old
    if (run === undefined) return false
    const { objects } = await BACKUPS.list({ prefix: run })
    if (objects.length > 0) await BACKUPS.delete(objects.map(({ key }) => key))
    else old.shift()
    return true
  })
}
