import { minorDigits } from '../../engine/book/minor-digits.ts'
import { readSaleContext } from '../../sales/transactions/sale-context.ts'
import { csvOf } from '../reports/csv.ts'
import { FILING_TYPES } from '../filing/forms.ts'
import type { LineEntry } from '../reports/line-entry.ts'
import { unitQuantityOf } from '../reports/unit-quantity.ts'
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
  mergeBy: null,
  media_type: 'text/csv',
  extension: 'csv',
  layout: {
    status: 'unverified',
    source: 'OECD, Guidance for the Standard Audit File – Tax, version 2.0, SourceDocuments / SalesInvoices',
    source_url: 'https://www.oecd.org/ctp/administration/45045602.pdf',
  },
  write({ lines }, _details, missing) {
    const numbers = new Map<string, number>()
    return csvOf(
      COLUMNS,
      lines.map((line) => rowOf(line, numbers, missing)),
      true,
    )
  },
} as const satisfies DocumentFormat

function rowOf(line: LineEntry, numbers: Map<string, number>, missing: Missing) {
  const sold = line.entry === 'sale'
  const { invoice_number } = readSaleContext(line.facts)
  if (invoice_number === null)
    missing.add(`transactions.${line.transaction_id}`, 'has no invoice_number, which SAF-T requires')
  if (minorDigits(line.currency) !== 2)
    missing.add(
      `transactions.${line.transaction_id}`,
      `is in ${line.currency}, which has not two decimal places`,
    )
  const document = sold ? (invoice_number ?? '') : (line.refund_id ?? '')
  const number = (numbers.get(document) ?? 0) + 1
  numbers.set(document, number)
  const money = (amount: number, side: boolean) => (side ? decimalOf(Math.abs(amount)) : null)
  return {
    InvoiceNo: document,
    InvoiceType: sold ? 'FT' : 'NC',
    InvoiceDate: line.day,
    SystemEntryDate: line.recorded_at,
    TaxPointDate: line.day,
    CustomerID: line.customer_id,
    CustomerTaxID: line.customer_vat_id,
    CustomerCountry: line.customer_country,
    LineNumber: number,
    Reference: sold ? null : invoice_number,
    ProductCode: line.product_type,
    ProductDescription: line.description,
    Quantity: unitQuantityOf(line) ?? line.quantity,
    DebitAmount: money(line.net_amount, line.net_amount < 0),
    CreditAmount: money(line.net_amount, line.net_amount >= 0),
    CurrencyCode: line.currency,
    TaxType: 'VAT',
    TaxCountryRegion: line.place_of_supply,
    TaxCode: line.tax_rate === 0 ? 'EXE' : line.reason === 'reduced_rated' ? 'RED' : 'STD',
    TaxPercentage: decimalOf(Math.round(line.tax_rate / 100)),
    TaxAmount: decimalOf(Math.abs(line.tax_amount)),
    TaxExemptionReason: line.tax_rate === 0 ? line.reason : null,
  }
}
