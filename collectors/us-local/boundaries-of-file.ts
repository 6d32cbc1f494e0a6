import {
  type BoundaryEdition,
  NO_RECORD,
  readCode,
  writeRuns,
  type Zip4Edition,
} from '../../src/engine/regimes/us-local/boundaries.ts'

/** The value of a ZIP+4 without the mark that an address gave it. */
export const VALUE = 0x7fff

/** What a boundary file says of a day. */
export type BoundariesOfFile = {
  rows: number
  rows_in_force: number
  /** Records that were not understood and left out, and the first of them. */
  odd: number
  odd_shown: string | null
  /** The highest rate of a combination, millionths. */
  highest: number
  /** The last day on which a record began or had ended. */
  from: string
  /** The next day on which records begin or end; null: the file has no such day. */
  next_change: string | null
  edition: Omit<BoundaryEdition, 'from'>
  /** By ZIP3; only the ZIPs with several stacks. */
  zip4: Readonly<Record<string, Omit<Zip4Edition, 'from'>>>
}

/**
 * What the records of a ZIP say. `record`: the stack of the ZIP itself; -1: it has no record. `also`: further
 * stacks. `codes`: the value of each ZIP+4, by its last four digits; null: no record has one.
 */
export type Zip = { record: number; also: Set<number>; codes: Uint16Array | null }

/** The boundaries of a whole file. `stacks`: the ids of the taxes of each stack. */
export function boundariesOf(
  zips: ReadonlyMap<string, Zip>,
  stacks: readonly (readonly string[])[],
  file: Pick<
    BoundariesOfFile,
    'rows' | 'rows_in_force' | 'odd' | 'odd_shown' | 'highest' | 'from' | 'next_change'
  >,
): BoundariesOfFile {
  const edition: Record<string, number[]> = {}
  const zip4 = new Map<string, { stacks: number[]; zips: Record<string, string> }>()
  for (const [zip5, zip] of [...zips].toSorted(([a], [b]) => a.localeCompare(b))) {
    const others = new Set([...zip.also, ...stacksIn(zip.codes)])
    others.delete(zip.record)
    edition[zip5] = [...(zip.record < 0 ? [-1] : [zip.record]), ...[...others].toSorted((a, b) => a - b)]
    if (zip.codes === null || (zip.record < 0 ? others.size < 2 : others.size === 0)) continue
    const zip3 = zip5.slice(0, 3)
    const part = zip4.get(zip3) ?? { stacks: [], zips: {} }
    zip4.set(zip3, part)
    part.zips[zip5] = writeRuns(
      zip.codes.map((value) => value & VALUE),
      (stack) => {
        const known = part.stacks.indexOf(stack)
        return known >= 0 ? known : part.stacks.push(stack) - 1
      },
    )
  }
  const idsOf = (stack: number) => stacks[stack] ?? []
  return {
    ...file,
    edition: { stacks, zips: edition },
    zip4: Object.fromEntries(
      [...zip4].map(([zip3, part]) => [zip3, { stacks: part.stacks.map(idsOf), zips: part.zips }]),
    ),
  }
}

function stacksIn(codes: Uint16Array | null): Set<number> {
  const found = new Set<number>()
  let before = NO_RECORD
  for (const value of codes ?? []) {
    if (value === before) continue
    before = value
    const read = readCode(value & VALUE)
    if (read !== null) found.add(read.stack)
  }
  return found
}
