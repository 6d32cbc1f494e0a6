import type * as z from 'zod'
import { fieldError } from '../errors.ts'
import { supplyKind } from '../tax/book/product-types.ts'
import type { RateBook } from '../tax/book/rate-book.ts'
import { findExemption } from '../tax/exemptions.ts'
import type { Exemption, Sale } from '../tax/sale.ts'
import { momentIn } from '../time-zone.ts'
import type { CertificateAnswer, VatProofAnswer } from './answers.ts'
import type { LineRow } from './rows.ts'
import type { SaleToRecord } from './sale-to-record.ts'

export type VatProof = z.output<typeof VatProofAnswer>

/** A certificate as it was at the sale, with the positions of the lines that it covers. */
export type CertificateCopy = Omit<z.output<typeof CertificateAnswer>, 'line_items'> & { positions: number[] }

/** The proofs of a sale. They stay if the customer is erased (GDPR, art. 17(3)(b)). */
export type SaleProofs = { vat_proof?: VatProof; certificates?: CertificateCopy[] }

/** The proofs that a sale rests on. Throws invalid_request for a proof without a VAT id. */
export function proofsOfSale(sold: SaleToRecord, lines: readonly LineRow[], zone: string): SaleProofs {
  const vat_proof = vatProofOfSale(sold, zone)
  const certificates = certificatesOfSale(sold, lines)
  return {
    ...(vat_proof !== null && { vat_proof }),
    ...(certificates.length > 0 && { certificates }),
  }
}

/** The certificate that covers a line, whether or not it is what frees it; null: none does. */
export function certificateForLine(
  book: RateBook,
  sale: Sale,
  { place_of_supply, product_type }: Pick<LineRow, 'place_of_supply' | 'product_type'>,
): Exemption | null {
  const kind = supplyKind(product_type)
  return kind === undefined ? null : findExemption(book, sale.exemptions, place_of_supply, kind, sale.day)
}

/** The request's own proof, else the last answer about the VAT id on file, if the sale uses that id. */
function vatProofOfSale({ body, known }: SaleToRecord, zone: string): VatProof | null {
  const given = body.vat_proof
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

function certificatesOfSale(
  { book, sale, known }: SaleToRecord,
  lines: readonly LineRow[],
): CertificateCopy[] {
  const copies = new Map<string, CertificateCopy>()
  for (const line of lines) {
    const held = certificateForLine(book, sale, line)
    const certificate_number = known?.certificate_numbers.get(held?.id ?? '')
    if (held === null || certificate_number === undefined) continue
    const { id: exemption_id, ...rest } = held
    const copy = copies.get(exemption_id) ?? { exemption_id, ...rest, certificate_number, positions: [] }
    copy.positions.push(line.position)
    copies.set(exemption_id, copy)
  }
  return [...copies.values()]
}
