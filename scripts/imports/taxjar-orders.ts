import { minorUnits } from './decimals.ts'
import { cell, dateOfText, type FileFormat, groupBy, inDate, inNumber, type Row, rowsOf } from './rows.ts'
import {
  filled,
  firstOf,
  type Imported,
  type ImportedSale,
  type ImportOptions,
  productTypeOf,
  salesOf,
} from './sale.ts'
import { exempted, exemptionOf } from './taxjar-exemptions.ts'

/** Of the orders template (support.taxjar.com/article/937). Other columns may be left out. */
const COLUMNS = ['order_id', 'completed_at', 'shiptostate', 'shiptocountrycode', 'total_sale', 'sales_tax']

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
  const groups = groupBy(rowsOf(csv, COLUMNS, options.format), (row) => cell(row, 'order_id'))
  return { ...salesOf(groups, (rows) => orderOf(rows, options), options), skipped: [] }
}

function orderOf(rows: readonly Row[], options: ImportOptions): ImportedSale {
  const row = firstOf(rows)
  const [, second] = rows
  if (second !== undefined) throw new Error(`Row ${second.number}, order_id: is already in row ${row.number}`)
  const units = (name: string) => inNumber(row, name, (text) => minorUnits(text || '0', options.currency))
  // As in TaxJar's API, the total has shipping in it and no tax. The page does not say more.
  const shipped = units('shipping_amount') + units('handling_amount')
  const reference = cell(row, 'transaction_reference_id')
  const refund = cell(row, 'transaction_type').toLowerCase() === 'refund'
  const stated = exemptionOf(row, { country: 'shiptocountrycode', state: 'shiptostate' })
  const goods = {
    amount: units('total_sale') - shipped,
    product_type: productTypeOf('', options),
    tax_behavior: 'exclusive' as const,
    tax_amount: units('sales_tax'),
  }
  return {
    external_id: cell(row, 'order_id'),
    currency: options.currency,
    transaction_date: inDate(row, 'completed_at', dateOfText),
    customer: {
      address: {
        country: cell(row, 'shiptocountrycode'),
        ...filled({
          region: cell(row, 'shiptostate'),
          city: cell(row, 'shiptocity'),
          postal_code: cell(row, 'shiptozip'),
        }),
      },
    },
    ...fromOf(row),
    line_items: [exempted(goods, stated.exemption)],
    ...(shipped === 0
      ? {}
      : { shipping_cost: { amount: shipped, tax_behavior: 'exclusive', tax_amount: 0 } }),
    ...(refund && reference !== '' ? { credit_note_for: { external_id: reference } } : {}),
    ...(stated.facilitated ? { marketplace: { role: 'facilitated' } } : {}),
    metadata: { imported_from: 'taxjar' },
  }
}

function fromOf(row: Row): Pick<ImportedSale, 'ship_from'> {
  const country = cell(row, 'from_country')
  if (country === '') return {}
  const place = filled({ region: cell(row, 'from_state'), postal_code: cell(row, 'from_zip') })
  return { ship_from: { country, ...place } }
}
