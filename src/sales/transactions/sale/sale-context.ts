import type * as z from 'zod'
import type { BundledProductAnswer } from '../../calculation/answers.ts'
import type { SupplyReason } from '../../../engine/book/product-types.ts'
import type { GoodsDelivery, Importer } from '../../../engine/sale/sale.ts'
import type {
  CertificateAnswer,
  EvidenceAnswer,
  PaymentAnswer,
  RecordedAddress,
  RecordedMarketplace,
  RecordedSeller,
  SettledSale,
  VatProofAnswer,
} from './answers.ts'
import type { KeptEinvoice } from './kept-einvoice.ts'
import type { KeptCredit } from './rows.ts'
import type { EVIDENCE_STATUSES } from '../../../platform/database/values/transaction-statuses.ts'

type EvidencePiece = z.output<typeof EvidenceAnswer>

export type KeptSeller = z.output<typeof RecordedSeller>

export type VatProof = z.output<typeof VatProofAnswer>

/** A certificate as it was at the sale, with the positions of the lines that it covers. */
export type CertificateCopy = Omit<z.output<typeof CertificateAnswer>, 'line_items'> & { positions: number[] }

/**
 * What is recorded of a sale beside its tax, as JSON in the column `facts`. The request bounds its size.
 */
export type SaleContext = {
  invoice_number: string | null
  metadata: Record<string, string>
  payments: z.output<typeof PaymentAnswer>[]
  evidence: EvidencePiece[]
  ship_from: z.output<typeof RecordedAddress> | null
  /** The member state of the fixed establishment that supplied services; null: the seller's own place. */
  supplied_from: string | null
  marketplace: z.output<typeof RecordedMarketplace> | null
  consignment_number: string | null
  vat_proof: VatProof | null
  certificates: CertificateCopy[]
  /** Left out: the request did not say it. So are the next two. */
  importer?: Importer
  delivery?: GoodsDelivery
  supply_address?: z.output<typeof RecordedAddress>
  /** The seller that the request stated. Left out: it stated none, or the sale is of an earlier release. */
  seller?: KeptSeller
  /** By position: the lines that have any of these. */
  lines: Record<number, LineContext>
  /** What its invoice says. Left out: the sale was recorded before it was kept. */
  einvoice?: KeptEinvoice
  /** Of a credit note: what it takes from the lines of its sale. Left out: of no recorded sale. */
  credits?: KeptCredit[]
  /** The earlier sales that it settles. Amounts with tax, in minor units. */
  settles: z.output<typeof SettledSale>[]
}

/** Amounts in minor units. A part of the discount may be paid by a third party. */
export type LineContext = {
  reference: string | null
  discount: number
  funded_discount?: number
  trade_in?: number
  bundle?: z.output<typeof BundledProductAnswer>[]
  settles?: string
  /** The price of one unit, and how many units, which may be a decimal number. */
  unit_amount?: number
  unit_quantity?: number
  /** What the product code of the line lacks. */
  note?: string
  /** Why the line is no supply. */
  supply_reason?: SupplyReason
}

const NO_CONTEXT: SaleContext = {
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
  settles: [],
}

/** The text of a context, without what a sale that says nothing of it has anyway. */
export function contextToStore(context: object): string {
  const without: Readonly<Record<string, unknown>> = NO_CONTEXT
  const said = Object.entries(context).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(without[name]),
  )
  return JSON.stringify(Object.fromEntries(said))
}

/** The stored context of a sale. Sales of earlier releases have none. */
export function readSaleContext(facts: string): SaleContext {
  return { ...NO_CONTEXT, ...JSON.parse(facts) }
}

/** The ids of the certificates on file that a sale rests on. */
export function certificatesUsed({ facts }: { facts: string }): string[] {
  return readSaleContext(facts).certificates.flatMap(({ exemption_id }) => exemption_id ?? [])
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
