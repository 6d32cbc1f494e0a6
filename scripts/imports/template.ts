import { COLUMNS } from './columns.ts'
import { requireType } from './product-type.ts'
import { cell, inCell, type Row } from './rows.ts'
import {
  filled,
  firstOf,
  headOf,
  type Imported,
  type ImportedLine,
  type ImportedSale,
  type ImportOptions,
  quantityOf,
  readSales,
  unitsOf,
} from './sale.ts'

const HEAD =
  'id,date,currency,country,region,postal_code,city,vat_id,reference,description,product_type,quantity,' +
  'amount,tax_amount,credit_note_for,ship_from_country,ship_from_region,ship_from_postal_code,ship_from_city'

/** Our own layout with two sales and a credit note: a row for each line. */
export const TEMPLATE = `${HEAD}
A-1001,2026-03-02,EUR,DE,,10115,Berlin,,1,Desk lamp,physical_goods,2,100.00,19.00,,DE,,20095,Hamburg
A-1001,2026-03-02,EUR,DE,,10115,Berlin,,2,Guide to lamps,books,1,20.00,1.40,,DE,,20095,Hamburg
A-1002,2026-03-05,USD,US,CA,90012,Los Angeles,,1,"Planner, one year",saas,1,96.00,0.00,,,,,
A-1001-C,2026-03-09,EUR,DE,,10115,Berlin,,1,Returned,physical_goods,1,-50.00,-9.50,A-1001,DE,,20095,Hamburg
`

/**
 * Reads a file in the layout of our template. Amounts are for the whole line, without tax. Throws with row
 * and column if a cell cannot be read.
 */
export function readTemplate(csv: string, options: ImportOptions): Imported {
  return readSales(csv, COLUMNS.template, options, saleOf)
}

function saleOf(rows: readonly Row[]): ImportedSale {
  const first = firstOf(rows)
  refuseDifferences(first, rows)
  const currency = cell(first, 'currency').toUpperCase()
  const credited = cell(first, 'credit_note_for')
  return {
    ...headOf(first, COLUMNS.template, currency, cell(first, 'vat_id')),
    line_items: rows.map((row) => lineOf(row, currency)),
    ...(credited === '' ? {} : { credit_note_for: { external_id: credited } }),
    metadata: { imported_from: 'csv' },
  }
}

/** What a sale has once. */
const ONCE = [
  'currency',
  'vat_id',
  'credit_note_for',
  COLUMNS.template.date,
  ...COLUMNS.template.to,
  ...COLUMNS.template.from,
]

/** Throws if two rows of a sale do not agree. A later row may leave out what the first one says. */
function refuseDifferences(first: Row, rows: readonly Row[]): void {
  for (const row of rows)
    for (const name of ONCE) {
      const [said, differs] = [cell(first, name), cell(row, name)]
      if (differs !== '' && differs !== said)
        throw new Error(
          `Row ${row.number}, ${name}: "${differs}" is not "${said}", as on row ${first.number} of the sale`,
        )
    }
}

function lineOf(row: Row, currency: string): ImportedLine {
  for (const name of ['amount', 'tax_amount'])
    if (cell(row, name) === '') throw new Error(`Row ${row.number}, ${name}: is empty`)
  return {
    ...filled({ reference: cell(row, 'reference'), description: cell(row, 'description') }),
    amount: unitsOf(row, 'amount', currency),
    ...quantityOf(cell(row, 'quantity')),
    product_type: inCell(row, 'product_type', (text) => requireType(text)),
    tax_behavior: 'exclusive',
    tax_amount: unitsOf(row, 'tax_amount', currency),
  }
}
