import type { LayerTreatment } from '../book/layer.ts'
import { treatProduct } from '../book/product-rules.ts'
import type { SupplyKind } from '../book/product-types.ts'
import type { RateBook } from '../book/rate-book.ts'
import type { RuleStatus } from '../found/assessment.ts'
import type { Walk } from '../found/found.ts'
import type { Place } from '../regimes/regime.ts'
import { taxablePerson } from '../regimes/taxable-person.ts'
import type { Alternative } from './conditions.ts'
import { notesOn, ruleStatusOf } from './rule-status.ts'

/** How the taxes of a place treat a product on a day. */
export type TreatedProduct = {
  readonly treatments: readonly LayerTreatment[]
  /** What the rules of the treatments are worth. */
  readonly rule: RuleStatus
  /** What the customer is by the law of the place. */
  readonly buyer: Buyer
  /** What they would be if a fact were so that is open; null: nobody has looked yet. Looked for once. */
  alternatives: readonly Alternative[] | null
  /** Adds to other treatments a tax that stands beside these. */
  readonly beside?: (treatments: readonly LayerTreatment[]) => readonly LayerTreatment[]
  /** Notes on what the data lacks, and on what is uncertain in it. */
  readonly notes: readonly string[]
}

/** So many are kept for each book in memory. Then all of the book are forgotten. */
const KEPT_MAX = 4_000
/** Of one product at a place, because they are compared one by one. The latest come first. */
const OF_PRODUCT_MAX = 20

/** By place, then by product. */
type KeptTreatments = { added: number; by_place: Map<string, Map<string, readonly KeptTreatment[]>> }
type KeptTreatment = { day: string; treated: TreatedProduct }
/** What the customer is by the law of the place. Where a law believes the type, it may be unknown. */
type Buyer = 'business' | 'other' | 'unknown'

const kept_of = new WeakMap<RateBook, KeptTreatments>()

/**
 * How the taxes of a place treat a product on the day of a sale. It is found once for each book in memory,
 * and not for each sale. Throws no_rate_for_date.
 */
export function treatedAt(
  { book, sale, customer, taxable_person }: Walk,
  { jurisdiction_id, law, taxes }: Place,
  kind: SupplyKind,
  product_type: string,
): TreatedProduct {
  const { day } = sale
  const person = law === customer.law ? taxable_person : taxablePerson(law, sale.customer)
  const business = kind === 'goods' ? person.goods : person.others
  const { type, vat_id } = sale.customer
  const unknown = law.business_ids === null && type === null && vat_id === null
  const buyer = business ? 'business' : unknown ? 'unknown' : 'other'
  const ofProduct = kept_of.get(book)?.by_place.get(jurisdiction_id)?.get(product_type) ?? NONE
  for (const each of ofProduct) if (each.day === day && each.treated.buyer === buyer) return each.treated
  const treatments = treatProduct(book, taxes, product_type, business, day)
  const treated: TreatedProduct = {
    treatments,
    rule: ruleStatusOf(treatments),
    buyer,
    alternatives: null,
    notes: notesOn(book, treatments, day),
  }
  keep(book, jurisdiction_id, product_type, { day, treated })
  return treated
}

const NONE: readonly never[] = []

function keep(book: RateBook, jurisdiction_id: string, product_type: string, treated: KeptTreatment): void {
  const before = kept_of.get(book)
  const kept: KeptTreatments =
    before === undefined || before.added >= KEPT_MAX ? { added: 0, by_place: new Map() } : before
  const ofPlace = kept.by_place.get(jurisdiction_id) ?? new Map<string, readonly KeptTreatment[]>()
  const others = (ofPlace.get(product_type) ?? NONE).slice(0, OF_PRODUCT_MAX - 1)
  ofPlace.set(product_type, [treated, ...others])
  kept.by_place.set(jurisdiction_id, ofPlace)
  kept.added += 1
  kept_of.set(book, kept)
}
