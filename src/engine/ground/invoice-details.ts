import type { InvoiceTerm } from './invoice-words.ts'
import type { SchemeId } from './schemes.ts'

/** The standards that regimes follow. `gb` is EN 16931 without the exemption codes of the Union. */
const INVOICE_STANDARDS = ['eu', 'gb', 'pint_anz'] as const
export type InvoiceStandard = (typeof INVOICE_STANDARDS)[number]

/** Categories of UNCL5305 that this service gives (BT-118, BT-151). */
export const INVOICE_CATEGORIES = ['S', 'Z', 'E', 'AE', 'K', 'G', 'O'] as const
export type InvoiceCategory = (typeof INVOICE_CATEGORIES)[number]

const INVOICE_TEXTS = [
  'reverse_charge',
  'intra_community_supply',
  'export',
  'outside_scope',
  'no_supply',
  'exempt',
  'small_business',
] as const

/** Which sentence an invoice needs (BT-120). */
export type InvoiceText = {
  key: (typeof INVOICE_TEXTS)[number]
  /** The country whose own sentence comes first; null: the general one. */
  country: string | null
  /** The article that is added to the sentence. Left out: none. */
  article?: string
}

/** Why a part has no category, or what is missing beside it. */
type TreatmentWarning =
  | 'not_registered'
  | 'foreign_tax'
  | 'reason_unknown'
  | 'third_party_discount'
  | 'tax_differs'
  | 'credit_unknown'
  | 'not_kept'

/** What an invoice says of a part of a line, beside its amounts. */
export type InvoiceTreatment = {
  /** Null: no standard has a category for it. */
  category: InvoiceCategory | null
  /** Null for O, and without a category. */
  rate_millionths: number | null
  /** The rate of a second tax, for which the standard has no category. Left out: there is none. */
  second_rate_millionths?: number
  /** The taxes that the rate is made of. Left out: it is one tax. */
  made_of?: string
  /** VATEX (BT-121). */
  code: string | null
  text: InvoiceText | null
  /** The reason in the caller's own words, which goes before `text`. */
  stated_reason: string | null
  /** Null: nothing has to be said. */
  warning: TreatmentWarning | null
  /** What the law of the origin says of a supply that another place taxes; null: nothing. */
  at_origin: OriginTreatment | null
  /** Which numbers of the seller go with it, as places in `numbers` of the sale. */
  numbers: readonly number[]
}

export type OriginTreatment = {
  category: InvoiceCategory
  code: string | null
  text: InvoiceText | null
  jurisdiction_id: string
}

/** A number of the seller that goes with a sale. */
export type SellerNumber = {
  /** The place that gave it; null: a scheme without a place of its own. */
  jurisdiction_id: string | null
  scheme: SchemeId | null
  /** Where the document has it; null: it has no field for it, or the number is not printed. */
  term: InvoiceTerm | null
  printed: boolean
}

/** A part of a line with one treatment, as a place in `treatments` of the sale. Amounts in minor units. */
export type InvoiceRow = { treatment: number; taxable_amount: number; tax_amount: number }

/** What an invoice of a sale needs to know, in no language. */
export type InvoiceDetails = {
  tax_scheme: 'VAT' | 'GST' | null
  /** The country whose law the invoice follows: the first choice of a language. */
  country: string
  treatments: readonly InvoiceTreatment[]
  numbers: readonly SellerNumber[]
  /** The rows of each line, the shipping last. */
  lines: readonly (readonly InvoiceRow[])[]
}
