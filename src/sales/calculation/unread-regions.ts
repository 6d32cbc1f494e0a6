import { REGIONAL } from '../../engine/regimes/list.ts'
import { findRegion, regionsOf } from '../../platform/http/subdivisions.ts'
import type { RateBook } from '../../engine/book/rate-book.ts'
import { isRegionOverruled, namedRegion } from '../../engine/supply/place.ts'
import type { Address, Sale } from '../../engine/sale/sale.ts'

/**
 * A note on each region of a sale that is none of its country, neither in the tax data nor in ISO 3166-2: an
 * address there is taxed as any other of the country. Where the tax is that of a state, such a region is
 * refused. And a note on each region that its postal code contradicts.
 */
export function notesOnRegions(book: RateBook, sale: Sale): string[] {
  const places: readonly (readonly [string, Address | null])[] = [
    ['customer', sale.customer.address],
    ['seller', sale.seller.address],
    ['ship_from', sale.ship_from],
    ['supply_address', sale.supply_address],
  ]
  return places.flatMap(([field, address]) => {
    const note = address === null ? null : noteOnRegion(book, address)
    return note === null ? [] : [`region ${JSON.stringify(address?.region)} of ${field} ${note}`]
  })
}

function noteOnRegion(book: RateBook, address: Address): string | null {
  const { country, region } = address
  if (!region) return null
  if (!isRead(book, country, region))
    return `was not understood, so it was not used: GET /v1/addresses/regions/${country} lists the regions`
  return !REGIONAL.has(country) && isRegionOverruled(book, address)
    ? `does not have postal code ${JSON.stringify(address.postal_code)}, so the postal code was used`
    : null
}

/** What was found of each region, by country: a shop sends few of them, in one spelling. */
const judged = new Map<string, boolean>()
const JUDGED_MAX = 4_000

function isRead(book: RateBook, country: string, region: string): boolean {
  const key = `${book.version} ${country} ${region}`
  const known = judged.get(key)
  if (known !== undefined) return known
  const found =
    regionsOf(country).length === 0 ||
    namedRegion(book, country, region) !== null ||
    isPlainRegion(book, country, findRegion(country, region)?.code)
  if (judged.size >= JUDGED_MAX) judged.clear()
  judged.set(key, found)
  return found
}

/** Whether a region has no tax of its own: a territory has to be named as the tax data names it. */
function isPlainRegion(book: RateBook, country: string, code: string | undefined): boolean {
  return code !== undefined && namedRegion(book, country, code) === null
}
