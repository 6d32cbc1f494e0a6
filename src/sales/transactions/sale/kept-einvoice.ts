import type { InvoiceDetails, InvoiceRow } from '../../../engine/ground/invoice-details.ts'

/**
 * What is kept of the view of a sale, in `facts`: no later calculation changes it. A line of one row has the
 * place of its treatment alone, because its amounts are those of the line.
 */
export type KeptEinvoice = Omit<InvoiceDetails, 'lines'> & {
  registration_numbers: (string | null)[]
  lines: KeptLine[]
}

export type KeptLine = number | InvoiceRow[]

export type RowAmounts = { net_amount: number; taxable_amount: number; tax_amount: number }

/** The base of what is taken off. It is larger than the price if a third party paid a part of it. */
export function baseOf({ net_amount, taxable_amount }: RowAmounts): number {
  return Math.abs(taxable_amount) > Math.abs(net_amount) ? taxable_amount : net_amount
}
