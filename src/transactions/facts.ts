import type * as z from 'zod'
import type { EVIDENCE_STATUSES } from './statuses.ts'
import type { CertificateCopy, VatProof } from './proof.ts'
import type { EvidenceAnswer, PaymentAnswer } from './answers.ts'
import type { TransactionBody } from './schemas.ts'

type EvidencePiece = z.output<typeof EvidenceAnswer>

/** What a request says of a sale beside its tax. Stored as JSON; the request bounds its size. */
export type SaleFacts = {
  invoice_number: string | null
  metadata: Record<string, string>
  payments: z.output<typeof PaymentAnswer>[]
  evidence: EvidencePiece[]
  ship_from: { country: string; region: string | null; postal_code: string | null } | null
  /** The member state of the fixed establishment that supplied services; null: the seller's own place. */
  supplied_from: string | null
  marketplace: { role: 'facilitated' | 'facilitator' } | null
  consignment_number: string | null
  vat_proof: VatProof | null
  certificates: CertificateCopy[]
  /** By position: the lines that have any of these. */
  lines: Record<number, { reference: string | null; discount: number }>
}

/** The facts of a request. `discounts` are those of the lines, with their shares of the document's. */
export function factsOf(
  body: TransactionBody,
  discounts: readonly number[],
): Omit<SaleFacts, 'vat_proof' | 'certificates' | 'consignment_number' | 'supplied_from'> {
  const { ship_from, marketplace } = body
  const lines: SaleFacts['lines'] = {}
  discounts.forEach((discount, position) => {
    const reference = body.line_items[position]?.reference ?? null
    if (reference !== null || discount !== 0) lines[position] = { reference, discount }
  })
  return {
    invoice_number: body.invoice_number ?? null,
    metadata: body.metadata ?? {},
    payments: (body.payments ?? []).map(({ date, amount, reference = null }) => ({
      date,
      amount,
      reference,
    })),
    evidence: (body.evidence ?? []).map(({ type, country, value = null, from_provider = false }) => ({
      type,
      country,
      value,
      from_provider,
    })),
    ship_from: ship_from
      ? {
          country: ship_from.country,
          region: ship_from.region ?? null,
          postal_code: ship_from.postal_code ?? null,
        }
      : null,
    marketplace: marketplace ?? null,
    lines,
    ...(body.consignment_number && { consignment_number: body.consignment_number }),
    ...(body.supplied_from && { supplied_from: body.supplied_from }),
  }
}

const NO_FACTS: SaleFacts = {
  invoice_number: null,
  metadata: {},
  payments: [],
  evidence: [],
  ship_from: null,
  supplied_from: null,
  marketplace: null,
  consignment_number: null,
  vat_proof: null,
  certificates: [],
  lines: {},
}

/** The stored facts of a sale. Sales from before facts were stored have none. */
export function readFacts(facts: string): SaleFacts {
  return { ...NO_FACTS, ...JSON.parse(facts) }
}

/** The ids of the certificates that a sale rests on. */
export function certificatesUsed({ facts }: { facts: string }): string[] {
  return readFacts(facts).certificates.map(({ exemption_id }) => exemption_id)
}

/**
 * Whether evidence tells the customer's country (Implementing Regulation (EU) 282/2011, art. 24b): two pieces
 * of different types that agree, or one from a provider. Other evidence against it is a conflict. One piece
 * is enough for sellers of at most 100,000 EUR of such services a year, which the caller has to know.
 */
export function evidenceStatus(
  evidence: readonly EvidencePiece[],
  country: string,
): (typeof EVIDENCE_STATUSES)[number] {
  if (evidence.length === 0) return 'missing'
  const agreeing = evidence.filter((piece) => piece.country === country)
  const types = new Set(agreeing.map(({ type }) => type))
  if (types.size >= 2 || agreeing.some(({ from_provider }) => from_provider)) return 'sufficient'
  return agreeing.length < evidence.length ? 'conflicting' : 'insufficient'
}
