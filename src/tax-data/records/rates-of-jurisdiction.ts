import type { Jurisdiction, Rate } from '../../engine/book/facts.ts'
import { inForce, type RateBook } from '../../engine/book/rate-book.ts'
import { lawOf } from '../../engine/supply/place.ts'

/** The rates that apply in a jurisdiction on a day, its own and the federal ones. */
export function ratesOfJurisdiction(book: RateBook, jurisdiction: Jurisdiction, day: string): Rate[] {
  return ratesOfAllDays(book, jurisdiction).filter((rate) => inForce(rate, day))
}

/** The rates of a jurisdiction of all days, its own and the federal ones, past and announced ones too. */
export function ratesOfAllDays(book: RateBook, jurisdiction: Jurisdiction): Rate[] {
  const layers = lawOf(book, jurisdiction).taxes(book, jurisdiction.id)
  return layers.flatMap((layer) =>
    (book.rates.get(layer.jurisdiction_id) ?? []).filter((rate) => rate.tax_type === layer.tax_type),
  )
}

/** Says why no rate applies in a jurisdiction on a day, and names a part that has rates, if one has. */
export function whyNoRate(book: RateBook, { id, name }: Jurisdiction, day: string): string {
  const part = book.facts.jurisdictions.find(
    (each) => each.parent_id === id && ratesOfJurisdiction(book, each, day).length > 0,
  )
  return part === undefined
    ? `No rate of ${name} is in force on ${day}, as far as the data says`
    : `${name} has no rate of its own: ask for a part of it, such as ${part.id} (${part.name})`
}

/** So many taxes of one place are added up at most. */
const LAYERS_MAX = 3

/**
 * The rates in force in a jurisdiction on a day, in millionths: one rate of each of its taxes, added up. An
 * unknown jurisdiction has no rate.
 */
export function ratesInForce(book: RateBook, jurisdiction_id: string, day: string): number[] {
  const jurisdiction = book.jurisdictions.get(jurisdiction_id)
  if (jurisdiction === undefined) return []
  const rates = ratesOfJurisdiction(book, jurisdiction, day)
  const taxes = [...Map.groupBy(rates, (rate) => `${rate.jurisdiction_id} ${rate.tax_type}`).values()]
  if (taxes.length > LAYERS_MAX) return []
  let sums = [0]
  for (const tax of taxes)
    sums = sums.flatMap((sum) => [sum, ...tax.map(({ rate_millionths }) => sum + rate_millionths)])
  return [...new Set(sums)].filter((sum) => sum > 0)
}
