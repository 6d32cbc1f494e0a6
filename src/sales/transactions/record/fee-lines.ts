import { newId } from '../../../platform/database/ids.ts'
import { FEE_LINE } from '../sale/fees.ts'
import type { LineRow } from '../sale/rows.ts'
import type { SaleToRecord } from './sale-to-record.ts'

/** The fees of a sale as lines without a price: their tax is the fee. They follow the lines of the sale. */
export function feeLines({ id, body, book, fees }: SaleToRecord): LineRow[] {
  return fees.map(({ jurisdiction_id, tax_amount }, index) => ({
    transaction_id: id,
    position: body.line_items.length + index,
    id: newId('li'),
    amount: 0,
    quantity: 1,
    product_type: FEE_LINE,
    description: book.delivery_fees.get(jurisdiction_id)?.at(-1)?.name ?? null,
    taxable: 1,
    net_amount: 0,
    taxable_amount: 0,
    uncollected_amount: 0,
    tax_rate: 0,
    tax_amount,
    provincial_tax_amount: 0,
    taxability_reason: null,
    reason_detail: null,
    place_of_supply: jurisdiction_id,
    scheme: '',
    tax_breakdown: breakdownOfFee(jurisdiction_id, tax_amount),
    opens_product: index === 0 ? 1 : 0,
    exemption: '',
    portions: null,
  }))
}

function breakdownOfFee(jurisdiction_id: string, tax_amount: number): string {
  const tax_type = 'RETAIL_DELIVERY_FEE'
  const entry = { jurisdiction_id, tax_type, levied_as: null, category: 'standard', rate: 0 }
  return JSON.stringify([{ ...entry, taxable_amount: 0, tax_amount }])
}
