import { type Shard } from '../../src/platform/database/shards.ts'
import { DOCUMENT_BYTES_MAX } from '../../src/platform/database/values/document-type.ts'
import { readTables, type TableOfBackup } from '../../src/service/backups/backup-store.ts'
import {
  BACKUPS_PREFIX,
  FILES_PREFIX,
  type Manifest,
  type ManifestPart,
  readManifests,
} from '../../src/service/backups/manifest.ts'
import { COPIES_PREFIX } from '../../src/sales/sealed/chest.ts'
import { checkedManifest, checkedPart } from './check-backup.ts'
import { mendSales } from './mend-sales.ts'
import { clear, countRows, endMark, hasAccounts, insertPart, readMark } from './restore-store.ts'

/** The installation that gets the backup. `files`: the bucket of certificates; `chests`: of sealed sales. */
type RestoreTools = {
  bucket: R2Bucket
  files?: R2Bucket
  chests?: R2Bucket
  shards: readonly Shard[]
  report: (line: string) => void
}

/** The runs that are whole, the newest first. One that cannot be read does not hide the others. */
export async function wholeRuns(bucket: R2Bucket): Promise<string[]> {
  const { delimitedPrefixes } = await bucket.list({ prefix: BACKUPS_PREFIX, delimiter: '/' })
  const runs = delimitedPrefixes.map((prefix) => prefix.slice(BACKUPS_PREFIX.length, -1))
  const whole: string[] = []
  for (const run of runs.toSorted().toReversed())
    if ((await readManifests(bucket, run).catch(() => null)) !== null) whole.push(run)
  return whole
}

/**
 * Loads a backup into an installation without accounts. A restore that died goes on with `continuing`, and
 * only that one. The manifests are checked before anything is written, each part before a row of it is, and
 * the rows of each table are counted in the end. Throws an Error.
 */
export async function restoreBackup(tools: RestoreTools, run: string, continuing: boolean): Promise<number> {
  const { bucket, shards } = tools
  const found = await readManifests(bucket, run)
  if (found === null) throw new Error(`There is no whole backup ${run}`)
  const numbers = found[0]?.shards ?? []
  const manifests = found.map((each, index) =>
    checkedManifest(each, run, { shard: numbers[index] ?? 0, shards: numbers }),
  )
  const pairs = manifests.map((manifest) => {
    const shard = shards.find(({ number }) => number === manifest.shard)
    if (shard === undefined)
      throw new Error(`The backup has ${manifests.length} databases: add shard ${manifest.shard} first`)
    return { manifest, shard }
  })
  await checkEmpty(shards, run, continuing)
  let rows = 0
  for (const { manifest, shard } of pairs) {
    rows += await restoreShard(tools, shard, manifest)
    await mendSales(shard.books, (line) => tools.report(`Shard ${shard.number}: ${line}`))
  }
  await restoreFiles(tools)
  for (const { number, books } of shards)
    await endMark(books, manifests.find(({ shard }) => shard === number)?.begun_at ?? null)
  return rows
}

async function checkEmpty(shards: readonly Shard[], run: string, continuing: boolean): Promise<void> {
  const marks = await Promise.all(shards.map(({ books }) => readMark(books)))
  const begun = marks.find((mark) => mark !== null)
  if (begun !== undefined && begun !== null) {
    if (continuing && begun.run === run) return
    throw new Error(`The restore of ${begun.run} was begun here and is not done: go on with it by --continue`)
  }
  for (const { number, books } of shards)
    if (await hasAccounts(books))
      throw new Error(`Shard ${number} has accounts: a backup is loaded into an empty installation alone`)
}

async function restoreShard(
  { bucket, report }: RestoreTools,
  { number, books }: Shard,
  { run, parts }: Manifest,
): Promise<number> {
  const tables = parentsFirst(await readTables(books))
  const order = tables.map(({ name }) => name)
  const unknown = parts.find(({ table }) => !order.includes(table))
  if (unknown !== undefined)
    throw new Error(`The backup has the table ${unknown.table}: deploy its release or a later one first`)
  // The parts of a table stay in the order in which they were written: of a row in two, the later one counts.
  const sorted = parts.toSorted((a, b) => order.indexOf(a.table) - order.indexOf(b.table))
  let mark = await readMark(books)
  if (mark === null) await clear(books, tables, run)
  mark ??= { run, parts: 0, changed: [] }
  for (const part of sorted.slice(mark.parts)) {
    const next = { ...mark, parts: mark.parts + 1 }
    const stored = await bucket.get(part.key)
    if (stored === null) throw new Error(`${part.key} is missing`)
    const columns = tables.find(({ name }) => name === part.table)?.columns ?? []
    mark = await insertPart(books, part.table, await checkedPart(stored, part, columns), next)
  }
  return checkCounts({ number, books }, sorted, mark.changed, report)
}

async function checkCounts(
  { number, books }: Shard,
  parts: readonly ManifestPart[],
  changed: readonly string[],
  report: (line: string) => void,
): Promise<number> {
  const expected = new Map<string, number>()
  for (const { table, rows } of parts) expected.set(table, (expected.get(table) ?? 0) + rows)
  // The mark of this restore is a row too.
  if (expected.has('job_cursors')) expected.set('job_cursors', (expected.get('job_cursors') ?? 0) + 1)
  let sum = 0
  for (const [table, rows] of expected) {
    const found = await countRows(books, table)
    if (found < rows && changed.includes(table))
      report(
        `Shard ${number}: ${table} changed while it was copied: ` +
          `${rows - found} rows were older or lacked a parent`,
      )
    else if (found !== rows)
      throw new Error(`Shard ${number}: ${table} has ${found} rows in place of ${rows}`)
    sum += found
  }
  report(`Shard ${number}: ${sum} rows in ${expected.size} tables`)
  return sum
}

/** Tables after those that they refer to. */
function parentsFirst(tables: readonly TableOfBackup[]): TableOfBackup[] {
  const sorted: TableOfBackup[] = []
  const add = (table: TableOfBackup) => {
    if (sorted.includes(table)) return
    for (const parent of tables) if (parent !== table && table.parents.includes(parent.name)) add(parent)
    sorted.push(table)
  }
  for (const table of tables) add(table)
  return sorted
}

async function restoreFiles({ bucket, files, chests }: RestoreTools): Promise<void> {
  // A chest may be larger than a file: its row has its hash.
  if (chests !== undefined) await copyBack(bucket, chests, COPIES_PREFIX, Number.POSITIVE_INFINITY)
  if (files !== undefined) await copyBack(bucket, files, FILES_PREFIX, DOCUMENT_BYTES_MAX)
}

async function copyBack(bucket: R2Bucket, files: R2Bucket, prefix: string, bytes_max: number): Promise<void> {
  for (let cursor: string | undefined; ;) {
    const page = await bucket.list({ prefix, ...(cursor !== undefined && { cursor }) })
    for (const { key } of page.objects) {
      const stored = await bucket.get(key)
      if (stored !== null && stored.size > bytes_max)
        throw new Error(`${key} is larger than any file of a certificate`)
      if (stored !== null)
        await files.put(key.slice(prefix.length), await stored.arrayBuffer(), {
          ...(stored.httpMetadata && { httpMetadata: stored.httpMetadata }),
        })
    }
    if (!page.truncated) return
    ;({ cursor } = page)
  }
}
