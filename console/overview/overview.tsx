import type { OverviewAnswer } from '../../client/src/schema.ts'
import { accountChanged } from '../account.ts'
import { read } from '../api.ts'
import { learnNames } from '../names.ts'

/** Reads all that the overview shows, in one request. Throws a Failure. */
export async function readOverview(months: string): Promise<OverviewAnswer> {
  const overview = await read('/v1/overview', { months })
  learnNames(Object.entries(overview.names))
  if (overview.account !== null) accountChanged(overview.account)
  return overview
}

/** Why a part is not here. */
export function Absent({ part, missing }: { part: string; missing: OverviewAnswer['missing'] }) {
  const found = missing.find((each) => each.part === part)
  return <p class="card quiet">{found?.message ?? 'It could not be read'}.</p>
}
