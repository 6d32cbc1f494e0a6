import type * as z from 'zod'
import type { SupplyReason } from '../../../engine/book/product-types.ts'
import { at } from '../../../engine/ground/invariant.ts'
import type { Address } from '../../../engine/sale/sale.ts'
import type { RecordedAddress } from '../sale/answers.ts'
import type { KeptEinvoice } from '../sale/kept-einvoice.ts'
import { creditsToKeep } from '../give-back/credited-lines.ts'
import type { LineRow, SettlementRow } from '../sale/rows.ts'
import { type LineContext, readSaleContext, type SaleContext } from '../sale/sale-context.ts'
import { proofsOfSale } from './sale-proofs.ts'
import { linesOfSale, type SaleToRecord } from './sale-to-record.ts'

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
    const asked = at(body.line_items, position)
    const { reference = null, bundle, code, unit_amount, quantity = 1 } = asked
    const line: WrittenLine = {
      reference,
      discount,
      funded_discount: funded_discount || undefined,
      trade_in: trade_in || undefined,
      bundle,
      unit_amount,
      unit_quantity: unit_amount === undefined ? undefined : quantity,
      note: code?.note ?? undefined,
      supply_reason: asked.supply_reason ?? reasonOfCredited(sold, position),
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
    seller: sold.sold_by.seller,
    ...proofsOfSale(sold, own, zone),
    settles: settled.settles,
    credits: credits.length === 0 ? undefined : creditsToKeep(credits),
    einvoice: einvoice ?? undefined,
  }
}

/** Why what a line of a credit note takes back was no supply; undefined: it was one. */
function reasonOfCredited({ credited, credits }: SaleToRecord, position: number): SupplyReason | undefined {
  const named = credits[position]?.parts[0]?.position
  if (credited === null || named === undefined) return undefined
  return readSaleContext(credited.row.facts).lines[named]?.supply_reason
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
