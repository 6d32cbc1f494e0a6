import { findRegion } from '../../platform/http/subdivisions.ts'
import type { KnownCustomer } from '../../parties/customers/known-customers.ts'
import { supplyKind } from '../../engine/book/product-types.ts'
import type { RateBook } from '../../engine/book/rate-book.ts'
import { canBeResold } from '../../engine/sale/exemptions.ts'
import type { TransactionInput } from '../../sales/transactions/sale/schemas.ts'
import type { DocumentFields } from './document.ts'
import { CERTIFICATE } from './exempt-regions.ts'
import { isExempting, OUR_EXEMPTIONS } from './exemption-types.ts'

export type LineToRecord = NonNullable<TransactionInput['line_items']>[number]
type StatedExemption = NonNullable<LineToRecord['exemption']>

/**
 * The exemption that a document states for the place it goes to, or that of its customer. Null: there is
 * none, or the data lacks the place. An exemption of TaxJar has no first day, so that of a customer counts
 * for older documents, too, until it ends. One that is valid on the day (YYYY-MM-DD) needs no statement.
 */
export function exemptionOfDocument(
  book: RateBook,
  { exemption_type, to_country, to_state }: DocumentFields,
  known: KnownCustomer | null,
  day: string,
): StatedExemption | null {
  if (to_country === null) return null
  const region = to_state === null ? null : findRegion(to_country, to_state)
  const places = [...(region === null ? [] : [region.id]), to_country]
  const covered = places.find((id) => book.jurisdictions.has(id))
  if (covered === undefined) return null
  if (isExempting(exemption_type))
    return { exemption_type: OUR_EXEMPTIONS[exemption_type], jurisdictions: [covered] }
  if (exemption_type !== null) return null
  const later = known?.exemptions.find(
    ({ id, jurisdiction_id, valid_from, valid_to }) =>
      id !== null &&
      known.certificate_numbers.get(id) === CERTIFICATE &&
      places.includes(jurisdiction_id) &&
      valid_from > day &&
      valid_to === null,
  )
  return later === undefined
    ? null
    : { exemption_type: later.exemption_type, jurisdictions: [later.jurisdiction_id] }
}

/** A sale whose lines without tax rest on an exemption. */
export function withExemption(sale: TransactionInput, exemption: StatedExemption | null): TransactionInput {
  if (exemption === null || !sale.line_items) return sale
  return { ...sale, line_items: sale.line_items.map((line) => exempted(line, exemption)) }
}

/** Lines that no resale certificate covers stay untaxed, as the document states. */
function exempted(line: LineToRecord, exemption: StatedExemption): LineToRecord {
  if (line.tax_amount !== 0) return line
  const covers = exemption.exemption_type !== 'resale' || canBeResold(supplyKind(line.product_type))
  const { taxable: _untaxed, ...rest } = line
  return covers ? { ...rest, exemption } : { ...line, exemption }
}
