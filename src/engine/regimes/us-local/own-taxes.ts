import { cityKey, countiesOfZip, type OwnTax } from './local-book.ts'
import { BASE_OF_STATE, type LocalAddress, type LocalPlace, type LocalTax, NO_STACK } from './local-stack.ts'
import { STATE_FIPS } from './state-fips.ts'

const NONE: readonly never[] = []

/**
 * The taxes on file that the county and the city of an address levy on one product alone. `general`: the
 * taxes on all sales there; their county decides, else that of the largest part of the ZIP.
 */
export function ownTaxesAt(
  place: LocalPlace,
  product_type: string,
  address: LocalAddress,
  general: LocalTax | null,
): readonly OwnTax[] {
  const { law, state, day } = place
  if (law.own_taxes === undefined) return NONE
  const county = countyOfStack(general) ?? largestCounty(place, address)
  const city = address.city === null ? null : cityKey(state, address.city)
  return law.own_taxes.filter(
    (tax) =>
      tax.product_type === product_type &&
      (tax.from === null || tax.from <= day) &&
      (tax.county_fips === null ? cityKey(state, tax.name) === city : tax.county_fips === county),
  )
}

/** The local tax of a place that levies none on all sales. Null: it levies none on the product either. */
export function taxWithoutGeneral(own: readonly OwnTax[]): LocalTax | null {
  if (own.length === 0) return null
  const named = own.some(({ county_fips }) => county_fips === null)
  return {
    precision: named ? 'zip5_city' : 'zip5',
    method: named ? 'city_named' : 'largest_area',
    stack: NO_STACK,
    rate_min: 0,
    rate_max: 0,
    candidates: [],
    notes: [],
    base: BASE_OF_STATE,
    own,
    incomplete: false,
    levied_as: null,
  }
}

/** The sum of the rates, millionths. */
export function rateOfOwnTaxes({ own }: Pick<LocalTax, 'own'>): number {
  return own.reduce((sum, { rate_millionths }) => sum + rate_millionths, 0)
}

function countyOfStack(general: LocalTax | null): string | null {
  const parts = general?.stack.parts ?? NONE
  return parts.find(({ county_fips }) => county_fips !== null)?.county_fips ?? null
}

function largestCounty({ book, state }: LocalPlace, { zip5 }: LocalAddress): string | null {
  const prefix = STATE_FIPS[state] ?? '--'
  const counties = zip5 === null ? NONE : countiesOfZip(book, zip5)
  return counties.find(({ county_fips }) => county_fips.startsWith(prefix))?.county_fips ?? null
}
