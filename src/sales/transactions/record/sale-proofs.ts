import { fieldError } from '../../../platform/errors.ts'
import { supplyKind } from '../../../engine/book/product-types.ts'
import type { RateBook } from '../../../engine/book/rate-book.ts'
import { exemptionsOf, findExemption } from '../../../engine/sale/exemptions.ts'
import type { Exemption, Sale } from '../../../engine/sale/sale.ts'
import { momentIn } from '../../../platform/kit/time-zone.ts'
import type { LineRow } from '../sale/rows.ts'
import type { CertificateCopy, VatProof } from '../sale/sale-context.ts'
import type { SaleToRecord } from './sale-to-record.ts'

/** The proofs of a sale. They stay if the customer is erased (GDPR, art. 17(3)(b)). */
type SaleProofs = { vat_proof: VatProof | undefined; certificates: CertificateCopy[] | undefined }

/** The proofs that a sale rests on. Throws invalid_request for a proof without a VAT id. */
export function proofsOfSale(sold: SaleToRecord, lines: readonly LineRow[], zone: string): SaleProofs {
  const certificates = sold.credited === null ? certificatesOfSale(sold, lines) : certificatesOfCredit(sold)
  return {
    vat_proof: vatProofOfSale(sold, zone) ?? undefined,
    certificates: certificates.length > 0 ? certificates : undefined,
  }
}

/** The certificate that covers a line, whether or not it is what frees it; null: none does. */
export function certificateForLine(
  book: RateBook,
  sale: Sale,
  recorded: Pick<LineRow, 'place_of_supply' | 'product_type' | 'position' | 'taxability_reason'>,
): Exemption | null {
  const { place_of_supply, product_type, position, taxability_reason } = recorded
  const line = sale.lines[position] ?? sale.shipping
  const kind = supplyKind(product_type)
  if (kind === undefined || taxability_reason === 'not_a_supply') return null
  const held = exemptionsOf(sale, line)
  return findExemption(book, held, place_of_supply, kind, sale.day)
}

/** The request's own proof, else the last answer about the VAT id on file, if the sale uses that id. */
function vatProofOfSale({ body, known, credited }: SaleToRecord, zone: string): VatProof | null {
  const given = body.vat_proof
  if (!given && credited !== null) return readProofs(credited.row.facts).vat_proof ?? null
  if (!given) return body.customer?.vat_id ? null : (known?.vat_proof ?? null)
  const vat_id = body.customer?.vat_id ?? known?.vat_id
  if (!vat_id) throw fieldError('invalid_request', 'vat_proof', 'needs a customer with a vat_id')
  return {
    vat_id,
    valid: given.valid,
    source: 'caller',
    consultation_number: given.consultation_number ?? null,
    checked_at: momentIn(zone, given.checked_at),
  }
}

function certificatesOfSale(sold: SaleToRecord, lines: readonly LineRow[]): CertificateCopy[] {
  const copies = new Map<string, CertificateCopy>()
  for (const line of lines) {
    const held = certificateForLine(sold.book, sold.sale, line)
    if (held === null) continue
    const { id: exemption_id, ...rest } = held
    const certificate_number = certificateNumber(sold, held, line)
    const key = exemption_id ?? JSON.stringify([rest, certificate_number])
    const copy = copies.get(key) ?? { exemption_id, ...rest, certificate_number, positions: [] }
    copy.positions.push(line.position)
    copies.set(key, copy)
  }
  return [...copies.values()]
}

/** A credit note rests on the certificates of the lines that it credits. */
function certificatesOfCredit({ credited, credits }: SaleToRecord): CertificateCopy[] {
  if (credited === null) return []
  return (readProofs(credited.row.facts).certificates ?? []).flatMap((copy) => {
    const positions = credits.flatMap((credit, position) =>
      credit.parts.some((part) => copy.positions.includes(part.position ?? -1)) ? [position] : [],
    )
    return positions.length === 0 ? [] : [{ ...copy, positions }]
  })
}

/** The proofs that are stored with a sale. */
function readProofs(facts: string): Partial<SaleProofs> {
  return JSON.parse(facts)
}

/** The number of a certificate on file, or the one that the request states; null: it states none. */
function certificateNumber(
  { known, body }: SaleToRecord,
  { id }: Exemption,
  { position }: LineRow,
): string | null {
  if (id === null) return body.line_items[position]?.exemption?.certificate_number ?? null
  return known?.certificate_numbers.get(id) ?? null
}
