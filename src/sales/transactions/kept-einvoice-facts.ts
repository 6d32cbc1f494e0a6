import type { InvoiceDetails, InvoiceRow } from '../../engine/ground/invoice-details.ts'

/**
 * What is kept of the view of a sale, in `facts`: no later calculation changes it. A line of one row has the
 * place of its treatment alone, because its amounts are those of the line.
 */
export type KeptEinvoice = Omit<InvoiceDetails, 'lines'> & {
  registration_numbers: (string | null)[]
  lines: KeptLine[]
}

export type KeptLine = number | InvoiceRow[]
