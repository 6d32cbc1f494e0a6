import { COLUMNS } from './columns.ts'
import { cell, dayOfText, groupBy, inDate, type Row } from './rows.ts'
import {
  filled,
  firstOf,
  headOf,
  type Imported,
  type ImportedLine,
  type ImportedSale,
  type ImportOptions,
  productTypeIn,
  readSales,
  unitsOf,
} from './sale.ts'

const CREDITS: ReadonlySet<string> = new Set(['refund', 'credit_note'])

/**
 * Reads an itemized tax report of Stripe: a row for each tax of each line. Throws with row and column if a
 * cell cannot be read.
 */
export function readStripe(csv: string, options: ImportOptions): Imported {
  return readSales(csv, COLUMNS.stripe, options, saleOf)
}

function saleOf(rows: readonly Row[], options: ImportOptions): ImportedSale {
  const first = firstOf(rows)
  const currency = cell(first, 'currency').toUpperCase()
  const credit = CREDITS.has(cell(first, 'type'))
  const vat_id = /(?:eu_vat|gb_vat)\W+([A-Z]{2}\w+)/.exec(cell(first, 'customer_tax_id'))?.[1]
  const head = headOf(first, COLUMNS.stripe, currency, vat_id)
  const sold = cell(first, 'tax_date') === '' ? null : inDate(first, 'tax_date', dayOfText)
  return {
    ...head,
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
  const amount = unitsOf(first, 'subtotal', currency)
  const other = rows.find((row) => unitsOf(row, 'subtotal', currency) !== amount)
  if (other !== undefined)
    throw new Error(`Row ${other.number}, subtotal: differs from the other rows of its line`)
  const tax = rows.reduce((sum, row) => sum + unitsOf(row, 'tax_amount', currency), 0)
  return {
    ...filled({ reference: cell(first, 'line_item_id') }),
    amount: credit ? -Math.abs(amount) : amount,
    product_type: productTypeIn(first, 'tax_code', options),
    tax_behavior: 'exclusive',
    tax_amount: credit ? negative(tax) : tax,
  }
}

/** Zero has no sign. */
function negative(amount: number): number {
  return amount === 0 ? 0 : -Math.abs(amount)
}
