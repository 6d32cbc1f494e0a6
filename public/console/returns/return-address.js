import { linkTo } from '../address.js'

/**
 * The link to a return, or to the rows of one of its figures.
 * @param {{ type: string, period: string, jurisdiction_id: string | null }} asked
 * @param {{ figure?: string | null, version?: string | null, fx_rates?: string | null }} [more]
 */
export function linkToReturn({ type, period, jurisdiction_id }, { figure = null, version, fx_rates } = {}) {
  const query = new URLSearchParams({ type, period })
  if (jurisdiction_id !== null) query.set('jurisdiction_id', jurisdiction_id)
  if (version) query.set('version', version)
  if (fx_rates) query.set('fx_rates', fx_rates)
  return linkTo('returns', { id: figure, query })
}

/**
 * The query of a period, as the API takes it.
 * @param {URLSearchParams} query of the address
 * @returns {Record<string, string | null> & { type: string, period: string } | null} null: it names no return
 */
export function periodQuery(query) {
  const [type, period] = [query.get('type'), query.get('period')]
  if (type === null || period === null) return null
  return { type, period, jurisdiction_id: query.get('jurisdiction_id'), fx_rates: query.get('fx_rates') }
}
