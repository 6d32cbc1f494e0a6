import { COLUMNS } from './columns.ts'
import { type FileFormat, type Row, rowsOf } from './rows.ts'
import {
  firstOf,
  headOf,
  type Imported,
  type ImportedSale,
  type ImportOptions,
  productTypeOf,
  readSales,
  unitsOf,
} from './sale.ts'
import { endOf, exempted, exemptionOf } from './taxjar-exemptions.ts'

/** Whether a file has a row for each order, not for each line. */
export function isOrdersTemplate(csv: string, format: FileFormat): boolean {
  const [header = ''] = csv.split(/\r?\n/, 1)
  return rowsOf(`${header}\n${header}`, [], format).some(({ cells }) => 'order_id' in cells)
}

/**
 * Reads a file with a row for each order. Its goods are one line: their product types are not in the file.
 * Throws with row and column if a cell cannot be read.
 */
export function readOrders(csv: string, options: ImportOptions): Imported {
  return readSales(csv, COLUMNS.taxjar_orders, options, orderOf)
}

function orderOf(rows: readonly Row[], options: ImportOptions): ImportedSale {
  const row = firstOf(rows)
  const [, second] = rows
  if (second !== undefined) throw new Error(`Row ${second.number}, order_id: is already in row ${row.number}`)
  const units = (name: string) => unitsOf(row, name, options.currency)
  // As in TaxJar's API, the total has shipping in it and no tax. The page does not say more.
  const shipped = units('shipping_amount') + units('handling_amount')
  const stated = exemptionOf(row, COLUMNS.taxjar_orders)
  const goods = {
    amount: units('total_sale') - shipped,
    product_type: productTypeOf('', options),
    tax_behavior: 'exclusive' as const,
    tax_amount: units('sales_tax'),
  }
  return {
    ...headOf(row, COLUMNS.taxjar_orders, options.currency),
    line_items: [exempted(goods, stated.exemption)],
    ...(shipped === 0
      ? {}
      : { shipping_cost: { amount: shipped, tax_behavior: 'exclusive', tax_amount: 0 } }),
    ...endOf(row, stated),
  }
}
