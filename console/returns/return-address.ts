import { linkTo } from '../address.ts'
import type { Query } from '../api.ts'

/** The query of a return, as the API takes it. */
export type PeriodQuery = Query & { type: string; period: string; jurisdiction_id: string | null }

/** The link to a return, or with `figure` to the rows of one of its figures. */
export function linkToReturn(
  { type, period, jurisdiction_id }: { type: string; period: string; jurisdiction_id: string | null },
  {
    figure = null,
    version = null,
    fx_rates = null,
  }: { figure?: string | null; version?: string | null; fx_rates?: string | null } = {},
): string {
  const query = new URLSearchParams({ type, period })
  if (jurisdiction_id !== null) query.set('jurisdiction_id', jurisdiction_id)
  if (version !== null) query.set('version', version)
  if (fx_rates !== null) query.set('fx_rates', fx_rates)
  return linkTo('returns', { id: figure, query })
}

/** The query of the period that an address names; null: it names no return. */
export function periodQuery(query: URLSearchParams): PeriodQuery | null {
  const [type, period] = [query.get('type'), query.get('period')]
  if (type === null || period === null) return null
  return { type, period, jurisdiction_id: query.get('jurisdiction_id'), fx_rates: query.get('fx_rates') }
}

/** The return that an obligation asks for; null: this service has no form of it. */
export function returnOf({
  type,
  period,
  filing_url,
}: {
  type: string | null
  period: string
  filing_url: string | null
}): { type: string; period: string; jurisdiction_id: string | null } | null {
  const asked = new URLSearchParams(filing_url?.split('?')[1])
  return type === null ? null : { type, period, jurisdiction_id: asked.get('jurisdiction_id') }
}
