import { regionKey } from '../book/region-names.ts'
import { nationalTax } from './national-tax.ts'
import type { Place, PostalRegions, RegimeLaw, UntaxedSupply } from './regime.ts'

/**
 * Mail to the armed forces and to diplomatic posts (APO, FPO, DPO). Its codes AA, AE and AP are written like
 * states, but they are not states (Publication 28 of the USPS, section 225 and appendix B). A sales tax act
 * taxes deliveries in its own state.
 */
const law: RegimeLaw = {
  ...nationalTax,
  id: 'uncovered',
  name: 'Military and diplomatic mail',
  supply: {
    within: ({ customer }) => inNoState(customer),
    from: () => null,
    to: ({ customer }) => inNoState(customer),
    at: ({ place }) => inNoState(place),
    destination: inNoState,
    performed_for: 'all',
  },
  thresholds: () => ({ types: [], jurisdictions: [], scopes: [], without: 'unknown', passed: false }),
}

/** ZIPs by their first three digits. */
const REGIONS = [
  { code: 'AA', name: 'Armed Forces Americas', zips: /^340/ },
  { code: 'AE', name: 'Armed Forces Europe', zips: /^09[0-8]/ },
  { code: 'AP', name: 'Armed Forces Pacific', zips: /^96[2-6]/ },
]

/** Codes by the plain form of all names. */
const CODES: ReadonlyMap<string, string> = new Map(
  REGIONS.flatMap(({ code, name }) =>
    [code, `US-${code}`, name].map((known): [string, string] => [regionKey(known), code]),
  ),
)

export const usMilitaryMail: PostalRegions = {
  regions: REGIONS,
  ofName: (region) => CODES.get(regionKey(region)) ?? null,
  ofPostalCode: (zip) => REGIONS.find(({ zips }) => zips.test(zip))?.code ?? null,
  law,
}

function inNoState({ jurisdiction_id }: Place): UntaxedSupply {
  return {
    kind: 'untaxed',
    reason: 'not_subject_to_tax',
    place: jurisdiction_id,
    basis: 'Publication 28 of the USPS, section 225; sales and use tax acts of the states',
    detail: 'Mail to the armed forces or to a diplomatic post is delivered in no state, so no state taxes it',
  }
}
