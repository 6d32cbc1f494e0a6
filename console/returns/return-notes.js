import { linkTo } from '../address.ts'
import { element, field, form, list } from '../legacy/elements.js'
import { formatDay, formatMoney } from '../legacy/format.js'
import { plainTable, table } from '../legacy/table.js'
import { counted } from '../words.ts'
import { figureLink } from './form-as-printed.js'
import { periodWords } from './period-words.ts'

/**
 * @import { Child } from '../legacy/elements.js'
 * @import { LinkToFigure, Names } from './form-as-printed.js'
 * @import { Figures } from './read-return.ts'
 */

/**
 * The parts below a form: sales without an exchange rate, corrections, the rates that were used, and notes.
 * @param {Figures} figures
 * @param {Names} names
 * @param {LinkToFigure} linkToFigure
 * @param {URLSearchParams} query of the address
 * @returns {Child[]}
 */
export function returnNotes(figures, names, linkToFigure, query) {
  return [
    unconvertedPart(figures, query),
    correctionsPart('Corrections of earlier periods', figures.corrections, names, linkToFigure),
    correctionsPart(
      'Corrections that come too late for this return: tell them to the member state itself',
      figures.expired_corrections,
      names,
      linkToFigure,
    ),
    ratesPart(figures),
    dailyRatesPart(figures),
    notesPart(figures),
  ]
}

/**
 * Notes for people. The form itself shows `form_amount`, so a note about this field says nothing more.
 * @param {Figures} figures
 */
function notesPart({ notes }) {
  const told = notes.filter((note) => !note.includes('form_amount'))
  if (told.length === 0) return null
  return element(
    'section',
    { class: 'card', 'aria-labelledby': 'notes' },
    element('h2', { id: 'notes' }, 'Notes'),
    list(told),
  )
}

/**
 * Sales without an exchange rate, and a field for the rate of each. The rates are kept in the address.
 * @param {Figures} figures
 * @param {URLSearchParams} query
 */
function unconvertedPart({ unconverted, currency }, query) {
  if (unconverted.length === 0) return null
  const given = (query.get('fx_rates') ?? '').split(',').filter((rate) => rate !== '')
  const rates = unconverted.map((sales) => {
    const name = nameOfRate(sales)
    const input = element('input', { required: true, inputmode: 'decimal', autocomplete: 'off' })
    return { name, input, shown: field(`${rateLabel(name)} for one ${currency ?? ''}`, input) }
  })
  const fields = element('div', { class: 'fields' }, ...rates.map(({ shown }) => shown))
  return element(
    'section',
    { class: 'card stack', 'aria-labelledby': 'unconverted' },
    element('h2', { id: 'unconverted' }, 'Sales that are not in the return: no exchange rate is published'),
    list(
      unconverted.map((sales) => {
        const money = (/** @type {number} */ amount) => formatMoney(amount, sales.currency)
        return `${money(sales.taxable_amount)} with tax of ${money(sales.tax_amount)}`
      }),
    ),
    form('Use these rates', [fields], () => {
      const named = rates.map(({ name, input }) => `${name}:${input.value.trim().replace(',', '.')}`)
      query.set('fx_rates', [...given, ...named].join(','))
      location.hash = linkTo('returns', { query })
      return Promise.resolve()
    }),
  )
}

/**
 * How a request names the rate: `USD`, or `2026-Q2:USD` for the sales of a corrected period.
 * @param {Figures['unconverted'][number]} sales
 */
function nameOfRate({ currency, message }) {
  return /fx_rates=(\S+):…/.exec(message)?.[1] ?? currency
}

/** @param {string} name of a rate */
function rateLabel(name) {
  const [first = '', currency] = name.split(':')
  return currency === undefined ? first : `${currency} (${periodWords(first)})`
}

/**
 * @param {string} title
 * @param {Figures['corrections']} corrections
 * @param {Names} names
 * @param {LinkToFigure} linkToFigure
 */
function correctionsPart(title, corrections, names, linkToFigure) {
  if (corrections.length === 0) return null
  return table({
    caption: title,
    show_caption: true,
    rows: corrections,
    columns: [
      { head: 'Place', cell: ({ jurisdiction_id }) => names.get(jurisdiction_id) ?? jurisdiction_id },
      { head: 'Corrects', cell: ({ period }) => periodWords(period) },
      {
        head: 'Taxable amount',
        number: true,
        cell: (each) => formatMoney(each.taxable_amount, each.currency),
      },
      {
        head: 'Tax',
        number: true,
        phone: /** @type {const} */ ('figure'),
        cell: ({ transactions_url, tax_amount, currency, period }) =>
          figureLink(transactions_url, tax_amount, currency, linkToFigure, `the correction of ${period}`),
      },
    ],
  })
}

/** @param {Figures} figures */
function ratesPart({ exchange_rates, currency }) {
  if (exchange_rates.length === 0) return null
  return table({
    caption: `Exchange rates used, units for one ${currency ?? ''}`,
    show_caption: true,
    rows: exchange_rates,
    columns: [
      { head: 'Currency', cell: (each) => each.currency },
      { head: 'Rate', number: true, phone: /** @type {const} */ ('figure'), cell: ({ rate }) => rate },
      { head: 'For', cell: ({ period }) => (period.length === 10 ? formatDay(period) : periodWords(period)) },
      { head: 'Published for', cell: ({ rate_day }) => (rate_day === null ? null : formatDay(rate_day)) },
      { head: 'Source', cell: ({ source }) => (source === 'request' ? 'given by you' : source) },
    ],
  })
}

/** @param {Figures} figures */
function dailyRatesPart({ daily_exchange_rates, currency }) {
  if (daily_exchange_rates.length === 0) return null
  return element(
    'section',
    { class: 'card stack', 'aria-labelledby': 'daily-rates' },
    element('h2', { id: 'daily-rates' }, 'Exchange rates used, day by day'),
    ...daily_exchange_rates.map((each) =>
      element(
        'details',
        {},
        element('summary', {}, `${each.currency}: ${counted(each.days, 'day')}, ${each.source}`),
        plainTable(
          `${each.currency} for one ${currency ?? ''}`,
          ['Day', '#Rate'],
          Object.entries(each.rates).map(([day, rate]) => [formatDay(day), rate]),
        ),
      ),
    ),
  )
}
