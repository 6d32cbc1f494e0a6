import type { BoundaryEdition } from '../../engine/regimes/us-local/boundaries.ts'
import type { LocalData, LocalJurisdiction, LocalState } from '../../engine/regimes/us-local/local-book.ts'
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

/** The local data of these parts. The content of a part with ZIP+4 is its stamp. */
export function fromLocalParts(parts: readonly LocalPart[], version: string): LocalData {
  const stored = parts
    .filter(({ part }) => isOfState(part))
    .map(({ part, content }) => ({ id: part, ...readState(content) }))
  const named = (prefix: string) =>
    parts
      .filter(({ part }) => part.startsWith(prefix))
      .map(({ part, content }) => [part.slice(prefix.length), content] as const)
  return {
    version,
    states: Object.fromEntries(stored.map(({ id, law }) => [id, law])),
    jurisdictions: stored.flatMap(({ jurisdictions }) => jurisdictions),
    zips: Object.fromEntries(named(ZIP)),
    boundaries: Object.fromEntries(named(ZIP5).map(([state, content]) => [state, JSON.parse(content)])),
    zip4: Object.fromEntries(named(ZIP4)),
  }
}
