import type { BoundaryEdition } from '../../engine/regimes/us-local/boundaries.ts'
import {
  type LocalBook,
  localBookOf,
  type LocalData,
  type LocalJurisdiction,
  type LocalState,
} from '../../engine/regimes/us-local/local-book.ts'
import type { LocalPart } from './local-store.ts'

/** The part of a state. `read_at`: when its official files were last read; null: it is shipped data. */
export type StateOnFile = {
  law: LocalState
  jurisdictions: readonly LocalJurisdiction[]
  read_at: string | null
}

const ZIP = 'zip:'
const ZIP5 = 'zip5:'
const ZIP4 = 'zip4:'

/** Shipped local data as parts: one for each state, one for each ZIP3. */
export function toLocalParts({ states, jurisdictions, zips }: LocalData): LocalPart[] {
  const byState = Map.groupBy(jurisdictions, ({ state }) => state)
  const ofStates = Object.entries(states).map(([id, law]) =>
    partOfState(id, { law, jurisdictions: byState.get(id) ?? [], read_at: null }),
  )
  const ofZips = Object.entries(zips).map(([zip3, content]) => ({ part: `${ZIP}${zip3}`, content }))
  return [...ofStates, ...ofZips]
}

export function partOfState(state: string, stored: StateOnFile): LocalPart {
  return { part: state, content: JSON.stringify(stored) }
}

export function partOfBoundaries(state: string, editions: readonly BoundaryEdition[]): LocalPart {
  return { part: `${ZIP5}${state}`, content: JSON.stringify(editions) }
}

/** The name of the part with the ZIP+4 of a ZIP3: `GA:303`. */
export function nameOfZip4(key: string): string {
  return `${ZIP4}${key}`
}

/** The key of a part with ZIP+4; null: it is another part. */
export function zip4OfPart(part: string): string | null {
  return part.startsWith(ZIP4) ? part.slice(ZIP4.length) : null
}

export function readState(content: string): StateOnFile {
  return JSON.parse(content)
}

/** Shipped parts never replace what was read from the files of a state since, except for its law. */
export function withoutOlder(shipped: readonly LocalPart[], stored: readonly LocalPart[]): LocalPart[] {
  const known = new Map(stored.map(({ part, content }) => [part, content]))
  return shipped.map((each) => {
    const content = isOfState(each.part) ? known.get(each.part) : undefined
    if (content === undefined) return each
    const before = readState(content)
    return before.read_at === null
      ? each
      : partOfState(each.part, { ...before, law: readState(each.content).law })
  })
}

function isOfState(part: string): boolean {
  return !part.includes(':')
}

/** The parts of a version. The content of a part with ZIP+4 is its stamp. */
export type LocalParts = { version: string; parts: readonly LocalPart[] }

/** Parts as one text: a line with the length of each, and then their contents. */
export function packParts({ version, parts }: LocalParts): string {
  const lengths = parts.map(({ part, content }) => [part, content.length])
  return `${JSON.stringify({ version, lengths })}\n${parts.map(({ content }) => content).join('')}`
}

/** The parts of a text. Their contents are cut out of it and not read. Throws an Error if it is not whole. */
export function unpackParts(packed: string): LocalParts {
  let end = packed.indexOf('\n') + 1
  const head: { version: string; lengths: [string, number][] } = JSON.parse(packed.slice(0, end))
  const parts = head.lengths.map(([part, length]) => {
    const content = packed.slice(end, end + length)
    end += length
    return { part, content }
  })
  if (end !== packed.length) throw new Error(`the parts have ${end} characters, not ${packed.length}`)
  return { version: head.version, parts }
}

/** The book of these parts. A sale that finds a part which is no JSON throws what `refuse` returns. */
export function bookOfParts(
  { version, parts }: LocalParts,
  refuse: (cause: unknown) => unknown = (cause) => cause,
): LocalBook {
  const contents = new Map(parts.map(({ part, content }) => [part, content]))
  return localBookOf({
    version,
    zips: new Map(named(parts, ZIP)),
    zip4: new Map(named(parts, ZIP4)),
    stored: (state) => {
      const content = contents.get(state)
      if (content === undefined) return null
      try {
        const { law, jurisdictions } = readState(content)
        if (!Array.isArray(jurisdictions)) throw new Error(`the part ${state} has no jurisdictions`)
        return { law, jurisdictions, boundaries: JSON.parse(contents.get(ZIP5 + state) ?? '[]') }
      } catch (thrown) {
        throw refuse(thrown)
      }
    },
  })
}

/** The parts whose names begin so, by the rest of their names. */
function named(parts: readonly LocalPart[], prefix: string): (readonly [string, string])[] {
  return parts
    .filter(({ part }) => part.startsWith(prefix))
    .map(({ part, content }) => [part.slice(prefix.length), content] as const)
}

/** The local data of these parts. */
export function fromLocalParts({ version, parts }: LocalParts): LocalData {
  const stored = parts
    .filter(({ part }) => isOfState(part))
    .map(({ part, content }) => ({ id: part, ...readState(content) }))
  return {
    version,
    states: Object.fromEntries(stored.map(({ id, law }) => [id, law])),
    jurisdictions: stored.flatMap(({ jurisdictions }) => jurisdictions),
    zips: Object.fromEntries(named(parts, ZIP)),
    boundaries: Object.fromEntries(
      named(parts, ZIP5).map(([state, content]) => [state, JSON.parse(content)]),
    ),
    zip4: Object.fromEntries(named(parts, ZIP4)),
  }
}
