import {
  countryCode,
  currencyCode,
  isCountry,
  isCurrency,
  isPathSegment,
} from '../../src/platform/http/field-rules.ts'
import { COUNTRIES } from '../../src/platform/http/iso-codes.ts'
import type { Row } from './rows.ts'
import { firstOf, type Imported, type ImportedLine, type ImportedSale, type LeftOut } from './sale.ts'
import { netOf } from './totals.ts'

/** Whether a sale with this id is in the books; null: not known, because the books may not be read. */
export type InBooks = (external_id: string) => Promise<boolean | null>

/** Limits of `POST /v1/transactions`. */
const ID_MAX = 255
const VAT_ID_MAX = 40
const LINES_MAX = 500

/** How many sales are looked up in the books. */
const LOOKED_UP_MAX = 200

const DAY_MS = 86_400_000

/**
 * Checks the sales of a file before any is sent, whichever layout they came in. What the service would refuse
 * joins `bad`. What it records, and what can be meant otherwise, is in `notes`.
 */
export async function checkSales(read: Imported, in_books: InBooks, now: Date): Promise<Imported> {
  const faults = new Map<ImportedSale, string[]>()
  const first_rows = new Map<string, number>()
  for (const sale of read.sales) {
    const row = rowOf(read, sale)
    const same = first_rows.get(sale.external_id)
    const doubled = same === undefined ? [] : [`id: "${sale.external_id}" is already that of row ${same}`]
    if (same === undefined) first_rows.set(sale.external_id, row)
    faults.set(sale, [...faultsOf(sale), ...doubled])
  }
  const sound = read.sales.filter((sale) => faults.get(sale)?.length === 0)
  const { missing, unknown } = await creditedSales(sound, in_books)
  for (const sale of sound) {
    const id = creditedId(sale)
    if (id !== null && missing.has(id))
      faults.set(sale, [
        `credit_note_for: "${id}" is neither in the books nor a sale of this file without errors`,
      ])
  }
  const sales = sound.filter((sale) => faults.get(sale)?.length === 0)
  const refused = [...faults].flatMap(([sale, of]) => {
    const row = rowOf(read, sale)
    const rows = read.rows.get(sale) ?? []
    return of.length === 0 ? [] : [{ row, reason: `Row ${row}, ${of.join('; ')}`, rows }]
  })
  const notes = [
    ...sales.flatMap((sale) => notesOf(read, sale, unknown, now)),
    ...(await vatNotes(read, sales)),
    ...rowNotes(read),
  ]
  return { ...read, sales, bad: inOrder([...read.bad, ...refused]), notes: inOrder(notes) }
}

function inOrder<Of extends LeftOut>(remarks: readonly Of[]): Of[] {
  return remarks.toSorted((a, b) => a.row - b.row)
}

/** The line of the file where a sale begins. */
export function rowOf({ rows }: Imported, sale: ImportedSale): number {
  return firstOf(rows.get(sale) ?? []).number
}

/** What the service would refuse of a sale by itself, each with its column. */
function faultsOf({
  external_id,
  currency,
  customer,
  ship_from,
  line_items,
  ...sale
}: ImportedSale): string[] {
  const priced = [...line_items, ...(sale.shipping_cost === undefined ? [] : [sale.shipping_cost])]
  const total = priced.reduce((sum, line) => sum + netOf(line) + line.tax_amount, 0)
  const credited = sale.credit_note_for
  return [
    external_id === '' && 'id: is empty',
    external_id.length > ID_MAX && `id: has more than ${ID_MAX} characters`,
    !isPathSegment(external_id) && `id: "${external_id}" is no id`,
    !isCurrency(currencyCode(currency)) && `currency: "${currency}" is not a currency such as EUR`,
    countryFault('country', customer.address.country),
    stateFault(customer.address),
    ...line_items.map(taxFault),
    ship_from !== undefined && countryFault('ship_from', ship_from.country),
    (customer.vat_id?.length ?? 0) > VAT_ID_MAX && `vat_id: has more than ${VAT_ID_MAX} characters`,
    line_items.length > LINES_MAX && `id: the sale has more than ${LINES_MAX} lines`,
    credited !== undefined && total >= 0 && 'amount: a credit note needs negative amounts',
    credited !== undefined &&
      'date' in credited &&
      credited.date > sale.transaction_date.slice(0, 10) &&
      `date: the credit note is before its sale of ${credited.date}`,
  ].filter((fault) => fault !== false)
}

/** Countries whose states or provinces levy the tax. */
const BY_STATE = new Set(['US', 'CA'])

function stateFault({ country, region, postal_code }: ImportedSale['customer']['address']): string | false {
  const is_told = !BY_STATE.has(countryCode(country)) || (region ?? '') !== '' || (postal_code ?? '') !== ''
  return is_told ? false : `region: is empty, and ${country} alone does not decide the tax`
}

/** A line of amount 0 may be a correction of tax. */
function taxFault({ amount, tax_amount: tax }: ImportedLine): string | false {
  if (amount === 0 || tax === 0) return false
  if (Math.sign(tax) !== Math.sign(amount)) return 'tax_amount: has not the sign of the amount'
  return Math.abs(tax) > Math.abs(amount) ? 'tax_amount: is larger than the amount' : false
}

/** `EL` and `UK` are read as `GR` and `GB`. */
function countryFault(column: string, text: string): string | false {
  if (isCountry(countryCode(text))) return false
  if (text === '') return `${column}: is empty`
  const names = new Intl.DisplayNames('en', { type: 'region' })
  const meant = [...COUNTRIES].find((code) => names.of(code)?.toLowerCase() === text.toLowerCase())
  const hint = meant === undefined ? '' : `: did you mean ${meant}?`
  return `${column}: "${text}" is not the code of a country, such as DE${hint}`
}

function creditedId({ credit_note_for }: ImportedSale): string | null {
  return credit_note_for !== undefined && 'external_id' in credit_note_for
    ? credit_note_for.external_id
    : null
}

/** The sales that credit notes name, that no row of the file is: those that the books lack, or may have. */
async function creditedSales(sales: readonly ImportedSale[], in_books: InBooks) {
  const own = new Set(sales.map(({ external_id }) => external_id))
  const named = new Set(sales.flatMap((sale) => creditedId(sale) ?? []))
  const missing = new Set<string>()
  const unknown = new Set<string>()
  let looked_up = 0
  for (const id of named) {
    if (own.has(id)) continue
    const found = (looked_up += 1) > LOOKED_UP_MAX ? null : await in_books(id)
    if (found === false) missing.add(id)
    if (found === null) unknown.add(id)
  }
  return { missing, unknown }
}

function notesOf(read: Imported, sale: ImportedSale, unknown: ReadonlySet<string>, now: Date): LeftOut[] {
  const row = rowOf(read, sale)
  const id = creditedId(sale)
  // A day ahead, because a day of the account may have begun that has not in UTC.
  const tomorrow = new Date(now.getTime() + DAY_MS).toISOString().slice(0, 10)
  return [
    id !== null && unknown.has(id) && `credit_note_for: "${id}" is not in this file, so the books need it`,
    sale.transaction_date.slice(0, 10) > tomorrow && `date: ${sale.transaction_date} is in the future`,
  ]
    .filter((note) => note !== false)
    .map((note) => ({ row, reason: `Row ${row}, ${note}` }))
}

/** VAT ids without the form of their country. The validators are only loaded for a file that has such ids. */
async function vatNotes(read: Imported, sales: readonly ImportedSale[]): Promise<LeftOut[]> {
  const with_ids = sales.filter(({ customer }) => customer.vat_id !== undefined)
  if (with_ids.length === 0) return []
  const { vatIdFault } = await import('./vat-ids.ts')
  return with_ids.flatMap((sale) => {
    const { vat_id = '', address } = sale.customer
    const fault = vatIdFault(vat_id, countryCode(address.country))
    const row = rowOf(read, sale)
    return fault === null ? [] : [{ row, reason: `Row ${row}, vat_id: ${fault}` }]
  })
}

/** Rows of one id that can be two sales, or a line that is there twice. */
function rowNotes({ rows, bad }: Imported): LeftOut[] {
  const documents = [...rows.values(), ...bad.map((each) => each.rows)]
  const numbers = documents.flatMap((each) => each.map(({ number }) => number)).toSorted((a, b) => a - b)
  const places = new Map(numbers.map((number, place) => [number, place]))
  const place = ({ number }: Row) => places.get(number) ?? 0
  return [...rows.values()].flatMap((each) => {
    const seen = new Map<string, number>()
    return each.flatMap((row, index) => {
      const before = each[index - 1]
      const text = JSON.stringify(row.cells)
      const same = seen.get(text)
      seen.set(text, row.number)
      const apart = before !== undefined && place(row) !== place(before) + 1
      return [
        same !== undefined && `is the same as row ${same}: both are lines of the sale`,
        apart && `has the id of row ${before.number}, and other sales are between: both are one sale`,
      ]
        .filter((note) => note !== false)
        .map((note) => ({ row: row.number, reason: `Row ${row.number} ${note}` }))
    })
  })
}
