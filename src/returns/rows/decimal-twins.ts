import { minorDigits } from '../../engine/book/minor-digits.ts'

type Cell = string | number | boolean | null | undefined
type Row = Record<string, Cell>

/** The columns of all reports that have money. */
const MONEY: ReadonlySet<string> = new Set([
  'subtotal',
  'total',
  'amount',
  'tax_amount',
  'net_amount',
  'taxable_amount',
  'provincial_tax_amount',
  'figure_amount',
  'amount_refunded',
  'tax_refunded',
  'gross_sales',
  'taxable_sales',
  'exempt_sales',
  'uncollected_sales',
  'refunded_sales',
  'tax_collected',
  'net_tax',
])

/** Amounts as people read them, beside the minor units of the same column: `tax_decimal` of `tax_amount`. */
export function decimalTwins(columns: readonly string[]): {
  columns: string[]
  of: (row: Row) => Record<string, number | null>
} {
  const twins = columns
    .filter((name) => MONEY.has(name))
    .map((name) => ({ name, twin: `${name.replace(/_amount$/, '')}_decimal` }))
  return {
    columns: twins.map(({ twin }) => twin),
    of: (row) => {
      const { currency } = row
      const digits = typeof currency === 'string' ? minorDigits(currency) : null
      return Object.fromEntries(
        twins.map(({ name, twin }) => {
          const amount = row[name]
          return [twin, typeof amount === 'number' && digits !== null ? decimalNumber(amount, digits) : null]
        }),
      )
    },
  }
}

/** A number, because a text that begins with a minus could be a formula. Only for the file. */
function decimalNumber(amount: number, digits: number): number {
  const text = String(Math.abs(amount)).padStart(digits + 1, '0')
  const point = text.length - digits
  return Math.sign(amount) * Number(`${text.slice(0, point)}.${text.slice(point)}`)
}
