import { atStart, placeInSentence } from '../book/place-names.ts'
import type { RateBook } from '../book/rate-book.ts'
import type { FoundBundle, PartsOfLine, Terms, Walk } from '../found/found.ts'
import type { PricePart } from '../regimes/regime.ts'
import type { Exemption, SaleLine } from '../sale/sale.ts'
import { isTaxed } from '../terms/taxed-price.ts'

const NONE: readonly never[] = []

/** What the facts that the request states of one line did to its tax, or that they did nothing. */
export function notesOnLine(
  walk: Walk,
  line: SaleLine,
  parts: PartsOfLine,
  bundle: FoundBundle | null,
): readonly string[] {
  const { exemptions, funded_discount, trade_in } = line
  if (exemptions.length === 0 && funded_discount === 0 && trade_in === 0 && bundle === null) return NONE
  const { terms } = parts.find(bearsTax) ?? parts[0]
  const { price_parts } = terms.supplied.place
  return [
    ...(exemptions.length === 0 ? NONE : [noteOnExemption(walk.book, parts)]),
    ...(funded_discount === 0 ? NONE : [noteOnPart(walk, terms, DISCOUNT, price_parts.funded_discount)]),
    ...(trade_in === 0 ? NONE : [noteOnPart(walk, terms, TRADE_IN, price_parts.trade_in)]),
    ...(bundle === null ? NONE : [bundle.note]),
  ]
}

function noteOnExemption(book: RateBook, parts: PartsOfLine): string {
  for (const { terms } of parts) {
    const { exemption } = terms
    if (exemption !== null && exemption.id === null)
      return (
        `The exemption that the request states (${nameOfExemption(book, exemption)}) ` +
        'was applied. Nobody verified it: keep the certificate'
      )
  }
  return 'exemption was not used: it is for no tax that falls on the line'
}

function nameOfExemption(book: RateBook, { exemption_type, jurisdiction_id }: Exemption): string {
  return `${exemption_type.replaceAll('_', ' ')}, ${placeInSentence(book, jurisdiction_id)}`
}

/** A part of the price that is not the customer's money: its field, and how a sentence names it. */
type NamedPart = { field: string; named: string }

const DISCOUNT: NamedPart = {
  field: 'discount_funded_by',
  named: 'what a third party pays for a discount',
}
const TRADE_IN: NamedPart = { field: 'trade_in', named: 'what a trade-in counts for' }

function noteOnPart(
  { sale }: Walk,
  terms: Terms,
  { field, named }: NamedPart,
  part: PricePart | null,
): string {
  if (!bearsTax({ terms })) return `${field} was not used: no tax falls on the line`
  const { name } = terms.supplied.place
  if (part === null) return `Whether ${name} taxes ${named} is not on file, so it was taxed`
  const verb = isTaxed(part, sale.customer) ? 'taxes' : 'does not tax'
  return `${atStart(name)} ${verb} ${named} (${part.basis})`
}

function bearsTax({ terms }: { terms: Terms }): boolean {
  return terms.charges.length + terms.uncollected.length > 0
}
