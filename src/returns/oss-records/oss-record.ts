import { memberStateOf } from '../../engine/regimes/eu-member-states.ts'
import type { UnionScheme } from '../../engine/ground/schemes.ts'
import { evidenceStatus, readSaleContext } from '../../sales/transactions/sale/sale-context.ts'
import type { LineEntry } from '../rows/line-entry.ts'
import { type SoldKind, soldKindOf } from '../rows/sold-kind.ts'
import { unitQuantityOf } from '../rows/unit-quantity.ts'
import type { OssRecord } from './schemas.ts'

/** Records are kept so many years after the year of the supply (2006/112/EC, art. 369, 369k, 369x). */
const YEARS_KEPT = 10

/** The letters of the items that the two paragraphs of art. 63c have in common. */
const LETTERS = {
  ioss: { payments: 'h', invoice: 'i', place: 'j', returns: 'k' },
  other: { payments: 'h', invoice: 'j', place: 'k', returns: 'l' },
} as const

/** A line of the books as the record that art. 63c asks for, with what it lacks. */
export function ossRecordOf(
  entry: LineEntry,
  scheme: UnionScheme,
  credit_note_number: string | null,
): OssRecord {
  const facts = readSaleContext(entry.facts)
  const kind = soldKindOf(entry.product_type)
  const record: Omit<OssRecord, 'missing'> = {
    id: entry.id,
    scheme,
    entry: entry.entry,
    transaction_id: entry.transaction_id,
    refund_id: entry.refund_id,
    member_state: memberStateOf(entry.place_of_supply),
    kind,
    product_type: entry.product_type,
    description: entry.description,
    quantity: entry.quantity,
    date: entry.day,
    currency: entry.currency,
    taxable_amount: entry.taxable_amount,
    changes_sale_of: isChange(entry) ? entry.sold_in : null,
    tax_rate: entry.tax_rate / 1_000_000,
    tax_amount: entry.tax_amount,
    payments: facts.payments,
    payments_on_account: facts.payments.filter(({ date }) => date < entry.day),
    invoice_number: facts.invoice_number,
    customer_address: {
      country: entry.customer_country,
      region: entry.customer_region,
      postal_code: entry.customer_postal_code,
    },
    dispatched_from: facts.ship_from,
    evidence: facts.evidence,
    evidence_status: evidenceStatus(facts.evidence, entry.customer_country),
    credit_note_number,
    order_number: entry.external_id ?? entry.transaction_id,
    consignment_number: facts.consignment_number,
    unit_quantity: unitQuantityOf(entry),
    keep_until: `${Number(entry.sold_in.slice(0, 4)) + YEARS_KEPT}-12-31`,
  }
  return { ...record, missing: missingItems(record, kind) }
}

/** A refund, or a credit note about a sale of an earlier month. */
function isChange({ entry, sold_in, day }: LineEntry): boolean {
  return entry === 'refund' || sold_in !== day.slice(0, 7)
}

function missingItems(record: Omit<OssRecord, 'missing'>, kind: SoldKind): OssRecord['missing'] {
  const letters = record.scheme === 'ioss' ? LETTERS.ioss : LETTERS.other
  const goods = kind === 'goods'
  const sold = record.entry === 'sale'
  const items: [boolean, string, string][] = [
    [
      sold && goods && record.description === null && record.product_type !== 'shipping',
      'b',
      'a description of the goods',
    ],
    [sold && record.payments.length === 0, letters.payments, 'date and amount of the payments'],
    [
      record.invoice_number !== null,
      letters.invoice,
      'name and full address on the invoice: keep the invoice itself',
    ],
    [sold && goods && record.dispatched_from === null, letters.place, 'where the dispatch begins: ship_from'],
    [
      sold && !goods && record.evidence_status !== 'sufficient',
      letters.place,
      'two consistent pieces of evidence for the customer location',
    ],
    [
      !sold && goods && record.credit_note_number === null,
      letters.returns,
      'a proof of the return: credit_note_number of the refund',
    ],
    [
      record.scheme === 'ioss' && sold && record.consignment_number === null,
      'm',
      'the consignment number, if you are directly involved in the delivery',
    ],
  ]
  return items.flatMap(([lacks, item, what]) => (lacks ? [{ item, what }] : []))
}
