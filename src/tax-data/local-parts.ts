import type { LocalData, LocalJurisdiction, LocalState } from '../tax/regimes/us-local/local-book.ts'
import type { LocalPart } from './local-store.ts'

type StoredLaw = { law: LocalState; jurisdictions: readonly LocalJurisdiction[] }

const ZIP = 'zip:'

/** Local data as parts: one for each state, one for each ZIP3. */
export function toLocalParts({ states, jurisdictions, zips }: LocalData): LocalPart[] {
  const byState = Map.groupBy(jurisdictions, ({ state }) => state)
  const ofStates = Object.entries(states).map(([id, law]) => {
    const stored: StoredLaw = { law, jurisdictions: byState.get(id) ?? [] }
    return { part: id, content: JSON.stringify(stored) }
  })
  const ofZips = Object.entries(zips).map(([zip3, content]) => ({ part: `${ZIP}${zip3}`, content }))
  return [...ofStates, ...ofZips]
}

/** The local data of these parts. */
export function fromLocalParts(parts: readonly LocalPart[], version: string): LocalData {
  const stored = parts
    .filter(({ part }) => !part.startsWith(ZIP))
    .map(({ part, content }) => ({ id: part, ...(JSON.parse(content) as StoredLaw) }))
  return {
    version,
    states: Object.fromEntries(stored.map(({ id, law }) => [id, law])),
    jurisdictions: stored.flatMap(({ jurisdictions }) => jurisdictions),
    zips: Object.fromEntries(
      parts
        .filter(({ part }) => part.startsWith(ZIP))
        .map(({ part, content }) => [part.slice(ZIP.length), content]),
    ),
  }
}
