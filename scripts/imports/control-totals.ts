import { monthOf } from '../../src/calendar.ts'
import { dayIn } from '../../src/time-zone.ts'
import type { ImportedLine, ImportedSale } from './sale.ts'

/** Net and tax of the sales of a file in one currency and month, in minor units. */
export type ControlTotal = { currency: string; month: string; sales: number; net: number; tax: number }

/**
 * The sums of sales by currency and month, in the order of both. A moment is in the month of its day in the
 * time zone of the account. They are those of the summary by month, if nothing else is recorded.
 */
export function controlTotals(sales: readonly ImportedSale[], zone: string): ControlTotal[] {
  const totals = new Map<string, ControlTotal>()
  for (const { currency, transaction_date, line_items, shipping_cost } of sales) {
    const day = transaction_date.length === 10 ? transaction_date : dayIn(zone, new Date(transaction_date))
    const month = monthOf(day)
    const total = totals.get(`${currency} ${month}`) ?? { currency, month, sales: 0, net: 0, tax: 0 }
    for (const line of [...line_items, ...(shipping_cost === undefined ? [] : [shipping_cost])]) {
      total.net += netOf(line)
      total.tax += line.tax_amount
    }
    total.sales += 1
    totals.set(`${currency} ${month}`, total)
  }
  return [...totals].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, total]) => total)
}

type Priced = Pick<ImportedLine, 'amount' | 'tax_behavior' | 'tax_amount' | 'discount'>

function netOf({ amount, tax_behavior, tax_amount, discount = 0 }: Priced): number {
  return amount - discount - (tax_behavior === 'inclusive' ? tax_amount : 0)
}

/** Lines for people: `2026-03 USD: 12 sales, net 1234.50, tax 98.76`. */
export function inLines(totals: readonly ControlTotal[]): string[] {
  return totals.map(
    ({ currency, month, sales, net, tax }) =>
      `${month} ${currency}: ${sales} sales, net ${decimal(net, currency)}, tax ${decimal(tax, currency)}`,
  )
}

function decimal(units: number, currency: string): string {
  const { maximumFractionDigits: digits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions()
  const text = String(Math.abs(units)).padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits)
  return `${units < 0 ? '-' : ''}${whole}${digits === 0 ? '' : `.${text.slice(-digits)}`}`
}
