import { ApiError } from '../../platform/errors.ts'
import type { SealedOf } from './read-sealed.ts'
import { readBytes, unpackJson } from '../../platform/kit/chest-bytes.ts'
import { blocksOf, comparePlaces, type LinesBlock, type PlaceOfLine } from './return-blocks.ts'
import {
  type FiledLine,
  readPlaceOfLines,
  readSealedAmong,
  readSealedOfDays,
  type SealedReturn,
} from './sealed-returns-store.ts'

/** If returns are sealed meanwhile, a read begins again. */
const ATTEMPTS_MAX = 5

/** Blocks that are read at once. */
const BLOCKS_OF_RUN = 20

/** Lines that are looked at in one step, to find those that no return declares. */
const LINES_OF_STEP = 1_000

/**
 * Kept lines of a return from a position on, from the books or the bucket. Throws sealed_return_unreadable.
 */
export async function readKeptLines(
  source: SealedOf,
  return_id: string,
  from: number,
  limit: number,
): Promise<FiledLine[]> {
  const { books, principal } = source
  const { sealed, rows } = await readPlaceOfLines(books, principal.account_id, { return_id, from, limit })
  if (sealed === null) return rows
  const asked = blocksOf(sealed.blocks).filter(
    ({ first, lines }) => first < from + limit && first + lines > from,
  )
  const contents = (await readRun(source, sealed, asked)).flat()
  const first = asked[0]?.first ?? from
  return contents
    .map((content, index) => ({ position: first + index, content }))
    .filter(({ position }) => position >= from && position < from + limit)
}

/** The lines of blocks that follow each other, in one read. */
async function readRun(
  { env: { CHESTS } }: SealedOf,
  { object }: SealedReturn,
  run: readonly LinesBlock[],
): Promise<string[][]> {
  const offset = run[0]?.offset ?? 0
  const length = run.reduce((sum, { bytes }) => sum + bytes, 0)
  if (length === 0) return []
  const bytes = await readBytes(CHESTS, object, { offset, length })
  if (bytes === null) throw new ApiError('sealed_return_unreadable')
  return Promise.all(
    run.map(async (block) => {
      const begin = block.offset - offset
      const lines = await unpackJson<string[]>(bytes.slice(begin, begin + block.bytes), block.sha256)
      if (lines === null || lines.length !== block.lines) throw new ApiError('sealed_return_unreadable')
      return lines
    }),
  )
}

/** Of a kept line, what says which sale or refund it is of. */
type KeptEntry = { id: string; dated_at: string; transaction_id: string; refund_id: string | null }

/** The kept lines of a return between some pairs of places, both included. Reads only their blocks. */
async function* linesBetween(
  source: SealedOf,
  sealed: SealedReturn,
  pairs: readonly (readonly [PlaceOfLine, PlaceOfLine])[],
): AsyncGenerator<KeptEntry> {
  const asked = blocksOf(sealed.blocks).filter(({ from, to }) =>
    pairs.some(([begin, end]) => comparePlaces(from, end) <= 0 && comparePlaces(begin, to) <= 0),
  )
  for (let next = 0; next < asked.length;) {
    const run = firstRun(asked.slice(next, next + BLOCKS_OF_RUN))
    for (const lines of await readRun(source, sealed, run))
      for (const content of lines) yield JSON.parse(content) as KeptEntry
    next += run.length
  }
}

/** The first of some blocks, and those that follow without a gap. */
function firstRun(blocks: readonly LinesBlock[]): LinesBlock[] {
  const run: LinesBlock[] = []
  let end = blocks[0]?.first ?? 0
  for (const block of blocks) {
    if (block.first !== end) break
    run.push(block)
    end += block.lines
  }
  return run
}

/** Local days, both included, and the returns whose lines are left out. */
type DaysBeside = { from: string; to: string; not_in: readonly string[] }

/**
 * Reads what none of some returns declares. `read` gets those of them that are sealed and have lines of the
 * days, and has to leave out their lines too. If one is sealed meanwhile, it begins again.
 */
export async function besideSealed<T>(
  source: SealedOf,
  days: DaysBeside,
  read: (sealed: readonly SealedReturn[]) => Promise<T>,
): Promise<T> {
  const { books, principal } = source
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const sealed = await readSealedAmong(books, principal.account_id, days)
    const found = await read(sealed)
    if ((await readSealedAmong(books, principal.account_id, days)).length === sealed.length) return found
  }
  throw new ApiError('concurrent_change')
}

/** What a line has, to be found in returns. */
type DatedLine = { id: string; dated_at: string }

/**
 * A page of lines that none of some returns declares. `read` leaves out the lines of returns that are in the
 * books, and gives lines after a place, in their order.
 */
export async function pageBesideSealed<Line extends DatedLine>(
  source: SealedOf,
  days: DaysBeside,
  { cursor, limit }: { cursor: DatedLine | null; limit: number },
  read: (cursor: DatedLine | null, limit: number) => Promise<Line[]>,
): Promise<Line[]> {
  return besideSealed(source, days, async (sealed) => {
    if (sealed.length === 0) return read(cursor, limit)
    const found: Line[] = []
    const size = Math.max(limit, LINES_OF_STEP)
    for (let after = cursor; ;) {
      const page = await read(after, size)
      found.push(...(await notDeclared(source, sealed, page)))
      if (page.length < size || found.length >= limit) return found.slice(0, limit)
      after = page.at(-1) ?? null
    }
  })
}

async function notDeclared<Line extends DatedLine>(
  source: SealedOf,
  sealed: readonly SealedReturn[],
  lines: readonly Line[],
): Promise<Line[]> {
  let left = [...lines]
  for (const each of sealed) {
    const pairs = left.map((line) => [placeOf(line), placeOf(line)] as const)
    const declared = new Set<string>()
    for await (const { id } of linesBetween(source, each, pairs)) declared.add(id)
    left = left.filter(({ id }) => !declared.has(id))
  }
  return left
}

const placeOf = ({ dated_at, id }: DatedLine): PlaceOfLine => [dated_at, id]

/** A sale, or a refund of it, whose lines are looked for in returns. */
export type EntryOfSale = { transaction_id: string; refund_id: string; dated_at: string; day: string }

/** The sealed returns that count and may have lines of the days of entries, with what they have of them. */
export async function findInSealed(
  source: SealedOf,
  entries: readonly EntryOfSale[],
): Promise<{ return_id: string; found: EntryOfSale[] }[]> {
  const { books, principal } = source
  const days = entries.map(({ day }) => day)
  const sealed = await readSealedOfDays(books, principal.account_id, days)
  const pairs = entries.map(({ transaction_id, refund_id, dated_at }) => {
    const name = refund_id === '' ? transaction_id : refund_id
    return [[dated_at, name] as const, [dated_at, `${name}~`] as const] as const
  })
  return Promise.all(
    sealed.map(async (each) => {
      const found = new Set<EntryOfSale>()
      for await (const line of linesBetween(source, each, pairs))
        for (const entry of entries) if (isLineOf(line, entry)) found.add(entry)
      return { return_id: each.return_id, found: [...found] }
    }),
  )
}

function isLineOf(line: KeptEntry, { transaction_id, refund_id }: EntryOfSale): boolean {
  return line.transaction_id === transaction_id && (line.refund_id ?? '') === refund_id
}
