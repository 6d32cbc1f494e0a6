import { placeInSentence } from '../book/names.ts'
import { recordsInForce } from '../book/rate-book.ts'
import { shareByWeight } from '../arithmetic/allocation.ts'
import type { Cut, Part, Terms, Walk } from '../found/found.ts'
import { at } from '../ground/invariant.ts'
import type { LineProduct } from '../sale/lines.ts'
import { freeTerms, type Shared, termsOfProduct } from '../terms/terms.ts'
import { bearSameTaxes, groupsOfAlike } from './alike.ts'
import { partOfCut } from './part-of-line.ts'
import { partsOfCuts, soldLine, type SoldLine, soldOf } from './parts.ts'

/** Sells lines one after the other, because a deposit may have the tax of the goods before it. */
export function sellingInOrder(walk: Walk, shared: Shared): (product: LineProduct) => SoldLine {
  let before: readonly Part[] = []
  return (product) => {
    const own = soldOf(walk, product, shared)
    if (product.nature.deposit && product.line.bundle.length === 0)
      return heldDeposit(walk, product, shared) ?? followingDeposit(walk, product, own, before)
    if (own.goods.length > 0) before = own.goods
    return own
  }
}

/**
 * A deposit of a scheme. It is no exempt turnover, also if the request marks it as not taxable or the seller
 * is not registered, and no postage is for it. Null: it is a part of the price, or goes to another place.
 */
function heldDeposit(walk: Walk, product: LineProduct, shared: Shared): SoldLine | null {
  const terms = termsOfProduct(walk, product, shared)
  const { place, supply } = terms.supplied
  const here = supply.kind === 'taxed' || (supply.kind === 'untaxed' && supply.reason === 'small_business')
  if (!here || !place.law.deposits_passed_on || terms.charges.length > 0) return null
  const rules = place.taxes.map(
    (layer) => recordsInForce(walk.book, layer, product.product_type, false, walk.sale.day).rule,
  )
  const [rule] = rules
  if (!rule || rules.some((each) => each?.treatment !== 'exempt')) return null
  const where = placeInSentence(walk.book, place.jurisdiction_id)
  const detail = `A deposit on a container is not a supply in ${where}${rule.notes ? `: ${rule.notes}` : ''}`
  const reason = 'not_a_supply'
  const basis = rule.source
  const held = freeTerms(
    'goods',
    { ...terms.supplied, supply: { kind: 'untaxed', reason, place: supply.place, basis, detail }, freed: [] },
    { treatments: terms.treatments, rule: terms.rule, reason, detail, notes: terms.rule_notes },
  )
  const { price, line } = product
  const whole = partOfCut({ terms: held, amount: price, base: price, notes: [] }, line)
  return soldLine(walk, product, [whole], [], null)
}

/**
 * A deposit on the container of the goods before it, where its law does not tax it by itself. After a bundle
 * whose goods bear several taxes, it is shared between them by their prices.
 */
function followingDeposit(
  walk: Walk,
  product: LineProduct,
  own: SoldLine,
  before: readonly Part[],
): SoldLine {
  const { price, line } = product
  const { place } = own.parts[0].terms.supplied
  const basis = place.law.depositFollows?.(place) ?? null
  if (basis === null || line.exemptions.length > 0) return own
  if (before.length === 0) return { ...own, notes: [...own.notes, NOTHING_BEFORE] }
  const groups = groupsOfAlike(before, (a, b) => bearSameTaxes(a.terms, b.terms))
  const shares = shareByWeight(
    price,
    groups.map((group) => Math.abs(group.reduce((sum, { amount }) => sum + amount, 0))),
  )
  const cuts = groups.flatMap((group, index): Cut[] => {
    const amount = at(shares, index)
    if (amount === 0 && (price !== 0 || index > 0)) return []
    return [{ terms: followed(at(group, 0).terms, basis), amount, base: amount, notes: [] }]
  })
  const parts = partsOfCuts(cuts, line)
  return soldLine(walk, product, parts, parts, null)
}

/** The terms of goods for the deposit on their container. What is open about them is said of their line. */
function followed(terms: Terms, basis: string): Terms {
  const ofSeller = terms.notes.filter((note) => !terms.rule_notes.includes(note))
  const notes = [...ofSeller, `A deposit has the tax of the goods on the line before it (${basis})`]
  return { ...terms, price_rule: null, rule: 'specific', rule_notes: [], conditions: [], notes }
}

const NOTHING_BEFORE =
  'A deposit has the tax of the goods on the line before it. There are none, so the standard rate was used'
