import { COLUMNS } from './columns.ts'
import { cell, inNumber, type Row } from './rows.ts'
import { isOrdersTemplate, readOrders } from './taxjar-orders.ts'
import { endOf, exempted, exemptionOf } from './taxjar-exemptions.ts'
import { minorUnits } from './decimals.ts'
import {
  filled,
  firstOf,
  headOf,
  type Imported,
  type ImportedLine,
  type ImportedSale,
  type ImportOptions,
  productTypeIn,
  quantityOf,
  readSales,
  unitsOf,
} from './sale.ts'

/**
 * Reads transactions in TaxJar's layout for line items, a row for each line, or in the one for orders. Throws
 * with row and column if a cell cannot be read.
 */
export function readTaxJar(csv: string, options: ImportOptions): Imported {
  if (isOrdersTemplate(csv, options.format)) return readOrders(csv, options)
  return readSales(csv, COLUMNS.taxjar, options, saleOf)
}

function saleOf(rows: readonly Row[], options: ImportOptions): ImportedSale {
  const first = firstOf(rows)
  const stated = exemptionOf(first, COLUMNS.taxjar)
  const lines = rows.map((row) => exempted(taxjarLine(row, options), stated.exemption))
  return {
    ...headOf(first, COLUMNS.taxjar, options.currency),
    line_items: lines,
    ...shippingOf(rows, lines, options),
    ...endOf(first, stated),
  }
}

function taxjarLine(row: Row, options: ImportOptions): ImportedLine {
  const quantity = inNumber(row, 'item_quantity', (text) => text || '1')
  const amount = inNumber(row, 'item_unit_price', (text) => minorUnits(text, options.currency, quantity))
  const discount = Math.abs(unitsOf(row, 'item_discount', options.currency))
  return {
    ...filled({
      reference: cell(row, 'item_product_identifier'),
      description: cell(row, 'item_description'),
    }),
    amount,
    ...quantityOf(quantity),
    product_type: productTypeIn(row, 'item_product_tax_code', options),
    ...(discount === 0 ? {} : { discount }),
    tax_behavior: 'exclusive',
    tax_amount: unitsOf(row, 'item_sales_tax', options.currency),
  }
}

/** Shipping and handling of the order. Its tax is what the lines leave of the tax of the order. */
function shippingOf(
  rows: readonly Row[],
  lines: readonly ImportedLine[],
  options: ImportOptions,
): Pick<ImportedSale, 'shipping_cost'> {
  const first = firstOf(rows)
  const total =
    unitsOf(first, 'total_shipping', options.currency) + unitsOf(first, 'total_handling', options.currency)
  const of = (row: Row) =>
    unitsOf(row, 'item_shipping', options.currency) + unitsOf(row, 'item_handling', options.currency)
  const amount = total === 0 ? rows.reduce((sum, row) => sum + of(row), 0) : total
  const taxed = lines.reduce((sum, { tax_amount }) => sum + tax_amount, 0)
  const stated = unitsOf(first, 'total_sales_tax', options.currency)
  const tax_amount = stated === 0 ? 0 : stated - taxed
  if (amount === 0 && tax_amount !== 0)
    throw new Error(
      `Row ${first.number}, total_sales_tax: differs from the taxes of the lines, and nothing was shipped`,
    )
  return amount === 0 ? {} : { shipping_cost: { amount, tax_behavior: 'exclusive', tax_amount } }
}
