import { moneyInWords } from '../book/money-in-words.ts'
import { shareByWeight } from '../arithmetic/allocation.ts'
import { MILLION, multiplyAndDivide } from '../arithmetic/rounding.ts'
import { keyOfCharge } from '../terms/charges.ts'
import type { Charge, Cut, Part, Terms, Walk } from '../found/found.ts'
import { at } from '../ground/invariant.ts'
import { piecesOf } from '../sale/lines.ts'
import type { PriceSection } from '../regimes/us-local/local-stack.ts'
import type { Sale, SaleLine } from '../sale/sale.ts'

/** Splits a part if local taxes fall on sections of the price of an item. The law of the place has them. */
export function cutBySections(
  { book, sale }: Walk,
  whole: Part,
  line: SaleLine,
  sections: readonly PriceSection[],
): Cut[] {
  const { terms, amount, base, notes } = whole
  const width = sections[0]?.width ?? null
  if (width === null || terms.price_rule?.price_rule === 'excess_only' || !hasLocal(terms)) return [whole]
  const currency = book.jurisdictions.get(terms.supplied.supply.place)?.currency ?? ''
  if (sale.currency !== currency) return [{ ...whole, terms: withNote(terms, otherCurrency(currency)) }]
  const shares = sharesOfSections(sale, terms, { base, line }, sections)
  const [first] = shares
  if (first === undefined || shares.length === 1) return [whole]
  const note = `Local taxes fall on the first ${moneyInWords(width, currency)} of the price of each item`
  const amounts = shareByWeight(
    amount,
    shares.map(({ base }) => Math.abs(base)),
  )
  return shares.map((share, index) => ({
    terms: share === first ? withNote(share.terms, note) : share.terms,
    base: share.base,
    amount: at(amounts, index),
    notes,
  }))
}

function sharesOfSections(
  sale: Sale,
  terms: Terms,
  { base, line }: { base: number; line: SaleLine },
  sections: readonly PriceSection[],
): Pick<Cut, 'terms' | 'base'>[] {
  const shares: Pick<Cut, 'terms' | 'base'>[] = []
  let left = Math.abs(base)
  for (const section of sections) {
    const own = termsOfSection(terms, section)
    const most = section.width === null ? left : mostOf(sale, section.width, { left, own, line })
    const share = Math.min(left, most)
    if (share > 0 || shares.length === 0) shares.push({ terms: own, base: share * Math.sign(base) })
    left -= share
  }
  return shares
}

type InSection = { left: number; own: Terms; line: SaleLine }

/** How much of a line all its pieces have in a section. If one could have what is left, all have it. */
function mostOf(sale: Sale, width: number, { left, own, line }: InSection): number {
  const pieces = piecesOf(sale, line, left <= priceOf(width, own, line))
  return priceOf(width * pieces, own, line)
}

function hasLocal({ charges, uncollected, supplied: { supply } }: Terms): boolean {
  return [...charges, ...uncollected].some(({ jurisdiction_id }) => jurisdiction_id !== supply.place)
}

function termsOfSection(terms: Terms, { local, further }: PriceSection): Terms {
  if (local) return terms
  const { place } = terms.supplied.supply
  const own = (charges: readonly Charge[]): readonly Charge[] => {
    const ofState = charges.filter((charge) => charge.jurisdiction_id === place)
    return further === null ? ofState.map(unstacked) : withFurther(ofState, further)
  }
  return { ...terms, charges: own(terms.charges), uncollected: own(terms.uncollected) }
}

function unstacked(charge: Charge): Charge {
  return { ...charge, stack: null }
}

/** The charges with a further tax of the state. Both are rounded together. */
function withFurther(
  charges: readonly Charge[],
  { rate_millionths, levied_as }: NonNullable<PriceSection['further']>,
): readonly Charge[] {
  const [general] = charges
  if (general === undefined) return []
  const further = { ...general, rate_millionths, levied_as }
  const all = [...charges, { ...further, key: keyOfCharge(further) }]
  const stack = all.map(({ key }) => key).join('|')
  return all.map((charge) => ({ ...charge, stack }))
}

/** A price without tax as the line states prices: with its tax if they contain it. */
function priceOf(net: number, { charges }: Terms, { tax_behavior }: SaleLine): number {
  if (tax_behavior === 'exclusive') return net
  const rate = charges.reduce((sum, { rate_millionths }) => sum + rate_millionths, 0)
  return multiplyAndDivide(net, MILLION + rate, MILLION)
}

function withNote(terms: Terms, note: string): Terms {
  return { ...terms, notes: [...terms.notes, note] }
}

function otherCurrency(currency: string): string {
  return (
    'The law caps the price of an item on which local taxes fall. ' +
    `The cap is in ${currency}, so it was not applied`
  )
}
