import { type RateBook, lineage } from '../book/rate-book.ts'
import type { Exemption, Sale, SaleLine } from './sale.ts'
import type { SupplyKind } from '../book/product-types.ts'

const RESOLD: ReadonlySet<SupplyKind> = new Set(['goods', 'digital', 'shipping'])

/** Whether a resale certificate can cover a product: what is used up when it is bought is not sold again. */
export function canBeResold(kind: SupplyKind | undefined): boolean {
  return kind !== undefined && RESOLD.has(kind)
}

/**
 * The exemption of the customer from a tax of the jurisdiction, or null. An exemption for a parent covers its
 * parts; an exemption for a part does not cover the parent. A resale certificate covers only products that
 * can be resold: goods, digital products, and the shipping that follows goods.
 */
export function findExemption<Held extends Exemption>(
  book: RateBook,
  exemptions: readonly Held[],
  jurisdiction_id: string,
  kind: SupplyKind,
  day: string,
): Held | null {
  const covering = lineage(book, jurisdiction_id)
  let widest: Held | null = null
  for (const exemption of exemptions) {
    if (!covering.includes(exemption.jurisdiction_id)) continue
    if (exemption.valid_from > day || (exemption.valid_to !== null && exemption.valid_to < day)) continue
    if (exemption.exemption_type === 'resale' && !RESOLD.has(kind)) continue
    // An exemption for the whole country covers more than one for a part of it (ETA, s. 165).
    if (
      widest === null ||
      covering.indexOf(exemption.jurisdiction_id) > covering.indexOf(widest.jurisdiction_id)
    )
      widest = exemption
  }
  return widest
}

/** The exemptions that a line may rest on: its own first, then the certificates of the customer. */
export function exemptionsOf(sale: Pick<Sale, 'exemptions'>, line: SaleLine | null): readonly Exemption[] {
  return line === null ? sale.exemptions : [...line.exemptions, ...sale.exemptions]
}

/** A text that is the same for lines that state the same exemption; '' for lines without one. */
export function keyOfExemption({ exemptions }: SaleLine): string {
  return exemptions.map((each) => ` ${each.exemption_type} ${each.jurisdiction_id}`).join()
}
