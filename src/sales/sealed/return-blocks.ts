import { at } from '../../engine/ground/invariant.ts'

/** Lines of a block. A page of 1,000 lines reads five blocks at most. */
export const LINES_OF_BLOCK = 250

/** The date and id of a line. The lines of a return are in this order. */
export type PlaceOfLine = readonly [dated_at: string, id: string]

/** A block as `sealed_returns` has it. After the last one, an empty block has the place of the last line. */
export type KeptBlock = readonly [bytes: number, lines: number, sha256: string, ...PlaceOfLine]

/**
 * A block of an object: its bytes, and which lines of the return it has. It has their texts as they were
 * hashed when the return was filed.
 */
export type LinesBlock = {
  offset: number
  bytes: number
  first: number
  lines: number
  sha256: string
  from: PlaceOfLine
  /** Lines of the block are not after this place. */
  to: PlaceOfLine
}

/** The blocks of an object, from the text of its row. */
export function blocksOf(text: string): LinesBlock[] {
  const kept: KeptBlock[] = JSON.parse(text)
  let [offset, first] = [0, 0]
  return kept.slice(0, -1).map(([bytes, lines, hash, ...from], index) => {
    const [, , , ...to] = at(kept, index + 1)
    const block = { offset, bytes, first, lines, sha256: hash, from, to }
    offset += bytes
    first += lines
    return block
  })
}

/** Less than zero: the first place comes before the second. */
export function comparePlaces([date, id]: PlaceOfLine, [other_date, other_id]: PlaceOfLine): number {
  if (date !== other_date) return date < other_date ? -1 : 1
  return id === other_id ? 0 : id < other_id ? -1 : 1
}
