import { MILLION, multiplyAndDivide } from './arithmetic/rounding.ts'
import { keyOfCharge } from './charges.ts'
import type { Charge } from './found.ts'
import type { LocalBase } from './regimes/us-local/local-stack.ts'
import type { Part } from './found.ts'
import type { Sale, SaleLine } from './sale.ts'
import type { Terms } from './found.ts'

/** The law names its caps in this currency. */
const CURRENCY = 'USD'

/**
 * Splits a line whose local taxes fall on a part of the price of each item: Florida taxes the first 5,000 USD
 * (s. 212.054(2)(b), F.S.), Tennessee the first 1,600 USD, and there the state has a further tax on what is
 * between that and 3,200 USD (T.C.A. 67-6-202, 67-6-702).
 */
export function partsByItemCap(part: Part, line: SaleLine, { currency }: Pick<Sale, 'currency'>): Part[] {
  const base = part.terms.local?.base ?? null
  const { taxable, terms, amount } = part
  if (base === null || base.item_cap === null || taxable.base !== amount) return [part]
  if (!hasLocal(terms)) return [part]
  if (currency !== CURRENCY) return [{ ...part, terms: withNote(terms, OTHER_CURRENCY) }]
  const sections = sectionsOf(base, base.item_cap, terms)
  const pieces: Part[] = []
  let left = Math.abs(amount)
  for (const section of sections) {
    const most = section.width === null ? left : priceOf(section.width * line.quantity, section.terms, line)
    const share = Math.min(left, most)
    if (share > 0 || pieces.length === 0) pieces.push(pieceOf(part, section.terms, share * Math.sign(amount)))
    left -= share
  }
  const [first] = pieces
  if (pieces.length === 1 || first === undefined) return [part]
  return [{ ...first, terms: withNote(first.terms, noteOf(base.item_cap)) }, ...pieces.slice(1)]
}

/** A part of the price of an item: its width in cents, null for the rest, and the terms on it. */
type Section = { width: number | null; terms: Terms }

function sectionsOf({ single_article }: LocalBase, item_cap: number, terms: Terms): Section[] {
  const rest = withoutLocal(terms)
  const further =
    single_article === null || single_article === undefined
      ? []
      : [
          {
            width: single_article.up_to - item_cap,
            terms: withFurther(rest, single_article.rate_millionths),
          },
        ]
  return [{ width: item_cap, terms }, ...further, { width: null, terms: rest }]
}

function hasLocal({ charges, uncollected, supply }: Terms): boolean {
  return [...charges, ...uncollected].some(({ jurisdiction_id }) => jurisdiction_id !== supply.place)
}

function withoutLocal(terms: Terms): Terms {
  const ofState = (charges: readonly Charge[]) =>
    charges
      .filter(({ jurisdiction_id }) => jurisdiction_id === terms.supply.place)
      .map((charge) => ({ ...charge, stack: null }))
  return { ...terms, charges: ofState(terms.charges), uncollected: ofState(terms.uncollected) }
}

/** The terms with a further tax of the state. Both are rounded together. */
function withFurther(terms: Terms, rate_millionths: number): Terms {
  const added = (charges: readonly Charge[]): Charge[] => {
    const [general] = charges
    if (general === undefined) return []
    const further = { ...general, rate_millionths, levied_as: 'SINGLE_ARTICLE' }
    const all = [...charges, { ...further, key: keyOfCharge(further) }]
    const stack = all.map(({ key }) => key).join('|')
    return all.map((charge) => ({ ...charge, stack }))
  }
  return { ...terms, charges: added(terms.charges), uncollected: added(terms.uncollected) }
}

/** A price without tax as the line states prices: with its tax if they contain it. */
function priceOf(net: number, { charges }: Terms, { tax_behavior }: SaleLine): number {
  if (tax_behavior === 'exclusive') return net
  const rate = charges.reduce((sum, { rate_millionths }) => sum + rate_millionths, 0)
  return multiplyAndDivide(net, MILLION + rate, MILLION)
}

function pieceOf({ taxable }: Part, terms: Terms, amount: number): Part {
  return { terms, amount, taxable: { ...taxable, base: amount, components: terms.charges } }
}

function withNote(terms: Terms, note: string): Terms {
  return { ...terms, notes: [...terms.notes, note] }
}

const OTHER_CURRENCY =
  'The law caps the price of an item on which local taxes fall. The cap is in USD, so it was not applied'

function noteOf(item_cap: number): string {
  return `Local taxes fall on the first ${item_cap / 100} USD of the price of each item`
}
