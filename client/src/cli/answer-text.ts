import type { CalculateAnswer } from '../schema.ts'
import { decimal, moneyInWords } from './money.ts'

/** A calculation for people: a row for each line, the sums, and the reasons of the tax. */
export function answerText(answer: CalculateAnswer): string {
  const money = (amount: number) => decimal(amount, answer.currency)
  const rows = [
    ['', 'net', 'rate', 'tax'],
    ...answer.line_items.map(({ product_type, net_amount, tax_rate, tax_amount }) => [
      product_type,
      money(net_amount),
      percent(tax_rate),
      money(tax_amount),
    ]),
    ['total', money(answer.total - answer.tax_amount), '', money(answer.tax_amount)],
  ]
  return [
    `${answer.jurisdiction_name}, ${answer.transaction_date}, ${answer.currency}`,
    '',
    ...aligned(rows),
    '',
    `To pay: ${moneyInWords(answer.total, answer.currency)}`,
    ...reasonsOf(answer),
  ].join('\n')
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  )
}

/** 0.0725 is `7.25 %`. */
function percent(fraction: number): string {
  return `${Number((fraction * 100).toFixed(4))} %`
}

/** Each reason once, with the tax that a registered seller would charge. */
function reasonsOf({ line_items, notes, currency }: CalculateAnswer): string[] {
  const reasons = line_items.flatMap(({ product_type, reason_detail, tax_if_registered: registered }) => {
    if (reason_detail === null) return []
    const tax = registered === null ? '' : ` Registered: ${moneyInWords(registered, currency)}`
    return [`${product_type}: ${reason_detail}${tax}`]
  })
  return [...new Set([...reasons, ...notes])]
}
