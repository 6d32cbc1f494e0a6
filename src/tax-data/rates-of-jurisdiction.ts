import type { Jurisdiction, Rate } from '../tax/book/facts.ts'
import { inForce, type RateBook } from '../tax/book/rate-book.ts'
import { lawOf } from '../tax/place.ts'

/** The rates that apply in a jurisdiction on a day, its own and the federal ones. */
export function ratesOfJurisdiction(book: RateBook, jurisdiction: Jurisdiction, day: string): Rate[] {
  const layers = lawOf(jurisdiction).taxes(book, jurisdiction.id)
  return layers.flatMap((layer) =>
    (book.rates.get(layer.jurisdiction_id) ?? []).filter(
      (rate) => rate.tax_type === layer.tax_type && inForce(rate, day),
    ),
  )
}
