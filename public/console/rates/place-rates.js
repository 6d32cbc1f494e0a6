import { callApi } from '../api.js'
import { element, svgElement } from '../elements.js'
import { dayOf, formatDay, formatRate } from '../format.js'
import { emptyState, table } from '../parts/table.js'
import { rateWords } from './rate-words.js'

/**
 * @import { z } from 'zod'
 * @import { RateHistoryAnswer } from '../../../src/metadata/schemas.ts'
 * @typedef {z.output<typeof RateHistoryAnswer>['rates'][number]} Rate
 */

/**
 * The rates of a place in force, announced ones, and their history.
 * @param {string} id of the jurisdiction
 * @param {ReadonlyMap<string, string>} names
 */
export async function placeRates(id, names) {
  /** @type {z.output<typeof RateHistoryAnswer>} */
  const { rates } = await callApi('GET', `/v1/metadata/jurisdictions/${encodeURIComponent(id)}/rates`, {
    query: { limit: '500' },
  })
  const today = new Date().toISOString().slice(0, 10)
  const now = rates.filter(
    ({ effective_from, effective_to }) =>
      effective_from <= today && (effective_to === null || effective_to >= today),
  )
  const series = [...Map.groupBy(rates, seriesOf).values()].filter((each) => each.length > 1)
  return [
    now.length === 0
      ? emptyState({ title: 'No rates of its own', text: 'The rates of this place are those of its parts.' })
      : ratesNow(now, id, names),
    announced(rates.filter(({ effective_from }) => effective_from > today)),
    ...(series.length === 0
      ? [element('p', { class: 'quiet' }, 'No earlier rates are on file.')]
      : [
          element('h2', {}, 'History'),
          element('div', { class: 'history' }, ...series.map((each) => historyOf(each, today))),
        ]),
  ]
}

/** @param {Rate} rate */
function seriesOf({ jurisdiction_id, tax_type, category, name }) {
  return `${jurisdiction_id} ${tax_type} ${category} ${name}`
}

/**
 * @param {Rate[]} rates
 * @param {string} id
 * @param {ReadonlyMap<string, string>} names
 */
function ratesNow(rates, id, names) {
  return table({
    caption: `${names.get(id) ?? id}: in force today`,
    show_caption: true,
    rows: rates.toSorted((a, b) => b.rate - a.rate),
    columns: [
      { head: 'Rate', cell: rateWords },
      { head: 'Levied by', cell: ({ jurisdiction_id }) => names.get(jurisdiction_id) ?? jurisdiction_id },
      { head: 'Percent', number: true, phone: 'figure', cell: ({ rate }) => formatRate(rate) },
      { head: 'Since', cell: ({ effective_from }) => formatDay(effective_from) },
      {
        head: 'Source',
        cell: ({ source, source_url }) => element('a', { href: source_url, rel: 'noreferrer' }, source),
      },
      { head: 'Verified', cell: ({ last_verified_at }) => dayOf(last_verified_at) },
    ],
  })
}

/** @param {Rate[]} rates */
function announced(rates) {
  if (rates.length === 0) return null
  const lines = rates.map((rate) =>
    element('li', {}, `${rateWords(rate)}: ${formatRate(rate.rate)} from ${formatDay(rate.effective_from)}`),
  )
  return element('section', { class: 'card' }, element('h2', {}, 'Announced'), element('ul', {}, ...lines))
}

/**
 * The periods of one rate, the latest first, with a bar for each.
 * @param {Rate[]} periods
 * @param {string} today
 */
function historyOf(periods, today) {
  const [latest] = periods
  const highest = Math.max(...periods.map(({ rate }) => rate), 0.000001)
  const name = latest === undefined ? '' : rateWords(latest)
  return table({
    caption: name,
    show_caption: true,
    rows: periods,
    columns: [
      { head: 'Days', cell: (rate) => daysOf(rate, today) },
      {
        head: 'Rate',
        number: true,
        phone: 'figure',
        cell: ({ rate }) =>
          element(
            'span',
            { class: 'share' },
            svgElement(
              'svg',
              {
                class: 'threshold-bar below',
                viewBox: '0 0 100 10',
                preserveAspectRatio: 'none',
                'aria-hidden': 'true',
              },
              svgElement('rect', { class: 'reached', y: 2, width: (rate / highest) * 100, height: 6 }),
            ),
            element('span', { class: 'number' }, formatRate(rate)),
          ),
      },
    ],
  })
}

/**
 * @param {Rate} rate
 * @param {string} today
 */
function daysOf({ effective_from, effective_to }, today) {
  if (effective_from > today) return `announced, from ${formatDay(effective_from)}`
  return effective_to === null || effective_to >= today
    ? `since ${formatDay(effective_from)}`
    : `${formatDay(effective_from)} to ${formatDay(effective_to)}`
}
