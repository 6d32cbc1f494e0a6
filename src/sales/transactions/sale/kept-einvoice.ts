import { at } from '../../../engine/ground/invariant.ts'
import type { InvoiceDetails, InvoiceRow, InvoiceTreatment } from '../../../engine/ground/invoice-details.ts'

/**
 * What is kept of the view of a sale, in `facts`: no later calculation changes it. A line of one row has the
 * place of its treatment alone, because its amounts are those of the line.
 */
export type KeptEinvoice = Omit<InvoiceDetails, 'lines'> & {
  registration_numbers: (string | null)[]
  lines: KeptLine[]
}

export type KeptLine = number | InvoiceRow[]

export type RowAmounts = {
  net_amount: number
  taxable_amount: number
  tax_amount: number
  provincial_tax_amount: number
}

/** The rate of a line that has a treatment, with that of a second tax. Millionths. */
export function rateOfTreatment({ rate_millionths, second_rate_millionths = 0 }: InvoiceTreatment): number {
  return (rate_millionths ?? 0) + second_rate_millionths
}

/** The row of what has one treatment: a second tax is in no row. */
export function rowOf(
  treatments: readonly InvoiceTreatment[],
  treatment: number,
  amounts: RowAmounts,
): InvoiceRow {
  const { tax_amount, provincial_tax_amount } = amounts
  const second = at(treatments, treatment).second_rate_millionths === undefined ? 0 : provincial_tax_amount
  return { treatment, taxable_amount: baseOf(amounts), tax_amount: tax_amount - second }
}

/** The base of what is taken off. It is larger than the price if a third party paid a part of it. */
function baseOf({ net_amount, taxable_amount }: Pick<RowAmounts, 'net_amount' | 'taxable_amount'>): number {
  return Math.abs(taxable_amount) > Math.abs(net_amount) ? taxable_amount : net_amount
}
