import * as z from 'zod'
import { Amount, Timestamp } from '../../platform/http/answers.ts'
import { CalendarDate } from '../../platform/http/fields.ts'
import { CURSOR_ANSWER, cursorField, limitField } from '../../platform/http/page.ts'
import { keysOf } from '../../platform/kit/keys-of.ts'
import { UNION_SCHEMES } from '../../engine/ground/schemes.ts'
import { EvidenceAnswer, PaymentAnswer, RecordedAddress } from '../../sales/transactions/sale/answers.ts'
import { EvidenceStatus } from '../../sales/transactions/sale/schemas.ts'
import { LINE_CURSOR, LineEntryKind, UnitQuantity } from '../rows/line-schemas.ts'
import { SoldKind } from '../rows/sold-kind.ts'

export const UnionScheme = z.enum(UNION_SCHEMES)

export const OssRecordsQuery = z.strictObject({
  scheme: UnionScheme.describe('The one-stop shop'),
  from_date: CalendarDate.describe('The first day, in the time zone of the account'),
  to_date: CalendarDate.describe('The last day, in the time zone of the account'),
  limit: limitField(500, 100),
  cursor: cursorField(LINE_CURSOR),
})
export type OssRecordsQuery = z.output<typeof OssRecordsQuery>

/** An item of the law that a record lacks. */
export const MissingItem = z.strictObject({
  item: z.string().describe('The letter of the item in art. 63c'),
  what: z.string(),
})

/**
 * The record of a supply, or of its change (Implementing Regulation (EU) 282/2011, art. 63c). Amounts are in
 * minor units, negative for what a refund gave back; the rate is a fraction.
 */
export const OssRecord = z.strictObject({
  id: z.string(),
  scheme: UnionScheme,
  entry: LineEntryKind,
  transaction_id: z.string(),
  refund_id: z.string().nullable(),
  member_state: z.string().describe('Item a: the member state of consumption'),
  kind: SoldKind.describe('Item b'),
  product_type: z.string().describe('Item b'),
  description: z.string().nullable().describe('Item b; of a refund its reason'),
  quantity: z.int().nullable().describe('Item b'),
  date: z.iso.date().describe('Item c: the day of the supply, or of the refund'),
  currency: z.string(),
  taxable_amount: Amount.describe('Item d; of a refund the reduction, item e'),
  changes_sale_of: z.string().nullable().describe('Item e: the month of the sale that this entry changes'),
  tax_rate: z.number().describe('Item f'),
  tax_amount: Amount.describe('Item g'),
  payments: z.array(PaymentAnswer).describe('Item h'),
  payments_on_account: z.array(PaymentAnswer).describe('Item i: those before the day of the supply'),
  invoice_number: z.string().nullable().describe('Item j (IOSS: i)'),
  customer_address: RecordedAddress.describe('Item k (IOSS: j): also where the dispatch ends'),
  dispatched_from: RecordedAddress.nullable().describe('Item k (IOSS: j)'),
  evidence: z.array(EvidenceAnswer).describe('Item k: of the place of a customer of services'),
  evidence_status: EvidenceStatus,
  credit_note_number: z.string().nullable().describe('Item l (IOSS: k): of returned goods'),
  order_number: z.string().describe('IOSS item l: your reference, or the id of the transaction'),
  consignment_number: z.string().nullable().describe('IOSS item m'),
  missing: z.array(MissingItem),
  keep_until: z.iso.date().describe('Ten years from the end of the calendar year of the supply'),
  unit_quantity: UnitQuantity,
})
export type OssRecord = z.output<typeof OssRecord>

/** The columns of the CSV file. */
export const OSS_RECORD_COLUMNS = keysOf(OssRecord.shape)

export const OssRecordsAnswer = z.strictObject({
  records: z.array(OssRecord),
  ...CURSOR_ANSWER,
  queried_at: Timestamp,
})
