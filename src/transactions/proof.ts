import type { KnownCustomer } from '../customers/known-customers.ts'
import { fieldError } from '../errors.ts'
import { supplyKind } from '../tax/book/product-types.ts'
import type { RateBook } from '../tax/book/rate-book.ts'
import { findExemption } from '../tax/exemptions.ts'
import type { Exemption, Sale } from '../tax/sale.ts'
import { momentIn } from '../time-zone.ts'
import type { LineRow } from './rows.ts'
import type { TransactionBody } from './schemas.ts'

/** What an authority answered about the customer's VAT id, as it was at the sale. */
export type VatProof = {
  vat_id: string
  valid: boolean
  /** The authority, or `caller` for an answer that the request gives. */
  source: string
  consultation_number: string | null
  checked_at: string
}

/** A certificate as it was at the sale, with the positions of the lines that it covers. */
export type CertificateCopy = {
  exemption_id: string
  jurisdiction_id: string
  exemption_type: string
  certificate_number: string
  valid_from: string
  valid_to: string | null
  positions: number[]
}

/** The proofs of a sale. They stay if the customer is erased (GDPR, art. 17(3)(b)). */
export type SaleProofs = { vat_proof?: VatProof; certificates?: CertificateCopy[] }

type Covered = Pick<LineRow, 'position' | 'place_of_supply' | 'product_type'>

/** The proofs that a sale rests on. Throws invalid_request for a proof without a VAT id. */
export function proofsOf(
  book: RateBook,
  sale: Sale,
  { body, known, zone }: { body: TransactionBody; known: KnownCustomer | null; zone: string },
  lines: readonly Covered[],
): SaleProofs {
  const vat_proof = vatProofOf(body, known, zone)
  const certificates = certificatesOf(book, sale, known, lines)
  return {
    ...(vat_proof !== null && { vat_proof }),
    ...(certificates.length > 0 && { certificates }),
  }
}

/** The certificate that covers a line, whether or not it is what frees it; null: none does. */
export function certificateOf(
  book: RateBook,
  sale: Sale,
  { place_of_supply, product_type }: Omit<Covered, 'position'>,
): Exemption | null {
  const kind = supplyKind(product_type)
  return kind === undefined ? null : findExemption(book, sale.exemptions, place_of_supply, kind, sale.day)
}

/** The request's own proof, else the last answer about the VAT id on file, if the sale uses that id. */
function vatProofOf(body: TransactionBody, known: KnownCustomer | null, zone: string): VatProof | null {
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

function certificatesOf(
  book: RateBook,
  sale: Sale,
  known: KnownCustomer | null,
  lines: readonly Covered[],
): CertificateCopy[] {
  const copies = new Map<string, CertificateCopy>()
  for (const line of lines) {
    const held = certificateOf(book, sale, line)
    const certificate_number = known?.certificate_numbers.get(held?.id ?? '')
    if (held === null || certificate_number === undefined) continue
    const { id: exemption_id, ...rest } = held
    const copy = copies.get(exemption_id) ?? { exemption_id, ...rest, certificate_number, positions: [] }
    copy.positions.push(line.position)
    copies.set(exemption_id, copy)
  }
  return [...copies.values()]
}
