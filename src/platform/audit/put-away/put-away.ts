/**
 * How old audit events of sales leave their tables. The events of a range of ids, and their seals, are packed
 * as one text: an object in the bucket of chests, with a key of its own, which is read again, or without a
 * bucket the content of a row. Then one batch adds the row of the chest, and deletes what it has. A death
 * before that batch leaves an object that no row names: the next tick writes the range anew, and the next
 * range deletes it. Events never change and never come back, so an event is in its table or in the chest of
 * its range, never in both.
 *
 * The last seal of a chain stays, with its event: the next seal begins at it.
 */
import type { Bindings } from '../../bindings.ts'
import type { BooksDb } from '../../database/databases.ts'
import { firstIdAt } from '../../database/ids.ts'
import type { Shard } from '../../database/shards.ts'
import { inSlices } from '../../database/slices.ts'
import { ApiError } from '../../errors.ts'
import { fromBase64, toBase64 } from '../../kit/base64.ts'
import { COPIES_PREFIX, packJson, readBytes, unpackJson } from '../../kit/chest-bytes.ts'
import {
  type AuditChest,
  type Contents,
  findRange,
  type RangeOfEvents,
  readContents,
  takeOut,
} from './put-away-store.ts'

/** Older events of sales are in chests. Searches and nightly jobs look back for days at most. */
const DAYS = 100
const DAY_MS = 86_400_000
const CHESTS_OF_RUN = 4
/** Events of a range. Tests have smaller ones. */
const EVENTS_OF_RANGE = 1_000

type Buckets = Pick<Bindings, 'CHESTS' | 'BACKUPS'>

/** Puts old audit events of sales away, as far as one tick goes. */
export async function putAwayEvents(
  buckets: Buckets,
  { books }: Shard,
  now: Date,
  size = EVENTS_OF_RANGE,
): Promise<void> {
  const before = firstIdAt('aud', new Date(now.getTime() - DAYS * DAY_MS))
  let chests = 0
  await inSlices(async () => {
    const range = await findRange(books, size, before)
    if (range === null) return false
    chests += 1
    return (await putAway(books, buckets, range, now)) && chests < CHESTS_OF_RUN
  })
}

/** Returns false if another tick has put the range away, or a backup has begun. */
async function putAway(
  books: BooksDb,
  { CHESTS, BACKUPS }: Buckets,
  range: RangeOfEvents,
  now: Date,
): Promise<boolean> {
  await deleteOthers(CHESTS, range)
  const contents = await readContents(books, range)
  const { bytes, sha256 } = await packJson(contents)
  const written = { object: '', content: '', sha256 }
  if (contents.events.length === 0) written.sha256 = range.previous_sha256
  else if (CHESTS === undefined) written.content = toBase64(bytes)
  // No two tries share a key, so whoever deletes the object of one never deletes that of another.
  else written.object = `${folderOf(range.account_id, range.first_id)}${sha256}-${crypto.randomUUID()}.gz`
  if (written.object !== '') {
    await CHESTS?.put(written.object, bytes, { customMetadata: { sha256, previous: range.previous_sha256 } })
    await readChest(CHESTS, written)
    await BACKUPS?.put(COPIES_PREFIX + written.object, bytes)
  }
  try {
    await takeOut(books, range, contents, written, now)
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || thrown.reason !== 'concurrent_change') throw thrown
    if (written.object !== '') await CHESTS?.delete(written.object)
    return false
  }
  return true
}

const folderOf = (account_id: string, first_id: string) => `log/${account_id}/${first_id}-`

/** Deletes what other tries have written for the range before: its row names its object for good. */
async function deleteOthers(
  bucket: R2Bucket | undefined,
  { account_id, previous_id, previous_object }: RangeOfEvents,
): Promise<void> {
  if (bucket === undefined || previous_id === null) return
  const { objects } = await bucket.list({ prefix: folderOf(account_id, previous_id) })
  const others = objects.map(({ key }) => key).filter((key) => key !== previous_object)
  if (others.length > 0) await bucket.delete(others)
}

/** What a chest has. Throws sealed_sale_unreadable. */
export async function readChest(
  bucket: R2Bucket | undefined,
  { object, content, sha256 }: Pick<AuditChest, 'object' | 'content' | 'sha256'>,
): Promise<Contents> {
  if (object === '' && content === '') return { events: [], seals: [] }
  const bytes = object === '' ? fromBase64(content) : await readBytes(bucket, object)
  const contents = bytes === null ? null : await unpackJson<Contents>(bytes, sha256)
  if (contents === null) throw new ApiError('sealed_sale_unreadable')
  return contents
}
