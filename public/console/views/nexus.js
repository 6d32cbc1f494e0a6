import { callApi } from '../api.js'
import { element, list } from '../elements.js'
import { formatMoney, formatShare } from '../format.js'
import { plainTable } from '../parts/table.js'
import { withSpaces } from '../words.js'

/**
 * @import { z } from 'zod'
 * @import { NexusAnswer } from '../../../src/nexus/schemas.ts'
 * @import { Page } from '../views.js'
 * @typedef {z.output<typeof NexusAnswer>['jurisdictions'][number]} Exposure
 */

/** @param {Page} page */
export async function show({ place }) {
  /** @type {z.output<typeof NexusAnswer>} */
  const { jurisdictions, as_of } = await callApi('GET', '/v1/nexus')
  place.replaceChildren(
    element(
      'p',
      {},
      `How close recorded sales are to each threshold, as of ${as_of}. `,
      'Each threshold has its own period. At 85 % or more a place is approaching.',
    ),
    ...(jurisdictions.length === 0
      ? [element('p', {}, 'No recorded sales count towards a threshold.')]
      : [element('div', { class: 'bars' }, ...jurisdictions.map(bar)), tableOf(jurisdictions)]),
  )
}

/** @param {Exposure[]} jurisdictions */
function tableOf(jurisdictions) {
  return plainTable(
    'By place, the closest first',
    ['Place', 'Status', '#Sales', '#Threshold', '#Transactions', '#Reached', 'Passed on'],
    jurisdictions.map(
      ({ jurisdiction_id, jurisdiction_name, status, registered, progress, threshold, exceeded_on }) => [
        `${jurisdiction_name} (${jurisdiction_id})`,
        registered ? 'registered' : status,
        formatMoney(progress.amount, progress.currency),
        threshold.amount === null
          ? null
          : formatMoney(threshold.amount, threshold.currency ?? progress.currency),
        threshold.transaction_count === null
          ? progress.transaction_count
          : `${progress.transaction_count} of ${threshold.transaction_count}`,
        formatShare(progress.ratio),
        exceeded_on,
      ],
    ),
  )
}

/** @param {Exposure} exposure */
function bar(exposure) {
  const { jurisdiction_id, jurisdiction_name, status, registered, progress, threshold, exceeded_on, notes } =
    exposure
  const name = `${jurisdiction_name} (${jurisdiction_id})`
  const limits = [
    threshold.amount === null ? null : formatMoney(threshold.amount, threshold.currency ?? progress.currency),
    threshold.transaction_count === null ? null : countOfTransactions(threshold.transaction_count),
  ].filter((limit) => limit !== null)
  const count = countOfTransactions(progress.transaction_count)
  const sales = `${formatMoney(progress.amount, progress.currency)} in ${count}`
  const period = withSpaces(threshold.measurement_period ?? '')
  const state = status === 'exceeded' && exceeded_on !== null ? `passed on ${exceeded_on}` : status
  return element(
    'div',
    { class: `bar ${registered ? 'registered' : status}` },
    element('p', {}, element('strong', {}, name), ` ${registered ? 'registered' : state}`),
    element('progress', {
      max: 1,
      value: Math.min(1, progress.ratio),
      'aria-label': `${name}: ${formatShare(progress.ratio)} of the threshold`,
    }),
    element(
      'p',
      { class: 'quiet' },
      `${formatShare(progress.ratio)}: ${sales}, of ${limits.join(' or ')} (${period})`,
    ),
    list(notes),
  )
}

/** @param {number} transactions */
function countOfTransactions(transactions) {
  return transactions === 1 ? '1 transaction' : `${transactions} transactions`
}
