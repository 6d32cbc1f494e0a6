import { linkTo } from '../address.ts'
import { Failure } from '../api.ts'
import { element } from '../legacy/elements.js'
import { formatDay, formatMoney, formatShare } from '../legacy/format.js'
import { readNexus } from '../nexus/exposure-drawer.js'
import { limitWords, nameSome, stateOf } from '../nexus/exposure-words.js'
import { thresholdBar } from '../nexus/threshold-bar.js'
import { MAPPED_STATES, usMap } from '../nexus/us-map.js'
import { badge } from '../legacy/badge.js'
import { load } from '../legacy/load.js'
import { placeNames } from '../names.ts'
import { table } from '../legacy/table.js'
import { readRegistrations, stateOfRegistration } from '../registrations/read-registrations.js'
import { counted } from '../words.ts'

/**
 * @import { Exposure } from '../nexus/exposure-words.js'
 * @import { Page } from '../legacy/page.ts'
 */

export { showExposure as open } from '../nexus/exposure-drawer.js'

/** The states of a place, the most urgent first, with what they mean on the map. */
const STATES = /** @type {const} */ ({
  exceeded: 'over the threshold, not registered',
  approaching: '85% or more of the threshold',
  registered: 'registered',
  below: 'under 85%',
  none: 'no sales that count',
})

/** @typedef {keyof typeof STATES} State */

/**
 * How close recorded sales are to each threshold: the United States as a map with a list, then all others.
 * @param {Page} page
 */
export function show({ place }) {
  return load(place, async () => {
    const [{ jurisdictions, as_of }, registered, names] = await Promise.all([
      readNexus(),
      readRegistered(),
      placeNames(),
    ])
    const american = jurisdictions.filter(({ jurisdiction_id }) => jurisdiction_id.startsWith('US-'))
    const others = jurisdictions.filter((each) => !american.includes(each))
    return element(
      'div',
      { class: 'stack' },
      element(
        'p',
        { class: 'quiet' },
        `As of ${formatDay(as_of)}. Each place measures its own sales over its own period. `,
        'Gross sales count: refunds do not reduce them.',
      ),
      element('h2', {}, 'United States'),
      element(
        'div',
        { class: 'nexus' },
        mapCard(american, registered, names),
        listOf('United States, the closest first', american, 'in the United States'),
      ),
      element('h2', {}, 'Other countries'),
      listOf('Other countries, the closest first', others, 'outside the United States'),
    )
  })
}

/** The ids of the places with a registration today. Empty if the key may not read them. */
async function readRegistered() {
  const all = await readRegistrations().catch((/** @type {unknown} */ thrown) => {
    if (thrown instanceof Failure && thrown.status === 403) return []
    throw thrown
  })
  const valid = all.filter((each) => stateOfRegistration(each) === 'registered')
  return new Set(valid.map(({ jurisdiction_id }) => jurisdiction_id))
}

/**
 * @param {Exposure[]} exposures of the United States
 * @param {ReadonlySet<string | null>} registered
 * @param {ReadonlyMap<string, string>} names
 */
function mapCard(exposures, registered, names) {
  const found = new Map(exposures.map((each) => [each.jurisdiction_id, each]))
  /** @param {string} code @returns {State} */
  const stateAt = (code) => {
    const exposure = found.get(`US-${code}`)
    if (registered.has(`US-${code}`)) return 'registered'
    return exposure === undefined ? 'none' : stateOf(exposure)
  }
  const map = usMap(
    (code) => {
      const state = stateAt(code)
      const ratio = found.get(`US-${code}`)?.progress.ratio
      const name = names.get(`US-${code}`) ?? code
      const share = ratio === undefined ? '' : formatShare(ratio)
      return { state, label: share, title: `${name}: ${STATES[state]}${share === '' ? '' : `, ${share}`}` }
    },
    sentenceOf(stateAt, names),
    (code) => {
      location.hash = linkTo('nexus', { id: `US-${code}` })
    },
  )
  return element('div', { class: 'card map-card' }, map, legend(stateAt))
}

/**
 * @param {(code: string) => State} stateAt
 * @param {ReadonlyMap<string, string>} names
 */
function sentenceOf(stateAt, names) {
  const groups = /** @type {const} */ (['exceeded', 'approaching', 'registered']).flatMap((state) => {
    const codes = MAPPED_STATES.filter((code) => stateAt(code) === state)
    return codes.length === 0
      ? []
      : [`${state}: ${nameSome(codes.map((code) => names.get(`US-${code}`) ?? code))}`]
  })
  const told = groups.length === 0 ? 'No state is near its threshold' : groups.join('; ')
  return `Map of the United States. ${told}. The list has all states with sales.`
}

/** @param {(code: string) => State} stateAt */
function legend(stateAt) {
  const counts = Object.entries(STATES).map(([state, words]) => {
    const states = MAPPED_STATES.filter((code) => stateAt(code) === state).length
    return element(
      'li',
      {},
      element('span', { class: `swatch ${state}`, 'aria-hidden': 'true' }),
      `${words.charAt(0).toUpperCase()}${words.slice(1)}: `,
      element('strong', { class: 'number' }, states),
    )
  })
  return element('ul', { class: 'map-legend' }, ...counts)
}

/**
 * @param {string} caption
 * @param {Exposure[]} exposures
 * @param {string} where
 */
function listOf(caption, exposures, where) {
  return table({
    caption,
    rows: exposures,
    href: ({ jurisdiction_id }) => linkTo('nexus', { id: jurisdiction_id }),
    empty: {
      title: `No thresholds are touched ${where}`,
      text: 'A place appears here with its first recorded sale that counts towards a threshold.',
    },
    columns: [
      { head: 'Place', cell: ({ jurisdiction_name }) => jurisdiction_name },
      {
        head: 'Reached',
        phone: 'figure',
        cell: (each) =>
          element(
            'span',
            { class: 'share' },
            thresholdBar(each.progress.ratio, stateOf(each)),
            element('span', { class: 'number' }, formatShare(each.progress.ratio)),
          ),
      },
      { head: 'State', cell: (each) => badge(stateOf(each)) },
      {
        head: 'Sales',
        cell: (each) =>
          element(
            'span',
            {},
            element('span', { class: 'number' }, formatMoney(each.progress.amount, each.progress.currency)),
            element(
              'span',
              { class: 'quiet small of' },
              ` in ${counted(each.progress.transaction_count, 'transaction')}, of ${limitWords(each)}`,
            ),
          ),
      },
    ],
  })
}
