import { bearSameTaxes, groupsOfAlike } from './alike.ts'
import { shareByWeight } from '../arithmetic/allocation.ts'
import type { LayerTreatment } from '../book/layer.ts'
import type { Charge, Cut, Part, Terms, Walk } from '../found/found.ts'
import { at } from '../ground/invariant.ts'
import type { PricedLine } from '../sale/lines.ts'
import { explainRule } from '../terms/explain.ts'
import { joined, passing, withoutTax } from '../terms/terms.ts'
import { treatedAt } from '../terms/treated.ts'

/** The goods of a delivery. `credits`: some lines take back a price, as coupons and returns do. */
export type Delivered = { readonly goods: readonly Part[]; readonly credits: boolean }

/**
 * Cuts shipping by its goods: those on equal terms take a share by their price, and their terms. A negative
 * line lessens the price of the goods on its terms: a coupon counts the same as a line and as a discount. In
 * a place that taxes the whole of a delivery charge, the free goods of the place take no share.
 */
export function cutByGoods(walk: Walk, { line, price }: PricedLine, delivered: Delivered): Cut[] {
  const { goods } = delivered
  const sent = delivered.credits ? goodsSent(goods, price) : goods
  const sharing = passing(goods, (good) => !isCarriedByTaxed(good, sent))
  const all = groupsOfAlike(sharing, (a, b) => bearSameTaxes(a.terms, b.terms))
  const groups = sent === goods ? all : all.filter((group) => group.some((good) => sent.includes(good)))
  const notes = notesOnMixed(sent)
  const weights = groups.map((group) => weightOf(group, sent === goods ? 'size' : price))
  const shares = shareByWeight(price, weights)
  const cuts: Cut[] = []
  groups.forEach((group, index) => {
    const share = at(shares, index)
    // Free shipping has no shares, so it belongs to the first goods.
    if (share === 0 && (price !== 0 || index > 0)) return
    const terms = termsOfShipping(walk, at(group, 0).terms, line.product_type)
    cuts.push({ terms, amount: share, base: share, notes })
  })
  return cuts
}

/**
 * The goods that a delivery charge is for: those that go out, and if the charge is given back those that come
 * back. All goods, if they all go the other way.
 */
function goodsSent(goods: readonly Part[], price: number): readonly Part[] {
  const direction = price < 0 ? -1 : 1
  if (!goods.some(({ amount }) => amount * direction > 0)) return goods
  return goods.filter(({ amount }) => amount * direction >= 0)
}

/** The price of goods that are alike, in the direction of the charge and at least 0; or its size. */
function weightOf(group: readonly Part[], charge: number | 'size'): number {
  let sum = 0
  for (const { amount } of group) sum += amount
  if (charge === 'size') return Math.abs(sum)
  return Math.max(charge < 0 ? 0 - sum : sum, 0)
}

/** Whether the place taxes the whole charge because other goods of the delivery there are taxed. */
function isCarriedByTaxed(good: Part, goods: readonly Part[]): boolean {
  const { place } = good.terms.supplied
  if (place.mixed_shipping !== 'whole' || !isUntaxedProduct(good)) return false
  return goods.some((other) => other.terms.supplied.place === place && !isUntaxedProduct(other))
}

/** Whether a tax of the place spares the goods; goods that a seller may not tax yet are not spared. */
export function isUntaxedProduct({ terms: { charges, uncollected, treatments } }: Part): boolean {
  return charges.length + uncollected.length === 0 || treatments.some(({ taxed }) => !taxed)
}

/** The doubt where the law on a delivery of taxable and exempt goods is not certain. */
function notesOnMixed(goods: readonly Part[]): readonly string[] {
  const free = goods.find(
    (good) => good.terms.supplied.place.mixed_shipping === 'unknown' && isUntaxedProduct(good),
  )
  if (free === undefined || goods.every(isUntaxedProduct)) return []
  const { name } = free.terms.supplied.place
  return [
    `It is not certain how ${name} taxes one delivery charge for taxable and exempt goods, so the ` +
      'share of the taxable goods was taxed, by price',
  ]
}

/**
 * The terms of shipping that follows goods: the same terms, unless the place has a rule for shipping. What is
 * open about the goods is said of their line.
 */
function termsOfShipping(walk: Walk, goods: Terms, product_type: string): Terms {
  const { place, supply } = goods.supplied
  if (supply.kind !== 'taxed' || goods.charges.length + goods.uncollected.length === 0)
    return goods.price_rule === null && goods.conditions.length === 0
      ? goods
      : { ...goods, price_rule: null, conditions: [] }
  const treated = treatedAt(walk, place, 'shipping', product_type)
  const { treatments, rule } = treated
  const all = goods.charges.length > 0 ? goods.charges : goods.uncollected
  const facts = walk.sale.open_facts
  const open = facts?.openInTreatment(walk, place, product_type, treated, (others) =>
    facts.rateOfCharges(taxedBy(others, all)),
  )
  const conditions = open?.conditions ?? []
  const notes = joined(treated.notes, open?.notes ?? [])
  const charges = taxedBy(treatments, goods.charges)
  // The notes on the rule of the goods do not concern the shipping; the notes on the seller do.
  const ofSeller = passing(goods.notes, (note) => !goods.rule_notes.includes(note))
  const terms = {
    ...goods,
    price_rule: null,
    charges,
    uncollected: taxedBy(treatments, goods.uncollected),
    treatments,
    rule: conditions.length > 0 && rule === 'specific' ? 'uncertain' : rule,
    rule_notes: notes,
    conditions,
    notes: joined(notes, ofSeller),
  }
  if (goods.charges.length === 0 || charges.length > 0) return terms
  const reason = treatments.some(({ zero_rated }) => zero_rated) ? 'zero_rated' : 'product_exempt'
  return withoutTax(terms, reason, explainRule(reason, place, treatments))
}

/** The charges but for the taxes that spare the product. */
function taxedBy(treatments: readonly LayerTreatment[], charges: readonly Charge[]): readonly Charge[] {
  let left = charges
  for (const { taxed, layer } of treatments)
    if (!taxed) left = passing(left, ({ tax_type }) => tax_type !== layer.tax_type)
  return left
}
