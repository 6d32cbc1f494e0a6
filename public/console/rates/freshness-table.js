import { callApi } from '../api.js'
import { definitions, element, svgElement } from '../elements.js'
import { dayOf, moment } from '../format.js'
import { linkTo } from '../address.js'
import { badge } from '../parts/badge.js'
import { plainTable, table } from '../parts/table.js'
import { counted, withSpaces } from '../words.js'

/**
 * @import { z } from 'zod'
 * @import { SyncStatusAnswer } from '../../../src/metadata/schemas.ts'
 * @import { Child } from '../elements.js'
 * @import { Drawer } from '../parts/drawer.js'
 * @typedef {z.output<typeof SyncStatusAnswer>['regions'][number]} Region
 */

const DAY_MS = 86_400_000

/** @type {Readonly<Record<Region['region'], string>>} */
const NAMES = {
  EU: 'European Union',
  UK: 'United Kingdom',
  US: 'United States, thresholds',
  'US-TAX': 'United States, state rates',
  'US-LOCAL': 'United States, local rates',
  CA: 'Canada',
  AU: 'Australia',
  NZ: 'New Zealand',
  TAXABILITY: 'All regions, products',
  'FX-ECB': 'Exchange rates, ECB',
  'FX-HMRC': 'Exchange rates, HMRC',
  'FX-BOC': 'Exchange rates, Bank of Canada',
}

/** @returns {Promise<z.output<typeof SyncStatusAnswer>>} */
function readStatus() {
  return callApi('GET', '/v1/metadata/sync-status')
}

const nextRun = {
  head: 'Next run',
  cell: (/** @type {Region} */ { next_run_at }) => (next_run_at === null ? null : dayOf(next_run_at)),
}

/**
 * How fresh the data of each region is: its age beside the days in which it counts as fresh.
 * @param {URLSearchParams} query of the address, which the drawer keeps
 */
export async function freshnessTable(query) {
  const { regions, data_version } = await readStatus()
  return element(
    'div',
    { class: 'stack' },
    table({
      caption: 'Freshness by region',
      rows: regions,
      href: ({ region }) => linkTo('rates', { id: region, query }),
      columns: [
        { head: 'Region', cell: ({ region }) => NAMES[region] },
        { head: 'State', phone: 'figure', cell: ({ status }) => stateBadge(status) },
        { head: 'Data', cell: ({ data }) => data },
        { head: 'Age', cell: ageOf },
        ...(regions.some(({ next_run_at }) => next_run_at !== null) ? [nextRun] : []),
      ],
    }),
    element('p', { class: 'quiet small' }, `Data version ${data_version}`),
  )
}

/** @param {Region['status']} status */
function stateBadge(status) {
  return status === 'unknown' ? badge('as shipped', 'warn') : badge(status)
}

/** @param {Region} region */
function ageOf({ note, last_successful_fetch, freshness_window_days }) {
  if (freshness_window_days === null) return note
  if (last_successful_fetch === null) return 'no run yet'
  const days = Math.floor((Date.now() - Date.parse(last_successful_fetch)) / DAY_MS)
  const share = Math.min(1, days / freshness_window_days)
  const state = share >= 1 ? 'exceeded' : share >= 0.85 ? 'approaching' : 'registered'
  return element(
    'span',
    { class: 'share' },
    svgElement(
      'svg',
      {
        class: `threshold-bar ${state}`,
        viewBox: '0 0 100 10',
        preserveAspectRatio: 'none',
        'aria-hidden': 'true',
      },
      svgElement('rect', { class: 'track', y: 2, width: 100, height: 6 }),
      svgElement('rect', { class: 'reached', y: 2, width: share * 100, height: 6 }),
    ),
    `${counted(days, 'day')} of ${freshness_window_days}`,
  )
}

/**
 * The last run of a region and the sources that it read.
 * @param {Drawer} drawer
 * @param {string} id
 * @returns {Promise<Child[]>}
 */
export async function showRegion(drawer, id) {
  const { regions } = await readStatus()
  const region = regions.find((each) => each.region === id)
  if (region === undefined) return [element('p', {}, `There is no region ${id}.`)]
  drawer.setTitle(NAMES[region.region], stateBadge(region.status))
  const { last_run, note, cadence_days, freshness_window_days } = region
  if (cadence_days === null || freshness_window_days === null)
    return [definitions([['Data', region.data]]), element('p', {}, note ?? '')]
  return [
    definitions([
      ['Data', region.data],
      ['Read every', counted(cadence_days, 'day')],
      ['Fresh for', counted(freshness_window_days, 'day')],
      ['Last success', moment(region.last_successful_fetch)],
      ['Failures in a row', String(region.consecutive_failures)],
      ['Next run', region.next_run_at === null ? 'not planned' : moment(region.next_run_at)],
    ]),
    ...(last_run === null
      ? [element('p', {}, 'The collector has not run yet. The data is as shipped.')]
      : runOf(last_run)),
  ]
}

/** @param {NonNullable<Region['last_run']>} run */
function runOf(run) {
  return [
    element('h3', {}, 'The last run'),
    definitions([
      ['Started', moment(run.started_at)],
      ['Outcome', withSpaces(run.outcome)],
      ['Records seen', run.records_seen.toLocaleString()],
      ['Changed', run.records_changed.toLocaleString()],
      ['Added', run.records_added.toLocaleString()],
      ['Held for a review', run.records_held.toLocaleString()],
    ]),
    run.error === null ? null : element('p', { class: 'failure' }, run.error),
    run.sources.length === 0
      ? null
      : plainTable(
          'Sources',
          ['Part', 'Read from', 'Others'],
          run.sources.map(({ part, source, fallback, others }) => [
            part,
            `${source ?? 'none answered'}${fallback ? ', in place of the first source' : ''}`,
            others.map((each) => `${each.source}: ${each.error}`).join('; '),
          ]),
        ),
  ]
}
