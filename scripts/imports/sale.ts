import { CODES } from '../../src/tax-data/product-codes/code-list.ts'
import type { Columns } from './columns.ts'
import { minorUnits } from './decimals.ts'
import {
  cell,
  dateOfText,
  type FileFormat,
  groupBy,
  inCell,
  inDate,
  inNumber,
  type Row,
  rowsOf,
} from './rows.ts'

/** A line with its tax, as `POST /v1/transactions` takes it. Amounts in minor units. */
export type ImportedLine = {
  reference?: string
  amount: number
  quantity?: number
  product_type: string
  description?: string
  discount?: number
  exemption?: { exemption_type: 'resale' | 'government' | 'other'; jurisdictions: string[] }
  tax_behavior: 'exclusive' | 'inclusive'
  tax_amount: number
}

type Place = { country: string; region?: string; city?: string; postal_code?: string; line1?: string }

/** A sale or a credit note, as `POST /v1/transactions` takes it. */
export type ImportedSale = {
  external_id: string
  currency: string
  transaction_date: string
  customer: {
    address: Place
    vat_id?: string
    type?: 'business'
  }
  ship_from?: Place
  line_items: ImportedLine[]
  shipping_cost?: { amount: number; tax_behavior: 'exclusive'; tax_amount: number }
  credit_note_for?: { external_id: string } | { date: string }
  marketplace?: { role: 'facilitated' }
  metadata: { imported_from: string }
}

/** A row, or a sale that begins there, and what is said of it. */
export type LeftOut = { row: number; reason: string }

/**
 * The sales of a file with their rows, the rows that are no sale, and the documents that cannot be recorded.
 * `notes` are of sales that are recorded.
 */
export type Imported = {
  sales: ImportedSale[]
  rows: ReadonlyMap<ImportedSale, readonly Row[]>
  skipped: LeftOut[]
  bad: (LeftOut & { rows: readonly Row[] })[]
  notes: LeftOut[]
}

export type ImportOptions = {
  /** For files that name no currency. */
  currency: string
  /** For codes that we do not map. Null: such a code is an error. */
  product_type: string | null
  /** Product types of the caller for codes, before ours. */
  map: ReadonlyMap<string, string>
  /** Whether to leave out a document with a row that cannot be read, with all its rows. Else: an error. */
  skip_bad_rows: boolean
  format: FileFormat
}

/** The rows of a file. Throws if a column of its layout is missing. */
export function rowsIn(csv: string, { required }: Columns, { format }: ImportOptions): Row[] {
  return rowsOf(csv, required.split(/\s+/), format)
}

/** Reads a file whose rows with the same id are a sale. */
export function readSales(
  csv: string,
  columns: Columns,
  options: ImportOptions,
  saleOf: (rows: readonly Row[], options: ImportOptions) => ImportedSale,
): Imported {
  // Rows without an id are no sale together.
  const groups = groupBy(rowsIn(csv, columns, options), (row) => cell(row, columns.id) || `\0${row.number}`)
  return { ...salesOf(groups, (rows) => saleOf(rows, options), options), skipped: [] }
}

/** Reads a sale of each group of rows. Throws for a row that cannot be read, unless it may be left out. */
export function salesOf(
  groups: readonly Row[][],
  read: (rows: readonly Row[]) => ImportedSale,
  { skip_bad_rows }: ImportOptions,
): Omit<Imported, 'skipped'> {
  const documents = new Map<ImportedSale, readonly Row[]>()
  const bad: Imported['bad'] = []
  for (const rows of groups)
    try {
      const faulty = rows.find(({ fault }) => fault !== null)
      if (faulty !== undefined) throw new Error(`Row ${faulty.number}: ${faulty.fault}`)
      documents.set(read(rows), rows)
    } catch (error) {
      if (!skip_bad_rows || !(error instanceof Error)) throw error
      bad.push({ row: firstOf(rows).number, reason: error.message, rows })
    }
  return { sales: [...documents.keys()], rows: documents, bad, notes: [] }
}

/** Our product type for a code of the other service. '' is goods without a code. Throws for unknown codes. */
export function productTypeOf(code: string, { map, product_type }: ImportOptions): string {
  if (code === '') return map.get('') ?? product_type ?? 'physical_goods'
  const known = map.get(code) ?? CODES.get(code)?.product_type ?? product_type
  if (known === null)
    throw new Error(
      `the code ${code} is not mapped: give --map with it, or --product-type for all such codes`,
    )
  return known
}

/** What a sale has once, on its first row. `vat_id`: '' for none. */
export function headOf(
  row: Row,
  { id, date, to, from }: Columns,
  currency: string,
  vat_id = '',
): Pick<ImportedSale, 'external_id' | 'currency' | 'transaction_date' | 'customer' | 'ship_from'> {
  return {
    external_id: cell(row, id),
    currency,
    transaction_date: inDate(row, date, dateOfText),
    customer: { address: placeOf(row, to), ...(vat_id === '' ? {} : { vat_id, type: 'business' }) },
    ...(from === undefined || cell(row, from[0]) === '' ? {} : { ship_from: placeOf(row, from) }),
  }
}

function placeOf(row: Row, columns: Columns['to']): Place {
  const [country = '', region = '', postal_code = '', city = '', line1 = ''] = columns.map((name) =>
    cell(row, name ?? ''),
  )
  return { country, ...filled({ region, city, postal_code, line1 }) }
}

/** An amount of a row in minor units. An empty cell is 0. */
export function unitsOf(row: Row, name: string, currency: string): number {
  return inNumber(row, name, (text) => minorUnits(text || '0', currency))
}

/** The product type of a code in a row. */
export function productTypeIn(row: Row, name: string, options: ImportOptions): string {
  return inCell(row, name, (code) => productTypeOf(code, options))
}

/** A quantity that is a whole number. Others are left out: our lines have no parts of a piece. */
export function quantityOf(text: string): Pick<ImportedLine, 'quantity'> {
  return /^[1-9]\d*$/.test(text) ? { quantity: Number(text) } : {}
}

/** The fields of an object that have a text. */
export function filled<Name extends string>(fields: Record<Name, string>): Partial<Record<Name, string>> {
  const given: Partial<Record<Name, string>> = {}
  for (const name of Object.keys(fields) as Name[]) if (fields[name] !== '') given[name] = fields[name]
  return given
}

/** The first row of a group, which has the fields of the whole sale. */
export function firstOf(rows: readonly Row[]): Row {
  const [first] = rows
  if (first === undefined) throw new Error('A sale has at least one row')
  return first
}
