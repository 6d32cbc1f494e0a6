import type { LocalJurisdiction, RemoteSellerRate } from './local-book.ts'
import { BASE_OF_STATE, type LocalTax, type LocalTaxes, localTaxUnknown } from './local-stack.ts'

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
    notes: levied_as === null ? [] : [`The rate of ${rate / 10_000} % contains state tax`],
    base: levied_as === null ? BASE_OF_STATE : { ...BASE_OF_STATE, product: 'own' },
    own: [],
    incomplete: false,
    levied_as,
  }
  made.set(option, tax)
  return tax
}

/** The local taxes of a seller without a place in a state where such sellers collect none. */
export function exemptOfRemote(state_name: string): LocalTaxes {
  const note = `In ${state_name}, sellers without a place of business in the state collect no local tax`
  const tax = { ...localTaxUnknown(note), precision: 'state', method: 'remote_seller_rate' } as const
  return { of: () => tax }
}
