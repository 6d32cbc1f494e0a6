/**
 * How the lines of old returns leave the books. They never change, and the return has their hash, which its
 * own hash contains. A row of `sealed_returns` says how far a return is. Each step may end anywhere, may be
 * done twice, and by two ticks at once: the next run goes on from the row.
 *
 *   (no row)  The lines are read, compared with the hash of the return, and written as one object with a key
 *             of its own. A death leaves an object that no row names; the next run writes another one.
 *   written   The row names the object, and its blocks. The object is read again, and compared with the
 *             books and with the hash of the return. If it differs, row and object go, and a later run writes
 *             it again. Then the backups get a copy.
 *   verified  From here on the object is read, in place of the books. Slice by slice the lines leave the
 *             books. A return that is reopened meanwhile can stay here for good: what the books still have of
 *             it is equal, and nobody reads it.
 *   sealed    The books have no line of it. Objects of earlier tries are deleted.
 *
 * A return that was sealed can be reopened: that changes none of its lines.
 */
import type { Bindings } from '../../platform/bindings.ts'
import { pagesOfJob } from '../../platform/database/pages-of-job.ts'
import type { Shard } from '../../platform/database/shards.ts'
import { ApiError } from '../../platform/errors.ts'
import { BudgetSpent } from '../../platform/invocation-budget.ts'
import { logFault } from '../../platform/kit/log-fault.ts'
import { sha256 } from '../../platform/kit/sha256.ts'
import { COPIES_PREFIX, packJson, unpackJson } from '../../platform/kit/chest-bytes.ts'
import { oldBefore } from '../../sales/sealed/old-enough.ts'
import {
  blocksOf,
  comparePlaces,
  type KeptBlock,
  LINES_OF_BLOCK,
  type PlaceOfLine,
} from '../../sales/sealed/return-blocks.ts'
import type { SealedReturnRow } from '../../sales/sealed/sealed-returns-store.ts'
import { hashOfPage, ROWS_PAGE } from './hash-return.ts'
import type { LineEntry } from '../rows/line-entry.ts'
import {
  forgetObject,
  markSealed,
  markVerified,
  nameObject,
  type OldReturn,
  readLinesInBooks,
  readNextOld,
  readSealedReturn,
  type RowInBooks,
  takeOutLines,
} from './seal-returns-store.ts'

/** A run begins no other return after so many lines: they are read twice, and 90 MB of them packed. */
const LINES_OF_RUN = 20_000
/** Lines that one batch takes out of the books. */
const SLICE = 5_000

type SizesOfLines = { block: number; slice: number }
const SIZES: SizesOfLines = { block: LINES_OF_BLOCK, slice: SLICE }

type SealingLines = Pick<Shard, 'books'> & {
  bucket: R2Bucket
  backups: R2Bucket | undefined
  now: Date
  sizes: SizesOfLines
}

/** Seals the lines of old returns, as far as one run goes. Without a bucket, it does nothing. */
export async function sealReturns(
  env: Pick<Bindings, 'CHESTS' | 'BACKUPS' | 'SEAL_AFTER_DAYS'>,
  { number, books }: Shard,
  now: Date,
  sizes = SIZES,
): Promise<void> {
  const { CHESTS, BACKUPS } = env
  if (CHESTS === undefined) return
  const before = oldBefore(env, now)
  const sealing = { books, bucket: CHESTS, backups: BACKUPS, now, sizes }
  let lines = 0
  await pagesOfJob(books, { name: 'sealReturns', begin: true }, async (cursor) => {
    const [filed_at = '', id = ''] = cursor.split(' ')
    const next = lines >= LINES_OF_RUN ? null : await readNextOld(books, before, [filed_at, id])
    if (next === null) return null
    lines += next.row_count
    try {
      await goOn(sealing, next)
    } catch (thrown) {
      if (thrown instanceof BudgetSpent) throw thrown
      // One that cannot be sealed does not stop the others.
      logFault({ job: 'sealReturns', shard: number, account_id: next.account_id, return_id: next.id }, thrown)
    }
    return `${next.filed_at} ${next.id}`
  })
}

/** Takes a return through all of its states. If another tick moves it meanwhile, that one goes on with it. */
async function goOn(sealing: SealingLines, old: OldReturn): Promise<void> {
  try {
    for (;;) {
      const row = await readSealedReturn(sealing.books, old)
      if (row === null) await write(sealing, old)
      else if (row.state === 'written') await verify(sealing, old, row)
      else if (row.state === 'verified') await empty(sealing, row)
      else return
    }
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || thrown.reason !== 'concurrent_change') throw thrown
  }
}

const folderOf = ({ account_id, id }: { account_id: string; id: string }) => `returns/${account_id}/${id}/`

async function write({ books, bucket, now, sizes }: SealingLines, old: OldReturn): Promise<void> {
  const { blocks, parts, from_day, to_day } = await packReturn(books, old, sizes.block)
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer())
  const hash = await sha256(bytes)
  // No two tries share a key, so whoever deletes the object of one never deletes that of another.
  const object = `${folderOf(old)}${hash}-${crypto.randomUUID()}.gz`
  await bucket.put(object, bytes, { customMetadata: { sha256: hash, rows_hash: old.rows_hash } })
  await nameObject(books, {
    return_id: old.id,
    account_id: old.account_id,
    state: 'written',
    object,
    sha256: hash,
    bytes: bytes.length,
    lines: old.row_count,
    from_day,
    to_day,
    blocks: JSON.stringify(blocks),
    written_at: now.toISOString(),
    sealed_at: null,
  })
  if ((await readSealedReturn(books, old))?.object !== object) await bucket.delete(object)
}

type PackedReturn = {
  blocks: KeptBlock[]
  parts: Uint8Array<ArrayBuffer>[]
  from_day: string
  to_day: string
}

/** The blocks of a return, packed page by page. Throws an Error if its lines are not as they were filed. */
async function packReturn(books: SealingLines['books'], old: OldReturn, size: number): Promise<PackedReturn> {
  const packed: PackedReturn = { blocks: [], parts: [], from_day: '9999', to_day: '' }
  let [hash, count] = ['', 0]
  let last: PlaceOfLine = ['', '']
  while (count < old.row_count) {
    const page = await readLinesInBooks(books, old, count, ROWS_PAGE)
    if (page.length === 0) break
    const contents = page.map(({ content }) => content)
    hash = await hashOfPage(hash, contents)
    for (const [index, row] of page.entries()) {
      const place = placeIn(row)
      if (row.position !== count + index || comparePlaces(last, place) >= 0)
        throw new Error(`Line ${row.position} of the return is not in its order`)
      last = place
      const { day } = JSON.parse(row.content) as LineEntry
      if (day < packed.from_day) packed.from_day = day
      if (day > packed.to_day) packed.to_day = day
    }
    for (let from = 0; from < page.length; from += size) {
      const part = await packJson(contents.slice(from, from + size))
      const [first] = page.slice(from)
      const lines = Math.min(size, page.length - from)
      packed.parts.push(part.bytes)
      packed.blocks.push([part.bytes.length, lines, part.sha256, ...placeIn(first)])
    }
    count += page.length
  }
  packed.blocks.push([0, 0, '', ...last])
  if (count !== old.row_count || hash !== old.rows_hash) throw new Error(NOT_AS_FILED)
  return packed
}

const NOT_AS_FILED = 'The lines of the return are not as they were filed'

/** The place of a line. Throws an Error if the columns of its row differ from its content. */
function placeIn(row: RowInBooks | undefined): PlaceOfLine {
  const { id, dated_at, transaction_id, refund_id } = JSON.parse(row?.content ?? '{}') as LineEntry
  const same =
    row?.entry_id === id && row.transaction_id === transaction_id && row.refund_id === (refund_id ?? '')
  if (!same || !id.startsWith(`${refund_id ?? transaction_id}/`))
    throw new Error(`Line ${row?.position} of the return has a content of another line`)
  return [dated_at, id]
}

async function verify(
  { books, bucket, backups }: SealingLines,
  old: OldReturn,
  row: SealedReturnRow,
): Promise<void> {
  const bytes = await readObject(bucket, row)
  if (bytes === null || !(await isReturn(books, old, row, bytes))) {
    await forgetObject(books, row)
    await bucket.delete(row.object)
    throw new Error(`${row.object} is not as it was written`)
  }
  if (backups !== undefined)
    await backups.put(COPIES_PREFIX + row.object, bytes, { onlyIf: { etagDoesNotMatch: '*' } })
  await markVerified(books, row)
}

async function readObject(
  bucket: R2Bucket,
  { object, sha256: hash }: SealedReturnRow,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const stored = await bucket.get(object)
  if (stored === null) return null
  const bytes = new Uint8Array(await stored.arrayBuffer())
  return (await sha256(bytes)) === hash ? bytes : null
}

/** Whether an object has the lines that the books have, and that the hash of the return names. */
async function isReturn(
  books: SealingLines['books'],
  old: OldReturn,
  { blocks }: SealedReturnRow,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const unread = blocksOf(blocks)
  let [hash, count] = ['', 0]
  let read: string[] = []
  while (count < old.row_count) {
    const page = await readLinesInBooks(books, old, count, ROWS_PAGE)
    while (read.length < page.length) {
      const block = unread.shift()
      const lines =
        block &&
        (await unpackJson<string[]>(bytes.slice(block.offset, block.offset + block.bytes), block.sha256))
      if (!lines) return false
      read.push(...lines)
    }
    const contents = read.slice(0, page.length)
    if (page.length === 0 || page.some(({ content }, index) => content !== contents[index])) return false
    read = read.slice(page.length)
    hash = await hashOfPage(hash, contents)
    count += page.length
  }
  return hash === old.rows_hash && read.length === 0 && unread.length === 0
}

async function empty({ books, bucket, now, sizes }: SealingLines, row: SealedReturnRow): Promise<void> {
  if ((await readObject(bucket, row)) === null)
    throw new Error(`${row.object} is absent, or is not as it was written`)
  for (let before = sizes.slice; before < row.lines + sizes.slice; before += sizes.slice)
    await takeOutLines(books, row, before)
  await markSealed(books, row, now.toISOString())
  const { objects } = await bucket.list({ prefix: folderOf({ ...row, id: row.return_id }) })
  const others = objects.map(({ key }) => key).filter((key) => key !== row.object)
  if (others.length > 0) await bucket.delete(others)
}
