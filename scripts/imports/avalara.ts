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
  quantityOf,
  rowsIn,
  salesOf,
  unitsOf,
} from './sale.ts'

/** Invoices for sales and for returns. Orders, purchases and transfers are no sales. */
const INVOICES: ReadonlySet<string> = new Set(['1', '5'])
const VOID = '0'

/** The parts of a tax, if the file has no total. */
const PARTS = ['country', 'state', 'county', 'city', 'other1', 'other2', 'other3', 'other4'].map(
  (part) => `${part}tax`,
)

/**
 * Reads transactions in AvaTax's layout: a row for each line. Orders, purchases and void documents are
 * skipped. Throws with row and column if a cell cannot be read.
 */
export function readAvalara(csv: string, options: ImportOptions): Imported {
  const rows = rowsIn(csv, COLUMNS.avalara, options)
  const reasons = rows.map((row) => reasonToSkip(row))
  const kept = rows.filter((_, index) => reasons[index] === null)
  const groups = groupBy(kept, (row) => `${cell(row, 'doctype')} ${cell(row, 'doccode')}`)
  return {
    ...salesOf(groups, (of) => saleOf(of, options), options),
    skipped: rows.flatMap(({ number }, index) => {
      const reason = reasons[index] ?? null
      return reason === null ? [] : [{ row: number, reason }]
    }),
  }
}

function reasonToSkip(row: Row): string | null {
  if (cell(row, 'processcode') === VOID) return 'the document is void'
  // A row that cannot be read is no reason to leave out its document in silence.
  if (row.fault !== null) return null
  const type = cell(row, 'doctype')
  return INVOICES.has(type) ? null : `DocType ${type} is no invoice for a sale`
}

function saleOf(rows: readonly Row[], options: ImportOptions): ImportedSale {
  const first = firstOf(rows)
  const currency = cell(first, 'currencycode') || options.currency
  const reference = cell(first, 'referencecode')
  const returned = cell(first, 'doctype') === '5'
  const sold = cell(first, 'taxdate') === '' ? null : inDate(first, 'taxdate', dayOfText)
  return {
    ...headOf(first, COLUMNS.avalara, currency, cell(first, 'buyersvatno')),
    line_items: rows.map((row) => avalaraLine(row, currency, options)),
    ...(returned ? creditOf(reference, sold) : {}),
    metadata: { imported_from: 'avalara' },
  }
}

/** A return names its invoice, or has the day of the sale as its tax date. */
function creditOf(reference: string, sold: string | null): Pick<ImportedSale, 'credit_note_for'> {
  if (reference !== '') return { credit_note_for: { external_id: reference } }
  return sold === null ? {} : { credit_note_for: { date: sold } }
}

function avalaraLine(row: Row, currency: string, options: ImportOptions): ImportedLine {
  const units = (name: string) => unitsOf(row, name, currency)
  if (units('discount') !== 0)
    throw new Error(`Row ${row.number}, Discount: is not read. Give the amount after the discount`)
  return {
    ...filled({ reference: cell(row, 'lineno'), description: cell(row, 'description') }),
    amount: units('amount'),
    ...quantityOf(cell(row, 'qty')),
    product_type: productTypeIn(row, 'taxcode', options),
    tax_behavior: isTrue(cell(row, 'taxincluded')) ? 'inclusive' : 'exclusive',
    tax_amount: taxOf(row, units),
  }
}

function taxOf(row: Row, units: (name: string) => number): number {
  if (cell(row, 'totaltax') !== '') return units('totaltax')
  if (PARTS.every((name) => cell(row, name) === ''))
    throw new Error(`Row ${row.number}, TotalTax: is empty, and so are its parts`)
  return PARTS.reduce((sum, name) => sum + units(name), 0)
}

function isTrue(text: string): boolean {
  return ['true', '1', 'yes', 'y'].includes(text.toLowerCase())
}
