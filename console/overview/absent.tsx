import type { Overview } from './read-overview.ts'

/** Why a part is not here. */
export function Absent({ part, missing }: { part: string; missing: Overview['missing'] }) {
  const found = missing.find((each) => each.part === part)
  return <p class="card quiet">{found?.message ?? 'It could not be read'}.</p>
}
