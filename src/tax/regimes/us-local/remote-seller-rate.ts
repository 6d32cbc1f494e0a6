import type { SchemeId } from '../../schemes.ts'
import type { LocalJurisdiction } from './local-book.ts'
import { BASE_OF_STATE, type LocalTax } from './local-stack.ts'

/**
 * One rate for the whole state, which a seller from elsewhere may choose instead of the rates of addresses:
 * the single local use tax rate of Texas (Tax Code, s. 151.0595), and the simplified sellers use tax of
 * Alabama (Code of Alabama, s. 40-23-193).
 */
export type RemoteSellerRate = {
  /** The registration by which a seller chooses it. */
  scheme: SchemeId
  name: string
  rate_millionths: number
  /** The first day. */
  from: string
  /** It contains the tax of the state, and is levied as this; null: it comes on top of the state's tax. */
  levied_as: string | null
  /** Whether a marketplace may use it for the sales of others. */
  marketplaces: boolean
  source: string
  as_of: string
}

/** The rate as a jurisdiction of its own, so that answers and returns name it. */
export function jurisdictionOfRate(state: string, option: RemoteSellerRate): LocalJurisdiction {
  const { rate_millionths, from, source, as_of, name } = option
  return {
    id: option.levied_as === null ? `US-${state}-SINGLE` : `US-${state}`,
    state,
    type: 'flat',
    code: '',
    name,
    county_fips: null,
    rates: [{ rate_millionths, from, to: null }],
    also: [],
    zips: [],
    source,
    as_of,
  }
}

/** One value for each rate, because charges are kept by it. */
const made = new WeakMap<RemoteSellerRate, LocalTax>()

/** The local tax of a seller that chose the rate. The address does not matter. */
export function taxAtRate(state: string, option: RemoteSellerRate): LocalTax {
  const known = made.get(option)
  if (known !== undefined) return known
  const { rate_millionths: rate, levied_as } = option
  const tax: LocalTax = {
    precision: 'state',
    method: 'remote_seller_rate',
    stack: { parts: [jurisdictionOfRate(state, option)], rates: [rate], rate },
    rate_min: rate,
    rate_max: rate,
    candidates: [],
    notes: levied_as === null ? [] : [`The rate of ${rate / 10_000} % contains the tax of the state`],
    base: levied_as === null ? BASE_OF_STATE : { ...BASE_OF_STATE, product: 'own' },
    levied_as,
  }
  made.set(option, tax)
  return tax
}
