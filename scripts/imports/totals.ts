import { monthOf } from '../../src/platform/kit/calendar.ts'
import { minorDigits } from '../../src/engine/book/minor-digits.ts'
import { dayIn } from '../../src/platform/kit/time-zone.ts'
import type { ImportedLine, ImportedSale } from './sale.ts'

/** Sums of the documents of one currency and month, in minor units. Credit notes are negative. */
export type ControlTotal = {
  currency: string
  month: string
  documents: number
  net: number
  tax: number
}

/**
 * Net and tax of a file by currency and month, as reports of the same months show them once all is recorded.
 * A moment is in the month of its day in the time zone of the account. Throws if a sum is no longer exact.
 */
export function controlTotals(sales: readonly ImportedSale[], zone: string): ControlTotal[] {
  const totals = new Map<string, ControlTotal>()
  for (const sale of sales) {
    const { currency, transaction_date, line_items, shipping_cost } = sale
    const day = transaction_date.length === 10 ? transaction_date : dayIn(zone, new Date(transaction_date))
    const month = monthOf(day)
    const key = `${month} ${currency}`
    const total = totals.get(key) ?? { currency, month, documents: 0, net: 0, tax: 0 }
    totals.set(key, total)
    total.documents += 1
    for (const line of [...line_items, ...(shipping_cost === undefined ? [] : [shipping_cost])]) {
      total.net = exact(total.net + netOf(line))
      total.tax = exact(total.tax + line.tax_amount)
    }
  }
  return [...totals].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, total]) => total)
}

type Priced = Pick<ImportedLine, 'amount' | 'discount' | 'tax_behavior' | 'tax_amount'>

/** The price of a line without its tax. */
export function netOf({ amount, discount = 0, tax_behavior, tax_amount }: Priced): number {
  return amount - discount - (tax_behavior === 'inclusive' ? tax_amount : 0)
}

function exact(sum: number): number {
  if (!Number.isSafeInteger(sum)) throw new Error('A control total is too large')
  return sum
}

const HEAD = ['month', 'currency', 'documents', 'net', 'tax']

/** Control totals as a table of text, in units of the currency: `105.00`. */
export function totalsTable(totals: readonly ControlTotal[]): string {
  const rows = totals.map(({ month, currency, documents, net, tax }) => [
    month,
    currency,
    String(documents),
    decimal(net, currency),
    decimal(tax, currency),
  ])
  const all = [HEAD, ...rows]
  const widths = HEAD.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)))
  // Names stand on the left, numbers on the right.
  const shown = (text: string, column: number) =>
    column < 2 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0)
  return all.map((row) => row.map(shown).join('  ')).join('\n')
}

function decimal(units: number, currency: string): string {
  const digits = minorDigits(currency)
  const text = String(Math.abs(units)).padStart(digits + 1, '0')
  const sign = units < 0 ? '-' : ''
  return digits === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}
