import { callApi } from '../api.js'
import { svgElement, element } from '../elements.js'
import { formatMoney } from '../format.js'
import { plainTable } from '../parts/table.js'

/**
 * @import { z } from 'zod'
 * @import { SummaryAnswer } from '../../../src/reports/schemas.ts'
 * @import { Page } from '../views.js'
 * @typedef {z.output<typeof SummaryAnswer>['rows'][number]} Row
 */

const WIDTH = 720
const HEIGHT = 240
const FLOOR = 190

/** @param {Page} page */
export async function show({ place }) {
  const months = lastTwelveMonths(new Date())
  const query = {
    from_date: `${months[0]}-01`,
    to_date: new Date().toISOString().slice(0, 10),
    group_by: 'month',
  }
  /** @type {z.output<typeof SummaryAnswer>} */
  const { rows } = await callApi('GET', '/v1/reports/summary', { query })
  const currencies = [...new Set(rows.map(({ currency }) => currency))].toSorted()
  place.replaceChildren(
    element('p', {}, 'Tax collected minus tax refunded in the last twelve months, by currency.'),
    ...(currencies.length === 0 ? [element('p', {}, 'No sales are recorded in these months.')] : []),
    ...currencies.flatMap((currency) => {
      const of_currency = rows.filter((row) => row.currency === currency)
      return [
        element('h2', {}, currency),
        chart(months, of_currency, currency),
        tableOf(of_currency, currency),
      ]
    }),
  )
}

/** @param {Date} now */
function lastTwelveMonths(now) {
  return Array.from({ length: 12 }, (_, index) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 11 + index, 1)).toISOString().slice(0, 7),
  )
}

/**
 * A bar for each month, below the line if more was refunded than collected. The table below it has the same
 * figures.
 * @param {string[]} months
 * @param {Row[]} rows
 * @param {string} currency
 */
function chart(months, rows, currency) {
  const taxes = months.map((month) => rows.find((row) => row.month === month)?.net_tax ?? 0)
  const highest = Math.max(1, ...taxes.map(Math.abs))
  const step = WIDTH / months.length
  const bars = taxes.flatMap((tax, index) => {
    const height = (Math.abs(tax) / highest) * (FLOOR - 30)
    const middle = step * (index + 0.5)
    return [
      svgElement('rect', {
        class: tax < 0 ? 'refunded' : 'collected',
        x: middle - step * 0.3,
        y: tax < 0 ? FLOOR : FLOOR - height,
        width: step * 0.6,
        height: tax < 0 ? Math.min(height, 20) : height,
      }),
      svgElement(
        'text',
        { x: middle, y: FLOOR + 36, 'text-anchor': 'middle' },
        (months[index] ?? '').slice(2).replace('-', '/'),
      ),
    ]
  })
  const label = `Net tax by month in ${currency}, at most ${formatMoney(Math.max(0, ...taxes), currency)}`
  return svgElement(
    'svg',
    { class: 'chart', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': label },
    svgElement('text', { x: 0, y: 16 }, formatMoney(Math.max(0, ...taxes), currency)),
    svgElement('line', { x1: 0, x2: WIDTH, y1: FLOOR, y2: FLOOR }),
    ...bars,
  )
}

/**
 * @param {Row[]} rows
 * @param {string} currency
 */
function tableOf(rows, currency) {
  return plainTable(
    `Tax by month in ${currency}`,
    ['Month', '#Transactions', '#Gross sales', '#Tax collected', '#Tax refunded', '#Net tax'],
    rows.map((row) => [
      row.month ?? null,
      row.transactions,
      formatMoney(row.gross_sales, currency),
      formatMoney(row.tax_collected, currency),
      formatMoney(row.tax_refunded, currency),
      formatMoney(row.net_tax, currency),
    ]),
  )
}
