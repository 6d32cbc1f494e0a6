import type { Part, Terms, Walk } from '../found/found.ts'
import type { LineProduct } from '../sale/lines.ts'
import type { Shared } from '../terms/terms.ts'
import { partOfLine } from './part-of-line.ts'
import { soldLine, type SoldLine, soldOf } from './parts.ts'

/** Sells lines one after the other, because a deposit may have the tax of the goods before it. */
export function sellingInOrder(walk: Walk, shared: Shared): (product: LineProduct) => SoldLine {
  let before: Part | null = null
  return (product) => {
    const own = soldOf(walk, product, shared)
    if (product.nature.deposit) return depositOf(walk, product, own, before)
    if (product.is_sent) before = own.parts[0]
    return own
  }
}

/** A deposit on the container of the goods before it, where its law does not tax it by itself. */
function depositOf(walk: Walk, product: LineProduct, own: SoldLine, before: Part | null): SoldLine {
  const { place } = own.parts[0].terms.supplied
  const basis = place.law.depositFollows?.(place) ?? null
  if (basis === null || product.line.exemptions.length > 0) return own
  if (before === null) return { ...own, notes: [...own.notes, NOTHING_BEFORE] }
  const { terms } = before
  const ofSeller = terms.notes.filter((note) => !terms.rule_notes.includes(note))
  const notes = [...ofSeller, `A deposit has the tax of the goods on the line before it (${basis})`]
  const followed: Terms = { ...terms, price_rule: null, rule: 'specific', rule_notes: [], notes }
  const whole = partOfLine(walk, product, followed)
  return soldLine(walk, product, [whole], [whole], null)
}

const NOTHING_BEFORE =
  'A deposit has the tax of the goods on the line before it. There are none, so the standard rate was used'
