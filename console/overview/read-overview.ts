import type { z } from 'zod'
import type { OverviewAnswer } from '../../src/overview/schemas.ts'
import { accountChanged } from '../account.ts'
import { callApi } from '../api.ts'

export type Overview = z.output<typeof OverviewAnswer>

/** Reads all that the overview shows, in one request. Throws a Failure. */
export async function readOverview(months: string): Promise<Overview> {
  const overview = await callApi<Overview>('GET', '/v1/overview', { query: { months } })
  if (overview.account !== null) accountChanged(overview.account)
  return overview
}
