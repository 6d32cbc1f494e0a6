/**
 * The boundary files of states as they are stored: for each ZIP the combinations of jurisdictions (stacks)
 * that tax a part of it, and for each ZIP+4 its own stack.
 */

/** The stacks of the ZIPs of a state from a day on, until the next edition. */
export type BoundaryEdition = {
  from: string
  /** The ids of the jurisdictions that tax a place together. */
  stacks: readonly (readonly string[])[]
  /** By ZIP: the stack of its five-digit record, -1 if it has none; then the other stacks in the ZIP. */
  zips: Readonly<Record<string, readonly number[]>>
}

/** The ZIP+4 of a ZIP3 from a day on. `zips` has the runs of each ZIP as a text: `0:3 xc:- 2s:4!`. */
export type Zip4Edition = {
  from: string
  stacks: readonly (readonly string[])[]
  zips: Readonly<Record<string, string>>
}

/** A stack, and whether the file names several for the place. */
type Zip4Stack = { ids: readonly string[]; disputed: boolean }

/** One value for each of the 10,000 add-on codes of a ZIP: 0 is no record, else the stack plus 1. */
export const NO_RECORD = 0
const DISPUTED = 0x4000

/** Marks a value: the file names several stacks for the code. */
export function asDisputed(value: number): number {
  return value | DISPUTED
}

/** The stack of a value, and whether it is disputed; null: no record. */
export function readCode(value: number): { stack: number; disputed: boolean } | null {
  return value === NO_RECORD
    ? null
    : { stack: (value & (DISPUTED - 1)) - 1, disputed: (value & DISPUTED) !== 0 }
}

/** The edition of a day. Before the first one: the first one. */
export function editionOn<Edition extends { from: string }>(
  editions: readonly Edition[],
  day: string,
): Edition | null {
  return editions.find(({ from }) => from <= day) ?? editions.at(-1) ?? null
}

/**
 * The runs of a ZIP, each with its distance from the one before and its stack, in base 36. `renumber` gives
 * the number of a stack among those of its ZIP3.
 */
export function writeRuns(codes: Uint16Array, renumber: (stack: number) => number): string {
  const runs: string[] = []
  let [before, start] = [NO_RECORD, 0]
  for (let code = 0; code < codes.length; code += 1) {
    const value = codes[code] ?? NO_RECORD
    if (value === before) continue
    const read = readCode(value)
    const stack = read === null ? '-' : `${renumber(read.stack).toString(36)}${read.disputed ? '!' : ''}`
    runs.push(`${(code - start).toString(36)}:${stack}`)
    before = value
    start = code
  }
  return runs.join(' ')
}

/** The stack of a ZIP+4; null: there is no record of it. */
export function stackOfZip4(edition: Zip4Edition, zip5: string, zip4: string): Zip4Stack | null {
  const code = Number(zip4)
  let [found, start] = ['-', 0]
  for (const run of (edition.zips[zip5] ?? '').split(' ')) {
    const colon = run.indexOf(':')
    start += Number.parseInt(run.slice(0, Math.max(colon, 0)), 36)
    if (colon < 0 || start > code) break
    found = run.slice(colon + 1)
  }
  if (found === '-') return null
  const disputed = found.endsWith('!')
  const ids = edition.stacks[Number.parseInt(found, 36)]
  return ids === undefined ? null : { ids, disputed }
}
