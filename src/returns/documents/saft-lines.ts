import { minorDigits } from '../../engine/book/minor-digits.ts'
import { memberStateOf } from '../../engine/regimes/eu-member-states.ts'
import { readSaleContext } from '../../sales/transactions/sale/sale-context.ts'
import { csvParts } from '../../platform/kit/csv.ts'
import { mapInTurns } from '../../platform/kit/map-in-turns.ts'
import { FILING_TYPES } from '../forms/forms.ts'
import type { LineEntry } from '../rows/line-entry.ts'
import { soldKindOf } from '../rows/sold-kind.ts'
import { unitQuantityOf } from '../rows/unit-quantity.ts'
import type { DocumentNumbers } from './document-numbers-store.ts'
import { decimalOf, type DocumentFormat, type Missing } from './format.ts'

const COLUMNS = [
  'InvoiceNo',
  'InvoiceType',
  'InvoiceDate',
  'SystemEntryDate',
  'TaxPointDate',
  'CustomerID',
  'CustomerTaxID',
  'CustomerCountry',
  'LineNumber',
  'Reference',
  'ProductCode',
  'ProductDescription',
  'Quantity',
  'DebitAmount',
  'CreditAmount',
  'CurrencyCode',
  'TaxType',
  'TaxCountryRegion',
  'TaxCode',
  'TaxPercentage',
  'TaxAmount',
  'TaxExemptionReason',
] as const

/**
 * The lines of sales in the names of SAF-T's SalesInvoices (OECD, version 2.0), as a table. A national file
 * needs more than sales, so this is a source for one, not the file itself.
 */
export const saftLinesCsv = {
  format: 'saft_lines_csv',
  types: FILING_TYPES,
  needs_lines: true,
  needs_numbers: true,
  mergeBy: null,
  media_type: 'text/csv',
  extension: 'csv',
  layout: {
    status: 'unverified',
    source: 'OECD, Guidance for the Standard Audit File – Tax, version 2.0, SourceDocuments / SalesInvoices',
    source_url: 'https://www.oecd.org/ctp/administration/45045602.pdf',
  },
  async write({ lines, numbers }, _details, missing) {
    const counted = new Map<string, number>()
    return csvParts(COLUMNS, await mapInTurns(lines, (line) => rowOf(line, numbers, counted, missing)))
  },
} as const satisfies DocumentFormat

function rowOf(line: LineEntry, numbers: DocumentNumbers, counted: Map<string, number>, missing: Missing) {
  const { invoice_number } = readSaleContext(line.facts)
  if (invoice_number === null)
    missing.add(`transactions.${line.transaction_id}`, 'has no invoice_number, which SAF-T requires')
  if (minorDigits(line.currency) !== 2)
    missing.add(
      `transactions.${line.transaction_id}`,
      `is in ${line.currency}, which has not two decimal places`,
    )
  const { document, type, reference } = documentOf(line, invoice_number ?? '', numbers)
  const number = (counted.get(document) ?? 0) + 1
  counted.set(document, number)
  const { reason, region } = byLawOfSeller(line)
  const money = (amount: number, side: boolean) => (side ? decimalOf(Math.abs(amount)) : null)
  return {
    InvoiceNo: document,
    InvoiceType: type,
    InvoiceDate: line.day,
    SystemEntryDate: line.recorded_at,
    TaxPointDate: line.day,
    CustomerID: line.customer_id,
    CustomerTaxID: line.customer_vat_id,
    CustomerCountry: line.customer_country,
    LineNumber: number,
    Reference: reference,
    ProductCode: line.product_type,
    ProductDescription: line.description,
    Quantity: unitQuantityOf(line) ?? line.quantity,
    DebitAmount: money(line.net_amount, line.net_amount < 0),
    CreditAmount: money(line.net_amount, line.net_amount >= 0),
    CurrencyCode: line.currency,
    TaxType: 'VAT',
    TaxCountryRegion: region,
    TaxCode: line.tax_rate === 0 ? 'EXE' : line.reason === 'reduced_rated' ? 'RED' : 'STD',
    TaxPercentage: decimalOf(Math.round(line.tax_rate / 100)),
    TaxAmount: decimalOf(Math.abs(line.tax_amount)),
    TaxExemptionReason: line.tax_rate === 0 ? reason : null,
  }
}

/** The document of a line: an invoice (FT), or a credit note (NC) that names the invoice. */
function documentOf(
  { entry, refund_id, transaction_id }: LineEntry,
  invoice_number: string,
  { credit_notes, credited }: DocumentNumbers,
): { document: string; type: 'FT' | 'NC'; reference: string | null } {
  if (entry === 'refund') {
    const id = refund_id ?? ''
    return { document: credit_notes.get(id) ?? id, type: 'NC', reference: invoice_number }
  }
  const reference = credited.get(transaction_id)
  const type = reference === undefined ? 'FT' : 'NC'
  return { document: invoice_number, type, reference: reference ?? null }
}

/**
 * Why a line has no tax, and where, by the law of the seller. The books have the reason of the place of
 * supply: that of an export or of a service that is supplied abroad may be a place without a registration.
 */
function byLawOfSeller(line: LineEntry): { reason: string; region: string } {
  const { tax_rate, reason, place_of_supply, exported_to } = line
  const recorded = { reason, region: place_of_supply }
  if (tax_rate !== 0) return recorded
  if (exported_to !== '' && reason !== 'export') return { reason: 'export', region: exported_to }
  const { einvoice } = readSaleContext(line.facts)
  const outside = einvoice?.treatments.some(({ category, text }) =>
    category === 'O' ? text?.key === 'outside_scope' : category === 'G',
  )
  if (einvoice === undefined || outside !== true || soldKindOf(line.product_type) === 'goods') return recorded
  const is_home = memberStateOf(place_of_supply) === einvoice.country
  return is_home ? recorded : { reason: 'not_subject_to_tax', region: einvoice.country }
}
