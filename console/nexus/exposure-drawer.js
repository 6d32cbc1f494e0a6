import { callApi } from '../api.ts'
import { definitions, element, list } from '../legacy/elements.js'
import { dayOf, formatDay, formatMoney, formatShare } from '../legacy/format.js'
import { badge } from '../legacy/badge.js'
import { placeNames } from '../names.ts'
import { withSpaces } from '../words.ts'
import { limitWords, periodWords, stateOf } from './exposure-words.js'
import { thresholdBar } from './threshold-bar.js'

/**
 * @import { z } from 'zod'
 * @import { NexusAnswer } from '../../src/nexus/schemas.ts'
 * @import { Child } from '../legacy/elements.js'
 * @import { Drawer } from '../legacy/drawer.js'
 * @import { Exposure } from './exposure-words.js'
 */

/**
 * The threshold of one place and the sales that count towards it.
 * @param {Drawer} drawer
 * @param {string} id
 * @returns {Promise<Child[]>}
 */
export async function showExposure(drawer, id) {
  const [answer, names] = await Promise.all([readNexus(), placeNames()])
  const exposure = answer.jurisdictions.find((each) => each.jurisdiction_id === id)
  if (exposure === undefined) {
    drawer.setTitle(names.get(id) ?? id)
    return [element('p', {}, 'No recorded sale counts towards a threshold here.'), registerLink(id)]
  }
  const state = stateOf(exposure)
  drawer.setTitle(exposure.jurisdiction_name, badge(state))
  return [
    element(
      'div',
      { class: 'reached' },
      element('strong', { class: 'number' }, formatShare(exposure.progress.ratio)),
      thresholdBar(exposure.progress.ratio, state),
      element('p', { class: 'quiet small' }, 'The marks are at 85% and 100% of the threshold.'),
    ),
    adviceOf(exposure),
    factsOf(exposure),
    list(exposure.notes),
    exposure.threshold.notes === null ? null : element('p', { class: 'quiet' }, exposure.threshold.notes),
    sourceOf(exposure),
  ]
}

/** @returns {Promise<z.output<typeof NexusAnswer>>} */
export function readNexus() {
  return callApi('GET', '/v1/nexus')
}

/** The next step for the seller. @param {Exposure} exposure */
function adviceOf({ jurisdiction_id, registered, status, exceeded_on, next_period }) {
  if (registered) return element('p', {}, 'You are registered here, so the threshold asks nothing of you.')
  if (status === 'below' && next_period !== null && next_period.status !== 'below')
    return element(
      'div',
      {},
      element(
        'p',
        {},
        next_period.status === 'exceeded'
          ? `The sales of this year have passed the threshold. Register, and collect the tax from ${formatDay(next_period.obliges_from)}.`
          : `The sales of this year are near the threshold, which would oblige you from ${formatDay(next_period.obliges_from)}.`,
      ),
      registerLink(jurisdiction_id),
    )
  if (status === 'below') return element('p', {}, 'Nothing is to be done: the sales are below the threshold.')
  return element(
    'div',
    {},
    element(
      'p',
      {},
      status === 'exceeded'
        ? `The threshold was passed${exceeded_on === null ? '' : ` on ${formatDay(exceeded_on)}`}. Register, and collect the tax from your first day.`
        : 'The threshold is near. Prepare the registration, so that you can collect the tax in time.',
    ),
    registerLink(jurisdiction_id),
  )
}

/** @param {string} id */
function registerLink(id) {
  const href = `#/registrations/new?place=${encodeURIComponent(id)}`
  return element('div', { class: 'actions' }, element('a', { class: 'button', href }, 'Add a registration'))
}

/** @param {Exposure} exposure */
function factsOf(exposure) {
  const { progress, threshold, measured_from, measured_to, exceeded_on, next_period, jurisdiction_id } =
    exposure
  const sales = element(
    'a',
    { href: `#/transactions?jurisdiction_id=${encodeURIComponent(jurisdiction_id)}` },
    progress.transaction_count.toLocaleString(),
  )
  return definitions([
    ['Sales counted', formatMoney(progress.amount, progress.currency)],
    ['Transactions counted', sales],
    [
      'Threshold',
      `${threshold.amount_test === 'exceeds' ? 'more than' : 'at least'} ${limitWords(exposure)}`,
    ],
    ['Measured over', periodWords(exposure)],
    ['Days measured', `${formatDay(measured_from)} to ${formatDay(measured_to)}`],
    ['Passed on', formatDay(exceeded_on)],
    ...nextFacts(next_period),
    ['Sales that count', withSpaces(threshold.included_sales ?? 'all')],
    ['In force since', formatDay(threshold.effective_from)],
  ])
}

/**
 * @param {Exposure['next_period']} next
 * @returns {[string, Child][]}
 */
function nextFacts(next) {
  if (next === null) return []
  const { progress, obliges_from } = next
  return [
    ['Sales of this year', formatMoney(progress.amount, progress.currency)],
    ['Which oblige from', formatDay(obliges_from)],
  ]
}

/** @param {Exposure} exposure */
function sourceOf({ threshold }) {
  return element(
    'p',
    { class: 'quiet small' },
    'Source: ',
    element('a', { href: threshold.source_url, rel: 'noreferrer' }, threshold.source),
    ', verified ',
    dayOf(threshold.last_verified_at),
  )
}
