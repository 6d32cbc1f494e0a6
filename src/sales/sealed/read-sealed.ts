import type { Bindings } from '../../platform/bindings.ts'
import type { BooksDb } from '../../platform/database/databases.ts'
import { ApiError } from '../../platform/errors.ts'
import { readBytes } from '../../platform/kit/chest-bytes.ts'
import { type Block, JSON_MAX, type NamedSales, onlyNamed, partsOf, unpackBlock } from './chest.ts'
import { booksOfBlocks } from './sealed-books-store.ts'
import {
  blocksOfDates,
  blocksOfSales,
  type DateRange,
  type FoundBlock,
  type PlaceOfSale,
  readChanges,
  idsOfName,
} from './sealed-store.ts'

/** Whose sealed sales are read, and from which bucket. */
export type SealedOf = {
  env: Pick<Bindings, 'CHESTS'>
  books: BooksDb
  principal: { account_id: string }
}

/** Blocks that are read at once, by their number and their compressed bytes. */
const BLOCKS_OF_RUN = 6
const BYTES_OF_RUN = 120_000

/** Runs of blocks of which one page of a list is made. */
export const RUNS_OF_PAGE = 20

/** If sales are sealed and thawed meanwhile, a read begins again. */
const ATTEMPTS_MAX = 5

/** The rows of a block. Throws sealed_sale_unreadable. */
export async function readSealedBlock({ env: { CHESTS } }: SealedOf, found: FoundBlock): Promise<Block> {
  const { object, offset, bytes: length, sha256 } = found
  const stored = await readBytes(CHESTS, object, { offset, length })
  const block = stored === null ? null : await unpackBlock(stored, sha256)
  if (block === null) throw new ApiError('sealed_sale_unreadable')
  return block
}

/** The books of each block that has sales with these names, with these alone. */
export async function booksOfSales(source: SealedOf, named: NamedSales): Promise<BooksDb[]> {
  const found = await blocksOfSales(source.books, source.principal.account_id, named)
  const blocks = await readBlocks(source, found)
  return booksOf(
    source,
    blocks.map((block) => onlyNamed(block, named)),
  )
}

async function readBlocks(source: SealedOf, found: readonly FoundBlock[]): Promise<Block[]> {
  return Promise.all(found.map(async (each) => readSealedBlock(source, each)))
}

/** Books of some blocks, as many as the statements need that get their rows. */
async function booksOf(source: SealedOf, blocks: readonly Block[]): Promise<BooksDb[]> {
  const shares: { blocks: Block[]; bytes: number }[] = []
  for (const { block, bytes } of blocks.flatMap(partsOf)) {
    const share = shares.at(-1)
    if (share === undefined || share.bytes + bytes > JSON_MAX) shares.push({ blocks: [block], bytes })
    else {
      share.blocks.push(block)
      share.bytes += bytes
    }
  }
  return Promise.all(shares.map((share) => booksOfBlocks(source.books, share.blocks)))
}

/** The books of the blocks with sales of some dates, run by run in their order, as far as asked for. */
async function* runsOfDates(source: SealedOf, range: DateRange, newest: boolean) {
  const { account_id } = source.principal
  let after: FoundBlock | null = null
  for (;;) {
    const limit = BLOCKS_OF_RUN + 1
    const found = await blocksOfDates(source.books, account_id, range, after, { newest, limit })
    let bytes = 0
    const run = found.slice(0, BLOCKS_OF_RUN).filter((each, index) => {
      bytes += each.bytes
      return index === 0 || bytes <= BYTES_OF_RUN
    })
    const last = run.at(-1)
    if (last === undefined) return
    const next = found[run.length]
    yield {
      books: async () => booksOf(source, await readBlocks(source, run)),
      first: newest ? (run[0]?.to_date ?? '') : (run[0]?.from_date ?? ''),
      last: newest ? placeOfFirst(last) : placeOfLast(last),
      is_last: next === undefined,
    }
    after = last
  }
}

const placeOfFirst = ({ from_date, from_id }: FoundBlock): PlaceOfSale => [from_date, from_id]
const placeOfLast = ({ to_date, to_id }: FoundBlock): PlaceOfSale => [to_date, to_id]

/**
 * Reads the books and what is sealed of some dates at one state of both: if sales are sealed or thawed
 * meanwhile, it begins again. `read` gets the runs only if something was ever sealed.
 */
async function atOneState<T>(source: SealedOf, read: (sealed: boolean) => Promise<T>): Promise<T> {
  const { books, principal } = source
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const before = await readChanges(books, principal.account_id)
    const found = await read(before !== null)
    if ((await readChanges(books, principal.account_id)) === before) return found
  }
  throw new ApiError('concurrent_change')
}

/**
 * The ids of sealed sales with this id or external id; null: the account has no sealed sales. No other key of
 * the search knows them.
 */
export async function findSealedIds(source: SealedOf, name: string): Promise<string[] | null> {
  const { account_id } = source.principal
  if ((await readChanges(source.books, account_id)) === null) return null
  const ids: string[] = []
  for (const books of await booksOfSales(source, { ids: [name], external_ids: [name] })) {
    ids.push(...(await idsOfName(books, account_id, name)))
  }
  return ids
}

/** Whether sales of some dates are sealed. */
export async function hasSealed({ books, principal }: SealedOf, range: DateRange): Promise<boolean> {
  const { account_id } = principal
  return (await blocksOfDates(books, account_id, range, null, { newest: false, limit: 1 })).length > 0
}

/** What a read finds in the books, and in each run of blocks with sales of some dates. */
export async function everywhere<T>(
  source: SealedOf,
  range: DateRange,
  read: (books: BooksDb) => Promise<T>,
): Promise<T[]> {
  return atOneState(source, async (sealed) => {
    const found = [await read(source.books)]
    if (sealed)
      for await (const run of runsOfDates(source, range, false))
        for (const books of await run.books()) found.push(await read(books))
    return found
  })
}

/** What a read finds in the books, and in each block that has sales with these ids. */
export async function everywhereOfIds<T>(
  source: SealedOf,
  ids: readonly string[],
  read: (books: BooksDb) => Promise<T>,
): Promise<T[]> {
  return atOneState(source, async (sealed) => {
    const found = [await read(source.books)]
    if (sealed)
      for (const books of await booksOfSales(source, { ids, external_ids: [] })) found.push(await read(books))
    return found
  })
}

/** Rows in the order of their dates. `end`: the place after which none were read; null: all were. */
export type PartOfList<Row> = { rows: Row[]; end: PlaceOfSale | null }
type OrderOfPage<Row> = {
  newest: boolean
  limit: number
  placeOf: (row: Row) => PlaceOfSale
  runs_max?: number
}

/**
 * A page of a list in the order of dates, of the books and of what is sealed. `read` gives the first rows of
 * its books, at most as many as `limit`. It has fewer rows than that, and an `end`, if it would take more
 * than `runs_max` runs.
 */
export async function pageEverywhere<Row>(
  source: SealedOf,
  range: DateRange,
  { newest, limit, placeOf, runs_max = Number.POSITIVE_INFINITY }: OrderOfPage<Row>,
  read: (books: BooksDb) => Promise<PartOfList<Row>>,
): Promise<PartOfList<Row>> {
  const order = (one: PlaceOfSale, other: PlaceOfSale) => (newest ? compare(other, one) : compare(one, other))
  const merged = (parts: readonly PartOfList<Row>[], stop: PlaceOfSale | null): PartOfList<Row> => {
    const ends = parts.flatMap(({ rows, end }) => {
      const last = rows.at(-1)
      if (last !== undefined && rows.length >= limit) return [placeOf(last)]
      return end === null ? [] : [end]
    })
    const end = [...ends, ...(stop === null ? [] : [stop])].toSorted(order)[0] ?? null
    const rows = parts
      .flatMap((part) => part.rows)
      .filter((row) => end === null || order(placeOf(row), end) <= 0)
      .toSorted((one, other) => order(placeOf(one), placeOf(other)))
    return { rows: rows.slice(0, limit), end }
  }
  return atOneState(source, async (sealed) => {
    const parts = [await read(source.books)]
    if (!sealed) return merged(parts, null)
    let runs = 0
    for await (const run of runsOfDates(source, range, newest)) {
      const { rows, end } = merged(parts, null)
      const last = rows.at(-1)
      // A full page ends at its last row, and `end` may be much later.
      const known = last !== undefined && rows.length >= limit ? placeOf(last) : end
      if (known !== null && isBefore(known[0], run.first, newest)) break
      for (const books of await run.books()) parts.push(await read(books))
      runs += 1
      if (runs >= runs_max && !run.is_last) return merged(parts, run.last)
    }
    return merged(parts, null)
  })
}

/** Whether a date comes before all of a run. */
function isBefore(date: string, first: string, newest: boolean): boolean {
  return newest ? date > first : date < first
}

function compare([date, id]: PlaceOfSale, [other_date, other_id]: PlaceOfSale): number {
  if (date !== other_date) return date < other_date ? -1 : 1
  return id === other_id ? 0 : id < other_id ? -1 : 1
}
