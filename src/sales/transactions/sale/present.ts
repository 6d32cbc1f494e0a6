import { numberOfLine } from '../../calculation/charged-under.ts'
import type { Answer } from '../../../platform/http/answers.ts'
import { MILLION } from '../../../engine/arithmetic/rounding.ts'
import { componentsOfTax } from '../../../engine/book/rate-components.ts'
import { at, invariant } from '../../../engine/ground/invariant.ts'
import { evidenceStatus, readSaleContext, type SaleContext } from './sale-context.ts'
import { partsOfRefund } from './line-parts.ts'
import type { LineRow, RefundPart, RefundRow, StoredTax, StoredTransaction } from './rows.ts'
import type { Refund, Transaction, TransactionLine } from './answers.ts'

/** A transaction as the API shows it. Fields such as `refund` exist only after their event. */
export function presentTransaction({ row, lines, refunds }: StoredTransaction): Answer<typeof Transaction> {
  const {
    customer_country,
    customer_region,
    customer_postal_code,
    customer_id,
    customer_vat_id,
    voided_at,
    superseded_at,
    superseded_by,
    exported_to: _,
    day: _day,
    of_other_seller,
    facts,
    ...shown
  } = row
  const shownRefunds = refunds.map((refund) => presentRefund(refund, lines))
  const latest = shownRefunds.at(-1)
  const {
    lines: ofLines,
    certificates,
    einvoice: _einvoice,
    credits: _credits,
    ...ofSale
  } = readSaleContext(facts)
  return {
    ...shown,
    ...ofSale,
    amount_refunded: sumOfRefunds(refunds),
    ...(of_other_seller === 1 && { of_other_seller: true as const }),
    status: superseded_at === null ? shown.status : 'superseded',
    certificates: certificates.map(({ positions, ...copy }) => ({
      ...copy,
      line_items: positions.map((position) => at(lines, position).id),
    })),
    evidence_status: evidenceStatus(ofSale.evidence, customer_country),
    discount_amount: Object.values(ofLines).reduce((sum, { discount }) => sum + discount, 0),
    customer: {
      id: customer_id,
      vat_id: customer_vat_id,
      address: { country: customer_country, region: customer_region, postal_code: customer_postal_code },
    },
    tax_rate: row.tax_rate / MILLION,
    seller_registered: row.seller_registered === 1,
    reverse_charge: row.reverse_charge === 1,
    line_items: lines.map((line) => presentLine(line, ofLines[line.position])),
    ...(latest !== undefined && { refund: latest }),
    refunds: shownRefunds,
    ...(voided_at !== null && { voided_at }),
    ...(superseded_at !== null && { superseded_at, superseded_by }),
  }
}

/** More than the total, if lines came back that an earlier sale paid. */
export function sumOfRefunds(refunds: readonly Pick<RefundRow, 'amount'>[]): number {
  return refunds.reduce((sum, { amount }) => sum + amount, 0)
}

/** A refund as the API shows it. `lines` are those of its transaction. */
export function presentRefund(row: RefundRow, lines: readonly LineRow[]): Answer<typeof Refund> {
  const { id, amount, tax_amount, reason, refunded_at, external_id, credit_note_number } = row
  const line_items = row.by_line === 1 ? presentRefundedLines(partsOfRefund(row), lines) : null
  return { id, amount, tax_amount, reason, refunded_at, external_id, credit_note_number, line_items }
}

function presentRefundedLines(parts: readonly RefundPart[], lines: readonly LineRow[]) {
  const byLine = Map.groupBy(parts, ({ position }) => invariant(position, 'a part names its line'))
  return [...byLine].map(([position, own]) => ({
    id: at(lines, position).id,
    net_amount: own.reduce((sum, part) => sum + part.net_amount, 0),
    tax_amount: own.reduce((sum, part) => sum + part.tax_amount, 0),
  }))
}

function presentLine(
  line: LineRow,
  ofLine: SaleContext['lines'][number] | undefined,
): Answer<typeof TransactionLine> {
  const tax_breakdown = presentTaxes(JSON.parse(line.tax_breakdown))
  return {
    id: line.id,
    amount: line.amount,
    quantity: line.quantity,
    ...(ofLine?.unit_amount !== undefined && {
      unit_amount: ofLine.unit_amount,
      unit_quantity: ofLine.unit_quantity,
    }),
    product_type: line.product_type,
    description: line.description,
    reference: ofLine?.reference ?? null,
    discount: ofLine?.discount ?? 0,
    ...(ofLine?.funded_discount !== undefined && { discount_funded_by: 'manufacturer' as const }),
    ...(ofLine?.trade_in !== undefined && { trade_in: ofLine.trade_in }),
    ...(ofLine?.bundle !== undefined && { bundle: ofLine.bundle }),
    ...(ofLine?.note !== undefined && { notes: [ofLine.note] }),
    ...(ofLine?.supply_reason !== undefined && {
      supply: false as const,
      supply_reason: ofLine.supply_reason,
    }),
    taxable: line.taxable === 1,
    net_amount: line.net_amount,
    taxable_amount: line.taxable_amount,
    tax_rate: line.tax_rate / MILLION,
    tax_amount: line.tax_amount,
    taxability_reason: line.taxability_reason,
    reason_detail: line.reason_detail,
    tax_breakdown,
    ...numberOfLine(tax_breakdown),
    settles: ofLine?.settles ?? null,
  }
}

type ShownTaxes = Answer<typeof TransactionLine>['tax_breakdown']
type KeptTaxes = (Omit<ShownTaxes[number], 'components'> & Pick<StoredTax, 'components'>)[]

/** The taxes of a line, with what each tax that a rate is made of has of them. */
function presentTaxes(taxes: KeptTaxes): ShownTaxes {
  return taxes.map(({ components, ...tax }) =>
    components === undefined ? tax : { ...tax, components: componentsOfTax(components, tax.tax_amount) },
  )
}
