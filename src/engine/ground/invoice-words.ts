/** The languages that a request may ask for: the official ones of the Union. */
export const INVOICE_LANGUAGES = [
  'bg',
  'cs',
  'da',
  'de',
  'el',
  'en',
  'es',
  'et',
  'fi',
  'fr',
  'ga',
  'hr',
  'hu',
  'it',
  'lt',
  'lv',
  'mt',
  'nl',
  'pl',
  'pt',
  'ro',
  'sk',
  'sl',
  'sv',
] as const
export type InvoiceLanguage = (typeof INVOICE_LANGUAGES)[number]

/** Where a text comes from: read in a source, not read by a speaker yet, or given by the request. */
export const TEXT_SOURCES = ['confirmed', 'unconfirmed', 'request'] as const

/** Business terms of EN 16931 for numbers of the seller. */
export const INVOICE_TERMS = ['BT-30', 'BT-31', 'BT-32'] as const
export type InvoiceTerm = (typeof INVOICE_TERMS)[number]

/** What stands between a view and a right invoice. */
export const INVOICE_WARNINGS = [
  'split_invoice',
  'split_line',
  'several_exemptions',
  'not_registered',
  'foreign_tax',
  'reason_unknown',
  'third_party_discount',
  'tax_differs',
  'credit_unknown',
  'second_tax',
  'registration_unknown',
  'line_rounding',
  'not_kept',
] as const

/** What an invoice needs beside its view: BR-AE-02, BR-IC-02, BR-IC-11, BR-IC-12. */
export const INVOICE_NEEDS = ['buyer_vat_id', 'delivery_date', 'delivery_country'] as const
