import { callApi } from '../api.js'
import { announce, definitions, element, field, form, list } from '../elements.js'
import { formatRate } from '../format.js'
import { plainTable } from '../parts/table.js'
import { withSpaces } from '../words.js'

/**
 * @import { z } from 'zod'
 * @import { RatesAnswer } from '../../../src/calculation/answers.ts'
 * @import { Page } from '../views.js'
 * @typedef {z.output<typeof RatesAnswer>} Rates
 */

/** @param {Page} page */
export function show({ place }) {
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
  const ask = form('Show', [fields], async () => {
    result.replaceChildren()
    /** @type {Rates} */
    const answer = await callApi('GET', '/v1/rates', {
      query: { country: 'US', postal_code: postal_code.value.trim(), city: city.value.trim() || null },
    })
    result.replaceChildren(element('div', { class: 'card stack' }, ...resultElements(answer)))
    if (answer.combined_rate !== null) announce(`${formatRate(answer.combined_rate)} in all`)
  })
  const about = 'The taxes of an address in the United States, as a seller from elsewhere charges them.'
  place.append(
    element(
      'div',
      { class: 'halves' },
      element('div', { class: 'card stack' }, element('p', { class: 'quiet' }, about), ask),
      result,
    ),
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
      combined_rate === null ? 'Unknown' : `${formatRate(combined_rate)} in all`,
    ),
    ...(local === null
      ? [element('p', {}, 'The place has no local taxes, or they are not on file.')]
      : [
          definitions([
            ['Local', formatRate(local.rate)],
            ['Lowest and highest here', `${formatRate(local.rate_min)} to ${formatRate(local.rate_max)}`],
            ['Precision', withSpaces(local.precision)],
            ['Method', withSpaces(local.method)],
          ]),
          list(local.note === null ? [] : [local.note]),
        ]),
    plainTable(
      'Taxes',
      ['Place', 'Kind', '#Rate', 'Source'],
      [
        ...state.map(({ name, rate, source }) => [name, 'state', formatRate(rate), source]),
        ...(local?.parts ?? []).map(({ name, type, rate, source, as_of }) => [
          name,
          type,
          formatRate(rate),
          `${source}, ${as_of}`,
        ]),
      ],
    ),
    (local?.candidates ?? []).length === 0
      ? null
      : plainTable(
          'Local taxes in other parts of the ZIP',
          ['Places', '#Rate', '#Share of the land'],
          (local?.candidates ?? []).map(({ names, rate, share }) => [
            names.join(', ') || 'none',
            formatRate(rate),
            share === null ? null : formatRate(share),
          ]),
        ),
  ].filter((part) => part !== null)
}
