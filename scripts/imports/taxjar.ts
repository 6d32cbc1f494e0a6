import { cell, dateOfText, groupBy, inCell, inDate, inNumber, type Row, rowsOf } from './rows.ts'
import { isOrdersTemplate, readOrders } from './taxjar-orders.ts'
import { exempted, exemptionOf } from './taxjar-exemptions.ts'
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

/** Of the line item template (support.taxjar.com/article/928). Other columns may be left out. */
const COLUMNS = [
  'transaction_id',
  'transaction_date',
  'to_country',
  'to_state',
  'to_zip',
  'item_quantity',
  'item_unit_price',
  'item_sales_tax',
]

/**
 * Reads transactions in TaxJar's layout for line items, a row for each line, or in the one for orders. Throws
 * with row and column if a cell cannot be read.
 */
export function readTaxJar(csv: string, options: ImportOptions): Imported {
  if (isOrdersTemplate(csv, options.format)) return readOrders(csv, options)
  const groups = groupBy(rowsOf(csv, COLUMNS, options.format), (row) => cell(row, 'transaction_id'))
  return { ...salesOf(groups, (rows) => saleOf(rows, options), options), skipped: [] }
}

function saleOf(rows: readonly Row[], options: ImportOptions): ImportedSale {
  const first = firstOf(rows)
  const stated = exemptionOf(first, { country: 'to_country', state: 'to_state' })
  const lines = rows.map((row) => exempted(taxjarLine(row, options), stated.exemption))
  const reference = cell(first, 'transaction_reference_id')
  const refund = cell(first, 'transaction_type').toLowerCase() === 'refund'
  const from = cell(first, 'from_country')
  return {
    external_id: cell(first, 'transaction_id'),
    currency: options.currency,
    transaction_date: inDate(first, 'transaction_date', dateOfText),
    customer: {
      address: {
        country: cell(first, 'to_country'),
        ...filled({
          region: cell(first, 'to_state'),
          city: cell(first, 'to_city'),
          postal_code: cell(first, 'to_zip'),
        }),
      },
    },
    ...(from === ''
      ? {}
      : {
          ship_from: {
            country: from,
            ...filled({
              region: cell(first, 'from_state'),
              postal_code: cell(first, 'from_zip'),
            }),
          },
        }),
    line_items: lines,
    ...shippingOf(rows, lines, options),
    ...(refund && reference !== '' ? { credit_note_for: { external_id: reference } } : {}),
    ...(stated.facilitated ? { marketplace: { role: 'facilitated' } } : {}),
    metadata: { imported_from: 'taxjar' },
  }
}

function taxjarLine(row: Row, options: ImportOptions): ImportedLine {
  const quantity = inNumber(row, 'item_quantity', (text) => text || '1')
  const amount = inNumber(row, 'item_unit_price', (text) => minorUnits(text, options.currency, quantity))
  const discount = Math.abs(units(row, 'item_discount', options))
  return {
    ...filled({
      reference: cell(row, 'item_product_identifier'),
      description: cell(row, 'item_description'),
    }),
    amount,
    ...(/^[1-9]\d*$/.test(quantity) ? { quantity: Number(quantity) } : {}),
    product_type: inCell(row, 'item_product_tax_code', (code) => productTypeOf(code, options)),
    ...(discount === 0 ? {} : { discount }),
    tax_behavior: 'exclusive',
    tax_amount: units(row, 'item_sales_tax', options),
  }
}

/** Shipping and handling of the order. Its tax is what the lines leave of the tax of the order. */
function shippingOf(
  rows: readonly Row[],
  lines: readonly ImportedLine[],
  options: ImportOptions,
): Pick<ImportedSale, 'shipping_cost'> {
  const first = firstOf(rows)
  const total = units(first, 'total_shipping', options) + units(first, 'total_handling', options)
  const of = (row: Row) => units(row, 'item_shipping', options) + units(row, 'item_handling', options)
  const amount = total === 0 ? rows.reduce((sum, row) => sum + of(row), 0) : total
  const taxed = lines.reduce((sum, { tax_amount }) => sum + tax_amount, 0)
  const stated = units(first, 'total_sales_tax', options)
  const tax_amount = stated === 0 ? 0 : stated - taxed
  if (amount === 0 && tax_amount !== 0)
    throw new Error(
      `Row ${first.number}, total_sales_tax: differs from the taxes of the lines, and nothing was shipped`,
    )
  return amount === 0 ? {} : { shipping_cost: { amount, tax_behavior: 'exclusive', tax_amount } }
}

function units(row: Row, name: string, { currency }: ImportOptions): number {
  return inNumber(row, name, (text) => minorUnits(text || '0', currency))
}
