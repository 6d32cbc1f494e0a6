import { readAddress } from '../address.ts'
import { callApi } from '../api.ts'
import { definitions, element } from '../legacy/elements.js'
import { formatDay, formatMoney, formatRate } from '../legacy/format.js'
import { download } from '../download.ts'
import { placeNames } from '../names.ts'
import { pagedTable } from '../legacy/table.js'
import { button } from '../legacy/elements.js'
import { counted } from '../words.ts'
import { figuresWithRows, readFigures } from './read-return.ts'
import { periodQuery } from './return-address.ts'

/**
 * @import { z } from 'zod'
 * @import { LinesAnswer } from '../../src/reports/schemas.ts'
 * @import { Child } from '../legacy/elements.js'
 * @import { Drawer } from '../legacy/drawer.js'
 * @import { Figure } from './read-return.ts'
 * @typedef {z.output<typeof LinesAnswer>['lines'][number]} Line
 */

const PAGE = '100'

/**
 * The rows of a figure of the return that the address names.
 * @param {Drawer} drawer
 * @param {string} key of the figure
 * @returns {Promise<Child[]>}
 */
export async function showFigureRows(drawer, key) {
  const { query } = readAddress()
  const asked = periodQuery(query)
  if (asked === null) return [element('p', {}, 'The address names no return.')]
  const [figures, names] = await Promise.all([readFigures(asked, query.get('version')), placeNames()])
  const figure = figuresWithRows(figures, names).find((each) => each.key === key)
  if (figure === undefined) return [element('p', {}, 'This return has no such figure with rows.')]
  drawer.setTitle(figure.name)
  const sum = element('p', { role: 'status' })
  const rows = rowsOf(figure, names, sum)
  await rows.reload()
  return [
    definitions([
      ['Figure', element('strong', { class: 'number' }, formatMoney(figure.amount, figure.currency))],
    ]),
    sum,
    rows.shown,
    figures.filed === null ? exportButton(asked, key) : null,
  ]
}

/**
 * @param {Figure} figure
 * @param {ReadonlyMap<string, string>} names
 * @param {HTMLElement} sum says what the rows add up to
 */
function rowsOf(figure, names, sum) {
  /** @type {Line[]} */
  let read = []
  return pagedTable({
    caption: `Rows of ${figure.name}`,
    href: ({ transaction_id }) => `#/transactions/${transaction_id}`,
    empty: { title: 'No rows', text: 'No sale and no refund is in this figure.' },
    columns: [
      { head: 'Transaction', cell: ({ external_id, transaction_id }) => external_id ?? transaction_id },
      { head: 'Day', cell: ({ day }) => formatDay(day) },
      {
        head: 'Entry',
        cell: ({ entry, description }) => (entry === 'refund' ? 'Refund' : (description ?? 'Sale')),
      },
      { head: 'Place', cell: ({ place_of_supply }) => names.get(place_of_supply) ?? place_of_supply },
      { head: 'Net', number: true, cell: ({ net_amount, currency }) => formatMoney(net_amount, currency) },
      { head: 'Rate', number: true, cell: ({ tax_rate }) => formatRate(tax_rate) },
      {
        head: 'In the figure',
        number: true,
        phone: /** @type {const} */ ('figure'),
        cell: ({ figure_amount, currency }) =>
          figure_amount === null ? null : formatMoney(figure_amount, currency),
      },
    ],
    read: async (cursor) => {
      const [path = '', query] = figure.url.split('?')
      /** @type {z.output<typeof LinesAnswer>} */
      const page = await callApi('GET', path, {
        query: { ...Object.fromEntries(new URLSearchParams(query)), limit: PAGE, cursor },
      })
      read = cursor === null ? page.lines : [...read, ...page.lines]
      sum.replaceChildren(sentenceOf(figure, read, page.has_more))
      return { rows: page.lines, total: null, next_cursor: page.next_cursor }
    },
  })
}

/**
 * A sentence that compares the sum of the rows with the figure.
 * @param {Figure} figure
 * @param {Line[]} lines
 * @param {boolean} has_more
 */
function sentenceOf({ amount, currency }, lines, has_more) {
  if (has_more) return `The first ${counted(lines.length, 'row')}. Load all to see their sum.`
  const sums = new Map()
  for (const line of lines)
    sums.set(line.currency, (sums.get(line.currency) ?? 0) + (line.figure_amount ?? 0))
  const told =
    [...sums].map(([each, sum]) => formatMoney(sum, each)).join(' and ') || formatMoney(0, currency)
  const rows = counted(lines.length, 'row')
  if (sums.size === 0 || (sums.size === 1 && sums.get(currency) === amount))
    return `${rows} add up to ${told}, which is the figure.`
  return `${rows} add up to ${told}. The return converts these at its exchange rates.`
}

/**
 * @param {Record<string, string | null>} asked
 * @param {string} figure
 */
function exportButton({ type = null, period = null, jurisdiction_id = null, fx_rates = null }, figure) {
  const failed = element('div', {})
  const save = button('Download these rows (CSV)', failed, () =>
    download(
      '/v1/reports/export',
      { report: 'lines', type, period, jurisdiction_id, fx_rates, figure },
      'rows.csv',
    ),
  )
  return element('div', {}, save, failed)
}
