import { CODES } from '../../src/product-codes/code-list.ts'
import type { Row } from './rows.ts'

/** A line with its tax, as `POST /v1/transactions` takes it. Amounts in minor units. */
export type ImportedLine = {
  reference?: string
  amount: number
  quantity?: number
  product_type: string
  description?: string
  discount?: number
  tax_behavior: 'exclusive' | 'inclusive'
  tax_amount: number
}

type Place = { country: string; region?: string; city?: string; postal_code?: string }

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
  metadata: { imported_from: string }
}

/** The sales of a file, and the rows that are no sale, with the reason. */
export type Imported = { sales: ImportedSale[]; skipped: { row: number; reason: string }[] }

export type ImportOptions = {
  /** For files that name no currency. */
  currency: string
  /** For codes that we do not map. Null: such a code is an error. */
  product_type: string | null
}

/** Our product type for a code of the other service. '' is goods without a code. Throws for unknown codes. */
export function productTypeOf(code: string, { product_type }: ImportOptions): string {
  if (code === '') return product_type ?? 'physical_goods'
  const known = CODES.get(code)?.product_type ?? product_type
  if (known === null) throw new Error(`the code ${code} is not mapped: give --product-type for such codes`)
  return known
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
