import type { Context } from '../context.ts'
import { heldLocalBook } from '../tax-data/current-local-book.ts'
import { countiesOfZip, type LocalBook } from '../tax/regimes/us-local/local-book.ts'
import type { TaxOfOrder } from './answers.ts'
import type { CalculatedOrder } from './breakdown.ts'

type PostalPlace = { city?: string | null | undefined; zip?: string | null | undefined }

/** How a state taxes its own sellers at their place. California does that for a part of the tax alone. */
const AT_SELLER: ReadonlySet<string> = new Set(['origin', 'origin_goods'])

/** Whether the tax is that of the customer's place or of the seller's. */
export function taxSource(
  context: Context,
  { jurisdiction_id, customer }: CalculatedOrder,
  from: { country: string | null; state: string | null },
): 'destination' | 'origin' {
  if (jurisdiction_id !== customer.jurisdiction_id) return 'origin'
  if (!jurisdiction_id.startsWith('US-')) return 'destination'
  const here = from.country === 'US' && `US-${from.state ?? ''}` === jurisdiction_id
  const law = heldLocalBook(context)?.states.get(jurisdiction_id.slice(3))
  return here && law !== undefined && AT_SELLER.has(law.sourcing) ? 'origin' : 'destination'
}

/** The names of the places that tax the order, in upper case, as far as they are known. */
export function jurisdictionsOf(
  context: Context,
  { jurisdiction_id, local }: CalculatedOrder,
  place: PostalPlace,
): NonNullable<TaxOfOrder['jurisdictions']> {
  const [country = '', state = ''] = jurisdiction_id.split('-')
  const postal = place.city?.toUpperCase()
  if (country === 'CA') return { country, state, ...(postal && { city: postal }) }
  if (country !== 'US') return { country, ...(postal && country !== 'AU' && { city: postal }) }
  const named = (type: string) => local?.parts.find((part) => part.type === type)?.name.toUpperCase()
  const book = heldLocalBook(context)
  const county = named('county') ?? (book && place.zip ? countyOfZip(book, place.zip) : undefined)
  const city = named('city') ?? postal
  return { country, state, ...(county && { county }), ...(city && { city }) }
}

/** The county with the largest part of a ZIP. */
function countyOfZip(book: LocalBook, zip: string): string | undefined {
  const [largest] = countiesOfZip(book, zip.slice(0, 5))
  return largest === undefined ? undefined : book.counties.get(largest.county_fips)?.name.toUpperCase()
}
