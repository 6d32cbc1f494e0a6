import type { ChargedNumber } from '../found/assessment.ts'
import type { RateBook } from '../book/rate-book.ts'
import type { Charge, LineInParts, Terms, Walk } from '../found/found.ts'
import type { Place, TaxedKind, TaxedSupply } from '../regimes/regime.ts'
import { isLowValue } from '../supply/low-value.ts'
import { registrationsFor } from '../terms/registration.ts'
import { smallBusinessIdIn } from '../regimes/eu-member-states.ts'
import { isScheme, type UnionScheme } from '../ground/schemes.ts'
import type { InvoiceTerm } from '../ground/invoice-words.ts'
import type { InvoiceStandard, SellerNumber } from '../ground/invoice-details.ts'
import { countryOf, standardOf } from './invoice-law.ts'

/** The number that the country of a place gave. */
export function numberOf(
  book: RateBook,
  place: Place,
  kind: TaxedKind,
  term: InvoiceTerm | null,
): SellerNumber {
  return { jurisdiction_id: countryOf(book, place, kind), scheme: null, term, printed: true }
}

/** The number of the seller's own country; none if invoices there follow no standard. */
export function numberAtHome({ book, seller }: Walk, term: InvoiceTerm): readonly SellerNumber[] {
  if (seller === null || standardOf(seller, 'digital') === null) return []
  return [numberOf(book, seller, 'digital', term)]
}

/** A small business that uses the scheme in another state has a number for it: art. 284(3). */
export function numberOfSmall(walk: Walk, place: Place, kind: TaxedKind): readonly SellerNumber[] {
  const id = smallBusinessIdIn(countryOf(walk.book, place, kind))
  if (walk.sale.seller.registrations?.includes(id) !== true)
    return numberAtHome(walk, standardOf(place, kind) === 'pint_anz' ? 'BT-30' : 'BT-32')
  return [{ jurisdiction_id: id, scheme: null, term: 'BT-32', printed: true }]
}

/**
 * The numbers that an invoice prints for the taxes of a part: Directive 2006/112/EC, art. 226(3). Where
 * invoices show none, there are none.
 */
export function numbersOfCharge(walk: Walk, terms: Terms, product_type: string): readonly SellerNumber[] {
  const { supply, place } = terms.supplied
  if (supply.kind !== 'taxed' || walk.seller === null) return []
  switch (place.law.invoices.numbers) {
    case 'none':
      return []
    case 'by_tax':
      return terms.charges.flatMap((charge) => numberByTax(walk, terms, supply, charge) ?? [])
    case 'country':
      return [numberOfCountry(walk, terms, supply, product_type)]
  }
}

/**
 * The number under which the seller charges one tax, also where an invoice does not print it. Under the
 * Union one-stop shop it is that of the state of identification, which has no other for it. Null: unknown.
 */
function numberOfTax(walk: Walk, terms: Terms, product_type: string, charge: Charge): SellerNumber | null {
  const { supply, place } = terms.supplied
  if (supply.kind !== 'taxed' || walk.seller === null) return null
  switch (place.law.invoices.numbers) {
    case 'none':
      // Who administers a local tax is not on file, so its number may be another.
      return charge.jurisdiction_id === supply.place ? numberHeld(walk, supply.registrations) : null
    case 'by_tax':
      return numberByTax(walk, terms, supply, charge)
    case 'country':
      return numberOfCountry(walk, terms, supply, product_type)
  }
}

/** The numbers under which the taxes of each line are charged, the shipping last. */
export function chargedNumbersOf(walk: Walk, lines: readonly LineInParts[]): ChargedNumber[][] {
  return lines.map(({ line: { product_type }, parts }) =>
    parts.flatMap(({ terms }) =>
      terms.charges.flatMap((charge): ChargedNumber[] => {
        const number = numberOfTax(walk, terms, product_type, charge)
        if (number === null) return []
        const { jurisdiction_id, tax_type, levied_as, rate_millionths } = charge
        return [{ jurisdiction_id, tax_type, levied_as, rate_millionths, number }]
      }),
    ),
  )
}

/** Each tax of the place has a registration of its own, or a scheme that stands for it. */
function numberByTax(
  walk: Walk,
  { treatments, supplied }: Terms,
  supply: TaxedSupply,
  { tax_type, jurisdiction_id }: Charge,
): SellerNumber | null {
  const layer = treatments.find(
    (each) => each.layer.tax_type === tax_type && each.layer.jurisdiction_id === jurisdiction_id,
  )?.layer
  if (layer === undefined) return null
  const ids = registrationsFor(supplied.place.law, layer, supply)
  const [first] = ids
  return numberHeld(walk, ids) ?? (first === undefined ? null : numberUnder(first))
}

/** The number of the registration that the seller holds, of those that entitle to charge a tax. */
function numberHeld({ sale }: Walk, ids: readonly string[]): SellerNumber | null {
  const id = ids.find((each) => sale.seller.registrations?.includes(each) === true)
  return id === undefined ? null : numberUnder(id)
}

function numberUnder(id: string): SellerNumber {
  const named = isScheme(id) ? { jurisdiction_id: null, scheme: id } : { jurisdiction_id: id, scheme: null }
  return { ...named, term: null, printed: true }
}

function numberOfCountry(
  walk: Walk,
  { supplied: { place, kind } }: Terms,
  supply: TaxedSupply,
  product_type: string,
): SellerNumber {
  const { book, seller } = walk
  const scheme = schemeOfCharge(walk, supply, place, product_type)
  const home = seller !== null && standardOf(seller, kind) === 'eu' ? countryOf(book, seller, kind) : null
  if (scheme === 'oss_non_union') return { jurisdiction_id: null, scheme, term: 'BT-32', printed: true }
  // Only customs and carriers may see the number of the import scheme (data element 13 16).
  if (scheme === 'ioss' && home === null) return { jurisdiction_id: null, scheme, term: null, printed: false }
  if (scheme !== null)
    return { jurisdiction_id: home ?? identifiedIn(walk, kind), scheme, term: 'BT-31', printed: true }
  return numberOf(book, place, kind, termOf(standardOf(place, kind)))
}

function termOf(standard: InvoiceStandard | null): InvoiceTerm | null {
  if (standard === null) return null
  return standard === 'pint_anz' ? 'BT-30' : 'BT-31'
}

/**
 * A seller from outside the Union uses the Union scheme in the state of its fixed establishment, or without
 * one in that from which its goods leave.
 */
function identifiedIn({ origin, book, sale }: Walk, kind: TaxedKind): string | null {
  const [establishment] = sale.seller.establishments ?? []
  if (establishment !== undefined) return establishment
  return origin === null || standardOf(origin, kind) !== 'eu' ? null : countryOf(book, origin, kind)
}

function schemeOfCharge(
  { sale, origin }: Walk,
  supply: TaxedSupply,
  place: Place,
  product_type: string,
): UnionScheme | null {
  const line = {
    place_of_supply: supply.place,
    product_type,
    bears_tax: true,
    fetched: sale.delivery === 'pickup',
    origin: origin?.state ?? null,
    low_value: isLowValue(supply),
  }
  const scheme = place.law.schemeOf(line, sale.seller, sale.customer)
  return scheme === '' || scheme === 'below_eu_threshold' ? null : scheme
}
