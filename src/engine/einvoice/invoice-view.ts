import type { ChargedComponent } from '../book/rate-components.ts'
import type { INVOICE_NEEDS, INVOICE_WARNINGS } from '../ground/invoice-words.ts'
import type { InvoiceCategory, SellerNumber } from '../ground/invoice-details.ts'

/** `lines` counts the lines from 0, the shipping after the last one. */
export type Finding = { code: (typeof INVOICE_WARNINGS)[number]; message: string; lines: number[] }

/** What an invoice says of one treatment. `rate_percent` is decimal; null for O, and without a category. */
export type TreatmentView = {
  category: InvoiceCategory | null
  rate_percent: string | null
  exemption_code: string | null
  exemption_text: string | null
  text_language: string | null
  text_source: 'confirmed' | 'unconfirmed' | 'request' | null
}

/** Amounts in minor units. */
export type RowView = TreatmentView & { taxable_amount: number; tax_amount: number }
type OriginView = Omit<TreatmentView, 'rate_percent'> & { jurisdiction_id: string }
export type LineRowView = RowView & {
  at_origin: OriginView | null
  /** What each tax that the rate is made of has of the tax. Left out: it is one tax. */
  components?: readonly ChargedComponent[]
  /** The numbers of the seller that go with it, as places in `seller_registrations`. */
  seller_registrations: readonly number[]
}

export type NumberView = SellerNumber & { registration_number: string | null }

export type InvoiceView = {
  language: string
  tax_scheme: 'VAT' | 'GST' | null
  breakdown: RowView[]
  seller_registrations: NumberView[]
  requires: (typeof INVOICE_NEEDS)[number][]
  warnings: Finding[]
}
