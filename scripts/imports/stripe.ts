import { cell, dateOfText, dayOfText, groupBy, inCell, inDate, inNumber, type Row, rowsOf } from './rows.ts'
import { minorUnits } from './decimals.ts'
import {
  filled,
  firstOf,
  type Imported,
  type ImportedLine,
  type ImportedSale,
  type ImportOptions,
  productTypeOf,
  salesOf,
} from './sale.ts'

/** Of the report `tax.transactions.itemized.2` (docs.stripe.com/reports/report-types/tax). */
const COLUMNS = [
  'id',
  'line_item_id',
  'type',
  'currency',
  'transaction_date',
  'tax_code',
  'subtotal',
  'tax_amount',
  'destination_resolved_address_country',
]

const CREDITS: ReadonlySet<string> = new Set(['refund', 'credit_note'])

/**
 * Reads an itemized tax report of Stripe: a row for each tax of each line. Throws with row and column if a
 * cell cannot be read.
 */
export function readStripe(csv: string, options: ImportOptions): Imported {
  const groups = groupBy(rowsOf(csv, COLUMNS, options.format), (row) => cell(row, 'id'))
  return { ...salesOf(groups, (rows) => saleOf(rows, options), options), skipped: [] }
}

function saleOf(rows: readonly Row[], options: ImportOptions): ImportedSale {
  const first = firstOf(rows)
  const currency = cell(first, 'currency').toUpperCase()
  const credit = CREDITS.has(cell(first, 'type'))
  const date = inDate(first, 'transaction_date', dateOfText)
  const sold = cell(first, 'tax_date') === '' ? null : inDate(first, 'tax_date', dayOfText)
  const vat_id = /(?:eu_vat|gb_vat)\W+([A-Z]{2}\w+)/.exec(cell(first, 'customer_tax_id'))?.[1]
  return {
    external_id: cell(first, 'id'),
    currency,
    transaction_date: date,
    customer: {
      address: {
        country: cell(first, 'destination_resolved_address_country'),
        ...filled({
          region: cell(first, 'destination_resolved_address_state'),
          city: cell(first, 'destination_resolved_address_city'),
          postal_code: cell(first, 'destination_resolved_address_postal_code'),
        }),
      },
      ...(vat_id === undefined ? {} : { vat_id, type: 'business' as const }),
    },
    line_items: groupBy(rows, (row) => cell(row, 'line_item_id')).map((of) =>
      stripeLine(of, currency, credit, options),
    ),
    ...(credit && sold !== null ? { credit_note_for: { date: sold } } : {}),
    metadata: { imported_from: 'stripe' },
  }
}

/** The rows of a line repeat its price, with one tax each. */
function stripeLine(
  rows: readonly Row[],
  currency: string,
  credit: boolean,
  options: ImportOptions,
): ImportedLine {
  const first = firstOf(rows)
  const units = (row: Row, name: string) => inNumber(row, name, (text) => minorUnits(text || '0', currency))
  const amount = units(first, 'subtotal')
  const other = rows.find((row) => units(row, 'subtotal') !== amount)
  if (other !== undefined)
    throw new Error(`Row ${other.number}, subtotal: differs from the other rows of its line`)
  const tax = rows.reduce((sum, row) => sum + units(row, 'tax_amount'), 0)
  return {
    ...filled({ reference: cell(first, 'line_item_id') }),
    amount: credit ? -Math.abs(amount) : amount,
    product_type: inCell(first, 'tax_code', (code) => productTypeOf(code, options)),
    tax_behavior: 'exclusive',
    tax_amount: credit ? negative(tax) : tax,
  }
}

/** Zero has no sign. */
function negative(amount: number): number {
  return amount === 0 ? 0 : -Math.abs(amount)
}
