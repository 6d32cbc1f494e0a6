import type { Context } from '../../platform/context.ts'
import { heldLocalBook } from '../../tax-data/records/current-local-book.ts'
import { countiesOfZip, type LocalBook } from '../../engine/regimes/us-local/local-book.ts'
import { STATE_FIPS } from '../../engine/regimes/us-local/state-fips.ts'
import { taxesAtSeller } from '../../engine/regimes/us.ts'
import type { TaxOfOrder } from './answers.ts'
import type { CalculatedOrder } from './breakdown.ts'
import { formOf, namesCity } from './countries.ts'

type PostalPlace = { city?: string | null | undefined; zip?: string | null | undefined }

/** Whether the tax is that of the customer's place or of the seller's. */
export function taxSource(
  context: Context,
  { jurisdiction_id, customer }: CalculatedOrder,
  from: { country: string | null; state: string | null },
): 'destination' | 'origin' {
  if (jurisdiction_id !== customer.jurisdiction_id) return 'origin'
  const here = formOf(jurisdiction_id) === 'us' && `${from.country}-${from.state}` === jurisdiction_id
  const local = here ? heldLocalBook(context) : null
  return local && taxesAtSeller(local, jurisdiction_id.slice(3), 'goods') ? 'origin' : 'destination'
}

/** The names of the places that tax the order, in upper case, as far as they are known. */
export function jurisdictionsOf(
  context: Context,
  { jurisdiction_id, local }: CalculatedOrder,
  place: PostalPlace,
): NonNullable<TaxOfOrder['jurisdictions']> {
  const [country = '', state = ''] = jurisdiction_id.split('-')
  const postal = place.city?.toUpperCase()
  const form = formOf(country)
  if (form === 'canadian') return { country, state, ...(postal && { city: postal }) }
  if (form !== 'us') return { country, ...(postal && namesCity(country) && { city: postal }) }
  const named = (type: string) => local?.parts.find((part) => part.type === type)?.name.toUpperCase()
  const book = heldLocalBook(context)
  const county = named('county') ?? (book && place.zip ? countyOfZip(book, place.zip) : undefined)
  const city = named('city') ?? postal
  return { country, state, ...(county && { county }), ...(city && { city }) }
}

/** The county with the largest part of a ZIP. */
function countyOfZip(book: LocalBook, zip: string): string | undefined {
  const [largest] = countiesOfZip(book, zip.slice(0, 5))
  if (largest === undefined) return undefined
  const { county_fips } = largest
  const state = Object.keys(STATE_FIPS).find((id) => county_fips.startsWith(STATE_FIPS[id] ?? '--'))
  return book
    .state(state ?? '')
    ?.counties.get(county_fips)
    ?.name.toUpperCase()
}
