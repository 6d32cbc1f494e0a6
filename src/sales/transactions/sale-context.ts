import type * as z from 'zod'
import type { BundledProductAnswer } from '../calculation/answers.ts'
import { at } from '../../engine/ground/invariant.ts'
import type { Address, GoodsDelivery, Importer } from '../../engine/sale/sale.ts'
import type {
  EvidenceAnswer,
  PaymentAnswer,
  RecordedAddress,
  RecordedMarketplace,
  SettledSale,
} from './answers.ts'
import type { KeptEinvoice } from './kept-einvoice-facts.ts'
import { creditsToKeep } from './credited-lines.ts'
import type { KeptCredit, LineRow, SettlementRow } from './rows.ts'
import { type CertificateCopy, proofsOfSale, type VatProof } from './sale-proofs.ts'
import { linesOfSale, type SaleToRecord } from './sale-to-record.ts'
import type { EVIDENCE_STATUSES } from '../../platform/database/values/transaction-statuses.ts'

type EvidencePiece = z.output<typeof EvidenceAnswer>

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
type LineContext = {
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
}

/**
 * What a new sale writes: a value for each field, so that the compiler names a field that is forgotten. JSON
 * leaves out what is undefined.
 */
type WrittenFields<Of> = { [Field in keyof Required<Of>]: Of[Field] | undefined }
type WrittenLine = WrittenFields<LineContext>
type WrittenContext = WrittenFields<Omit<SaleContext, 'lines'>> & {
  lines: Record<number, WrittenLine | LineContext>
}

type Settlements = readonly { row: SettlementRow; lines: readonly LineRow[] }[]

/**
 * The context of a sale whose own lines are drafted, with the earlier sales that it settles. `zone` is the
 * time zone of the account.
 */
export function saleContextOf(
  sold: SaleToRecord,
  { own, settlements }: { own: readonly LineRow[]; settlements: Settlements },
  zone: string,
  einvoice: KeptEinvoice | null,
): WrittenContext {
  const { body, sale } = sold
  const { ship_from, marketplace } = body
  const settled = settledContext(settlements)
  const credits = sold.credits.flatMap(({ parts }) => parts)
  const lines: WrittenContext['lines'] = {}
  linesOfSale(sale).forEach(({ discount, funded_discount, trade_in }, position) => {
    const { reference = null, bundle, code, unit_amount, quantity = 1 } = at(body.line_items, position)
    const line: WrittenLine = {
      reference,
      discount,
      funded_discount: funded_discount || undefined,
      trade_in: trade_in || undefined,
      bundle,
      unit_amount,
      unit_quantity: unit_amount === undefined ? undefined : quantity,
      note: code?.note ?? undefined,
      settles: undefined,
    }
    const is_plain = Object.values(line).every((value) => (value ?? 0) === 0)
    if (!is_plain) lines[position] = line
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
    ship_from: ship_from ? recordedAddress(ship_from) : null,
    marketplace: marketplace ?? null,
    lines: { ...lines, ...settled.lines },
    consignment_number: body.consignment_number || undefined,
    importer: body.importer ?? undefined,
    delivery: body.delivery ?? undefined,
    supply_address: body.supply_address ? recordedAddress(body.supply_address) : undefined,
    supplied_from: body.supplied_from || undefined,
    ...proofsOfSale(sold, own, zone),
    settles: settled.settles,
    credits: credits.length === 0 ? undefined : creditsToKeep(credits),
    einvoice: einvoice ?? undefined,
  }
}

/** An address as far as it decides tax. */
function recordedAddress({ country, region, postal_code, city }: Address): z.output<typeof RecordedAddress> {
  return { country, region: region ?? null, postal_code: postal_code ?? null, city: city ?? undefined }
}

/** What a final sale takes off for earlier sales, and by position the lines that do so. */
function settledContext(settlements: Settlements): Pick<WrittenContext, 'lines' | 'settles'> {
  const lines: SaleContext['lines'] = {}
  for (const { row, lines: mirrored } of settlements)
    for (const { position } of mirrored)
      lines[position] = { reference: null, discount: 0, settles: row.settled_id }
  const settles = settlements.map(({ row: { settled_id, amount, tax_amount } }) => ({
    transaction_id: settled_id,
    amount,
    tax_amount,
  }))
  return { lines, settles: settles.length > 0 ? settles : undefined }
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
