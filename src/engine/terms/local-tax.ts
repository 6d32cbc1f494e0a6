import type { LayerTreatment } from '../book/layer.ts'
import { productInSentence } from '../book/product-types.ts'
import { bearsLocalTax, isLeftToPlaces } from './charges.ts'
import type { Place } from '../regimes/regime.ts'
import type { LocalBook } from '../regimes/us-local/local-book.ts'
import type { LocalTax } from '../regimes/us-local/local-stack.ts'

/** The type of a product for local taxes: a law of the state may count it among products of another type. */
export function typeOfLocalTax(product_type: string, treatments: readonly LayerTreatment[]): string {
  for (const { rule } of treatments) if (rule?.as) return rule.as
  return product_type
}

/** What a place taxes: a product, how its rules treat it, and the local taxes that are in the answer. */
type TreatedThere = {
  place: Pick<Place, 'jurisdiction_id' | 'name' | 'law'>
  product_type: string
  treatments: readonly LayerTreatment[]
  local: LocalTax | null
}

/** The note that places may levy a tax on a product which is not in the answer; null: none may. */
export function noteOnPlaces(book: LocalBook | null, there: TreatedThere): string | null {
  const { place, product_type, treatments, local } = there
  const { jurisdiction_id, law } = place
  if (law.placesMayTax === null) return null
  const freed = treatments.some(({ taxed, rule }) => !taxed && !rule?.applies_to)
  const product = { product_type: typeOfLocalTax(product_type, treatments), freed }
  return law.placesMayTax(book, jurisdiction_id, product, local)
    ? ownLocalTaxes(product_type, place.name, local)
    : null
}

/** What is missing where places may tax a product alone. `place` is a name. */
function ownLocalTaxes(product_type: string, place: string, local: LocalTax | null): string {
  if (local !== null && local.own.length > 0) {
    const names = local.own.map(({ name }) => name).join(' and ')
    return (
      `The tax of ${names} on ${productInSentence(product_type)} is in the answer. The taxes of ` +
      `other places in ${place} are not in the data`
    )
  }
  const general = local !== null && local.stack.rate > 0
  return `${notOnFile(product_type, place)}${general ? ', except those on all sales' : ''}`
}

function notOnFile(product_type: string, place: string): string {
  return (
    `Local taxes on ${productInSentence(product_type)} in ${place} are not in the data and ` +
    `not in the answer`
  )
}

/**
 * Notes on the local taxes of a place. `bearing`: the taxes that fall on the product; null: none does. Where
 * only places tax a product, and those that were found have no rate, a city that the address does not name
 * may have one.
 */
export function localNotes(
  local: LocalTax,
  { name }: Place,
  treatments: readonly LayerTreatment[],
  bearing: readonly LayerTreatment[] | null,
): readonly string[] {
  if (bearing === null) return treatments.some((each) => isLeftToPlaces(each, local)) ? local.notes : []
  if (isInAnswer(local, generalOf(bearing))) return local.notes
  return noteOnLacking(local, name, bearing)
}

/** The note that the local taxes of an address on a product with a rate of its own are not on file. */
export function noteOnLacking(
  local: LocalTax,
  name: string,
  bearing: readonly LayerTreatment[],
): readonly string[] {
  const general = generalOf(bearing)
  if (general === undefined || isInAnswer(local, general) || local.base.product === 'included') return []
  return [notOnFile(general.product_type, name)]
}

function generalOf(bearing: readonly LayerTreatment[]): LayerTreatment | undefined {
  return bearing.find(({ layer }) => layer.on_top !== true)
}

function isInAnswer(local: LocalTax, general: LayerTreatment | undefined): boolean {
  return local.own.length > 0 || general === undefined || bearsLocalTax(general, local)
}
