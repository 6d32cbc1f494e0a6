/**
 * How old sales leave the books. A row of `chests` says how far a chest is. Each step may end anywhere, may
 * be done twice, and by two ticks at once: the next tick goes on from the row.
 *
 *   planned   A range of sales in the order of dates. Their rows are read, and written as one object with a
 *             key of its own. A death leaves an object that no row names; the next tick writes another one.
 *   written   The row names the object, and `chest_blocks` its blocks. The object is read again, and compared
 *             with the books. If it is not as it was written, or the texts of a sale were stored in another
 *             form since, it is deleted, and the chest is planned again.
 *             Then the backups get a copy.
 *   verified  Slice by slice, sales leave the books: in one batch, refs to the chest come, and rows go. A
 *             sale that has changed since it was written stays, and is right there.
 *   sealed    Objects of earlier tries are deleted. What stayed in the books of the range stays for good: no
 *             later chest has it.
 *
 * A sale is in the books or has a ref, never both. So a read asks the books, then the refs, and if it was
 * thawed in between, the books again. A thaw (thaw.ts) is one batch: the rows come back, and the refs go.
 */
import type { Bindings } from '../../platform/bindings.ts'
import type { BooksDb } from '../../platform/database/databases.ts'
import type { Shard } from '../../platform/database/shards.ts'
import { inSlices } from '../../platform/database/slices.ts'
import { ApiError } from '../../platform/errors.ts'
import { at } from '../../engine/ground/invariant.ts'
import { COPIES_PREFIX } from '../../platform/kit/chest-bytes.ts'
import { sha256 } from '../../platform/kit/sha256.ts'
import { type Block, objectsOf, packChest, unpackBlock } from './chest.ts'
import { oldBefore } from './old-enough.ts'
import {
  type BlockRow,
  blocksOfChest,
  type ChestRow,
  moveChest,
  planChest,
  readBlock,
  readChest,
  readNow,
  readUnderWay,
  type SealedSale,
  takeOut,
} from './seal-store.ts'

const CHESTS_OF_RUN = 4
/** Sales of a chest, of a block, and blocks of one batch. Tests seal smaller ones. */
export type Sizes = { chest: number; block: number; slice: number }
const SIZES: Sizes = { chest: 1_000, block: 64, slice: 4 }

type Sealing = {
  books: BooksDb
  bucket: R2Bucket
  backups: R2Bucket | undefined
  before: string
  sizes: Sizes
}

/** Seals old sales, as far as one tick goes. Without a bucket, it does nothing. */
export async function sealSales(
  env: Pick<Bindings, 'CHESTS' | 'BACKUPS' | 'SEAL_AFTER_DAYS'>,
  { books }: Shard,
  now: Date,
  sizes = SIZES,
): Promise<void> {
  const { CHESTS, BACKUPS } = env
  if (CHESTS === undefined) return
  const before = oldBefore(env, now)
  const sealing = { books, bucket: CHESTS, backups: BACKUPS, before, sizes }
  let chests = 0
  const faults = new Map<string, Error>()
  await inSlices(async () => {
    const under_way = await readUnderWay(books, [...faults.keys()])
    const chest = under_way ?? (await planChest(books, sizes.chest, before, now))
    if (chest === null) return false
    // A chest that cannot be sealed does not stop other accounts. The next tick tries it again.
    await goOn(sealing, chest, now).catch((thrown: Error) => faults.set(chest.account_id, thrown))
    chests += 1
    return chests < CHESTS_OF_RUN
  })
  const [fault] = faults.values()
  if (fault !== undefined) throw fault
}

/** Takes a chest through all of its states. If another tick moves it meanwhile, that one goes on with it. */
async function goOn(sealing: Sealing, planned: ChestRow, now: Date): Promise<void> {
  let chest: ChestRow | null = planned
  try {
    while (chest !== null && chest.state !== 'sealed') {
      if (chest.state === 'planned') await write(sealing, chest)
      else if (chest.state === 'written') await verify(sealing, chest)
      else await empty(sealing, chest, now)
      chest = await readChest(sealing.books, chest)
    }
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || thrown.reason !== 'concurrent_change') throw thrown
  }
}

const folderOf = ({ account_id, number }: ChestRow) =>
  `books/${account_id}/${String(number).padStart(6, '0')}-`

async function write({ books, bucket, before, sizes }: Sealing, chest: ChestRow): Promise<void> {
  const blocks = await readBlocks(books, chest, before, sizes.block)
  if (blocks.length === 0) {
    await moveChest(books, chest, { state: 'sealed', sales: 0, sha256: chest.previous_sha256 })
    return
  }
  const { bytes, places } = await packChest(blocks)
  const hash = await sha256(bytes)
  // No two tries share a key, so whoever deletes the object of one never deletes that of another.
  const object = `${folderOf(chest)}${hash}-${crypto.randomUUID()}.gz`
  const customMetadata = { sha256: hash, previous: chest.previous_sha256 }
  await bucket.put(object, bytes, { customMetadata })
  const rows = blocks.map((block, index): BlockRow => {
    const sales = objectsOf(block.transactions)
    const [first, last] = [placeOf(sales.at(0)), placeOf(sales.at(-1))]
    return {
      account_id: chest.account_id,
      chest: chest.number,
      block: index,
      from_date: first.date,
      from_id: first.id,
      to_date: last.date,
      to_id: last.id,
      sales: sales.length,
      ...at(places, index),
    }
  })
  const sales = rows.reduce((sum, row) => sum + row.sales, 0)
  const lines = blocks.reduce((sum, { transaction_lines }) => sum + transaction_lines.rows.length, 0)
  const written = { state: 'written' as const, object, sha256: hash, bytes: bytes.length, sales, lines }
  await moveChest(books, chest, written, rows)
}

async function readBlocks(books: BooksDb, chest: ChestRow, before: string, size: number): Promise<Block[]> {
  const blocks: Block[] = []
  let after = { date: chest.after_date, id: chest.after_id }
  for (;;) {
    const block = await readBlock(books, chest, after, before, size)
    if (block === null) return blocks
    blocks.push(block)
    after = placeOf(objectsOf(block.transactions).at(-1))
  }
}

function placeOf(sale: Readonly<Record<string, unknown>> = {}): { date: string; id: string } {
  return { date: String(sale['transaction_date']), id: String(sale['id']) }
}

async function verify({ books, bucket, backups }: Sealing, chest: ChestRow): Promise<void> {
  const bytes = await readObject(bucket, chest)
  const fault = bytes === null ? NOT_AS_WRITTEN : await faultOf(books, chest, bytes)
  if (bytes === null || fault !== null) {
    await moveChest(books, chest, { state: 'planned', object: '', sha256: '', sales: 0 })
    await bucket.delete(chest.object)
    throw new Error(`${chest.object} ${fault ?? NOT_AS_WRITTEN}`)
  }
  if (backups !== undefined)
    await backups.put(COPIES_PREFIX + chest.object, bytes, { onlyIf: { etagDoesNotMatch: '*' } })
  await moveChest(books, chest, { state: 'verified' })
}

const NOT_AS_WRITTEN = 'is not as it was written'

/** Why a chest cannot stay as it is; null: it can. */
async function faultOf(
  books: BooksDb,
  chest: ChestRow,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<string | null> {
  const blocks = await unpackAll(books, chest, bytes)
  if (blocks === null) return NOT_AS_WRITTEN
  for (const block of blocks) {
    const id = await findOther(books, chest, block)
    if (id !== null) return `has sale ${id} with other rows than the books`
  }
  return null
}

async function readObject(bucket: R2Bucket, chest: ChestRow): Promise<Uint8Array<ArrayBuffer> | null> {
  const object = await bucket.get(chest.object)
  if (object === null) return null
  const bytes = new Uint8Array(await object.arrayBuffer())
  return (await sha256(bytes)) === chest.sha256 ? bytes : null
}

/** Brings the object of a chest back from the backups, which have a copy of each one that is verified. */
async function fetchCopy(
  { bucket, backups }: Sealing,
  chest: ChestRow,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const copy = await backups?.get(COPIES_PREFIX + chest.object)
  if (!copy) return null
  await bucket.put(chest.object, await copy.arrayBuffer())
  return readObject(bucket, chest)
}

/** All blocks of a chest, by their rows; null: one is not as it was written. */
export async function unpackAll(
  books: BooksDb,
  { account_id, number }: ChestRow,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Block[] | null> {
  const blocks: Block[] = []
  for (const { offset, bytes: length, sha256: hash } of await blocksOfChest(books, account_id, number)) {
    const block = await unpackBlock(bytes.slice(offset, offset + length), hash)
    if (block === null) return null
    blocks.push(block)
  }
  return blocks
}

/** A sale that has not changed since, and is not in the books as in the block, row by row; null: none is. */
async function findOther(books: BooksDb, { account_id }: ChestRow, block: Block): Promise<string | null> {
  const sales = objectsOf(block.transactions)
  const now = await readNow(
    books,
    account_id,
    sales.map(({ id }) => String(id)),
  )
  const lines = Map.groupBy(objectsOf(block.transaction_lines), (line) => line['transaction_id'])
  const lines_now = Map.groupBy(now.transaction_lines, (line) => line['transaction_id'] ?? null)
  for (const sale of sales) {
    const { id } = sale
    const same = now.transactions.find((each) => each['id'] === id && isUnchanged(each, sale))
    if (same === undefined) continue
    const text = JSON.stringify([sale, lines.get(id ?? null) ?? []])
    if (text !== JSON.stringify([same, lines_now.get(id ?? null) ?? []])) return String(id)
  }
  return null
}

function isUnchanged(one: Record<string, unknown>, other: Record<string, unknown>): boolean {
  return ['updated_at', 'day', 'status'].every((name) => one[name] === other[name])
}

/** Deletes what other tries have written for a chest that is sealed: its row names its object for good. */
async function deleteOthers(bucket: R2Bucket, chest: ChestRow): Promise<void> {
  const { objects } = await bucket.list({ prefix: folderOf(chest) })
  const others = objects.map(({ key }) => key).filter((key) => key !== chest.object)
  if (others.length > 0) await bucket.delete(others)
}

async function empty(sealing: Sealing, chest: ChestRow, now: Date): Promise<void> {
  const { books, bucket, before, sizes } = sealing
  const bytes = (await readObject(bucket, chest)) ?? (await fetchCopy(sealing, chest))
  const blocks = bytes === null ? null : await unpackAll(books, chest, bytes)
  if (blocks === null) throw new Error(`${chest.object} ${NOT_AS_WRITTEN}`)
  for (let from = 0; from < blocks.length; from += sizes.slice) {
    const sales = blocks.slice(from, from + sizes.slice).flatMap((block, index) =>
      objectsOf(block.transactions).map((row): SealedSale => ({
        id: String(row['id']),
        external_id: row['external_id'] === null ? null : String(row['external_id']),
        updated_at: String(row['updated_at']),
        day: String(row['day']),
        block: from + index,
      })),
    )
    await takeOut(books, chest, before, sales)
  }
  await moveChest(books, chest, { state: 'sealed', sealed_at: now.toISOString() })
  await deleteOthers(bucket, chest)
}
