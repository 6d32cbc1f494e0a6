import { callApi } from '../api.js'
import { announce, definitions, element, field, form, list, table } from '../elements.js'
import { formatPercent } from '../money.js'
import { withSpaces } from '../words.js'

/**
 * @import { z } from 'zod'
 * @import { RatesAnswer } from '../../../src/calculation/answers.ts'
 * @import { View } from '../console.js'
 * @typedef {z.output<typeof RatesAnswer>} Rates
 */

/** @type {View} */
export const localTaxes = { path: 'local-taxes', title: 'Local taxes', show }

/** @param {HTMLElement} place */
function show(place) {
  const postal_code = element('input', {
    required: true,
    maxlength: 10,
    inputmode: 'numeric',
    autocomplete: 'off',
  })
  const city = element('input', { maxlength: 100, autocomplete: 'off' })
  const result = element('section', { 'aria-label': 'Result' })
  const fields = element(
    'div',
    { class: 'fields' },
    field('ZIP', postal_code, 'Such as 94105-1234: the last four digits make the answer exact'),
    field('City', city, 'If the ZIP has several rates'),
  )
  place.append(
    element(
      'p',
      {},
      'The taxes of an address in the United States, as a seller from elsewhere charges them.',
    ),
    form('Show', [fields], async () => {
      result.replaceChildren()
      /** @type {Rates} */
      const answer = await callApi('GET', '/v1/rates', {
        query: { country: 'US', postal_code: postal_code.value.trim(), city: city.value.trim() || null },
      })
      result.replaceChildren(...resultElements(answer))
      if (answer.combined_rate !== null) announce(`${formatPercent(answer.combined_rate)} in all`)
    }),
    result,
  )
}

/** @param {Rates} answer */
function resultElements({ jurisdiction, combined_rate, local, rates }) {
  const state = rates.filter(({ category }) => category === 'standard')
  return [
    element('h2', {}, jurisdiction === null ? 'Result' : `${jurisdiction.name} (${jurisdiction.id})`),
    element(
      'p',
      { class: 'overall' },
      combined_rate === null ? 'Unknown' : `${formatPercent(combined_rate)} in all`,
    ),
    ...(local === null
      ? [element('p', {}, 'The place has no local taxes, or they are not on file.')]
      : [
          definitions([
            ['Local', formatPercent(local.rate)],
            [
              'Lowest and highest here',
              `${formatPercent(local.rate_min)} to ${formatPercent(local.rate_max)}`,
            ],
            ['Precision', withSpaces(local.precision)],
            ['Method', withSpaces(local.method)],
          ]),
          list(local.note === null ? [] : [local.note]),
        ]),
    table(
      'Taxes',
      ['Place', 'Kind', '#Rate', 'Source'],
      [
        ...state.map(({ name, rate, source }) => [name, 'state', formatPercent(rate), source]),
        ...(local?.parts ?? []).map(({ name, type, rate, source, as_of }) => [
          name,
          type,
          formatPercent(rate),
          `${source}, ${as_of}`,
        ]),
      ],
    ),
    (local?.candidates ?? []).length === 0
      ? null
      : table(
          'Local taxes in other parts of the ZIP',
          ['Places', '#Rate', '#Share of the land'],
          (local?.candidates ?? []).map(({ names, rate, share }) => [
            names.join(', ') || 'none',
            formatPercent(rate),
            share === null ? null : formatPercent(share),
          ]),
        ),
  ].filter((part) => part !== null)
}
