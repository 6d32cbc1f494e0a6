import { homeCountry } from '../account.ts'
import { callApi } from '../api.ts'
import { element } from '../legacy/elements.js'
import { formatDay, formatMoney } from '../legacy/format.js'
import { badge } from '../legacy/badge.js'
import { nameOfPlace } from '../schemes.ts'
import { FORMS, MEMBER_STATES } from './forms.ts'
import { periodWords } from './period-words.ts'
import { linkToReturn } from './return-address.ts'

/**
 * @import { z } from 'zod'
 * @import { ObligationsAnswer } from '../../src/obligations/schemas.ts'
 * @import { ReturnsAnswer } from '../../src/reports/returns/schemas.ts'
 * @import { Version } from './read-return.ts'
 * @typedef {z.output<typeof ObligationsAnswer>['obligations'][number]} Obligation
 * @typedef {z.output<typeof ObligationsAnswer>['without_dates'][number]} WithoutDates
 * @typedef {{ obligations: Obligation[], without_dates: WithoutDates[], filed: Version[], filed_total: number }} Calendar
 */

const DAYS_BACK = 290
const DAYS_AHEAD = 105
const DAY_MS = 86_400_000
const PAGES_MAX = 5

/**
 * Reads what is due from ten months ago to three months ahead, and what was filed.
 * @returns {Promise<Calendar>}
 */
export async function readCalendar() {
  const dayIn = (/** @type {number} */ days) =>
    new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)
  const query = { from: dayIn(-DAYS_BACK), to: dayIn(DAYS_AHEAD), limit: '100' }
  const [first, filed] = await Promise.all([readObligations(query, 0), readFiled()])
  const obligations = [...first.obligations]
  for (let page = 1; page < PAGES_MAX && obligations.length < first.total; page += 1)
    obligations.push(...(await readObligations(query, obligations.length)).obligations)
  return { obligations, without_dates: first.without_dates, filed: filed.returns, filed_total: filed.total }
}

/**
 * @param {Record<string, string>} query
 * @param {number} offset
 * @returns {Promise<z.output<typeof ObligationsAnswer>>}
 */
function readObligations(query, offset) {
  return callApi('GET', '/v1/obligations', { query: { ...query, offset: String(offset) } })
}

/** @returns {Promise<z.output<typeof ReturnsAnswer>>} */
function readFiled() {
  return callApi('GET', '/v1/returns', { query: { status: 'filed', limit: '100' } })
}

/** The return that an obligation asks for. @param {Obligation} obligation */
export function periodOfObligation({ type, period, filing_url }) {
  const asked = new URLSearchParams(filing_url?.split('?')[1])
  return type === null ? null : { type, period, jurisdiction_id: asked.get('jurisdiction_id') }
}

/**
 * The calendar as a list: what is to be filed, what has not ended, what was filed.
 * @param {Calendar} calendar
 * @param {ReadonlyMap<string, string>} names of the jurisdictions
 * @param {string | null} current the link to the return that is shown
 */
export function obligationList({ obligations, without_dates, filed, filed_total }, names, current) {
  const inStatus = (/** @type {string[]} */ ...wanted) =>
    obligations
      .filter(({ status }) => wanted.includes(status))
      .toSorted((one, other) => Number(isHome(other)) - Number(isHome(one)))
      .map((each) => dueItem(each, names, current))
  const groups = [
    group(
      'Without due dates',
      without_dates.map((each) => withoutDatesItem(each, names, current)),
    ),
    group('To file', inStatus('overdue', 'due')),
    group('Not ended yet', inStatus('open')),
    group(
      filed_total > filed.length ? `Filed, the latest ${filed.length} of ${filed_total}` : 'Filed',
      filed.map((each) => filedItem(each, names, current)),
    ),
  ]
  return element('nav', { class: 'obligations', 'aria-label': 'Returns' }, ...groups)
}

/**
 * The seller's own country comes first: its return is usually the largest liability.
 * @param {Obligation} obligation
 */
function isHome({ jurisdiction_id }) {
  return jurisdiction_id !== null && jurisdiction_id === homeCountry()
}

/**
 * @param {string} title
 * @param {HTMLElement[]} items
 */
function group(title, items) {
  return items.length === 0
    ? null
    : element('section', {}, element('h2', {}, title), element('ul', {}, ...items))
}

/**
 * @param {Obligation} obligation
 * @param {ReadonlyMap<string, string>} names
 * @param {string | null} current
 */
function dueItem(obligation, names, current) {
  const { jurisdiction_id, scheme, period, last_date, status, so_far } = obligation
  const asked = periodOfObligation(obligation)
  const amounts = so_far.map(({ currency, tax_amount }) => formatMoney(tax_amount, currency)).join(' + ')
  return item(asked === null ? null : linkToReturn(asked), current, {
    name: nameOfPlace(jurisdiction_id ?? scheme ?? '', names),
    beside: status === 'open' ? null : badge(status),
    // The year of the due date is that of the period, or the next.
    below: `${periodWords(period)} · due ${formatDay(last_date).slice(0, -5)}`,
    amount: asked === null ? 'no form here' : amounts,
  })
}

/**
 * A registration without due dates. That of a member state leads to the domestic return of the last month.
 * @param {WithoutDates} registration
 * @param {ReadonlyMap<string, string>} names
 * @param {string | null} current
 */
function withoutDatesItem({ jurisdiction_id, scheme, message }, names, current) {
  const has_form = jurisdiction_id !== null && MEMBER_STATES.includes(jurisdiction_id)
  const asked = { type: 'eu_domestic', period: lastMonth(new Date()), jurisdiction_id }
  return item(has_form ? linkToReturn(asked) : null, current, {
    name: nameOfPlace(jurisdiction_id ?? scheme ?? '', names),
    beside: null,
    below: has_form ? `${message}. Open ${periodWords(asked.period)}` : message,
    amount: '',
  })
}

/** @param {Date} now */
function lastMonth(now) {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 7)
}

/**
 * @param {Version} version
 * @param {ReadonlyMap<string, string>} names
 * @param {string | null} current
 */
function filedItem(version, names, current) {
  const { type, jurisdiction_id, period, filed_at, late_entries } = version
  return item(linkToReturn(version), current, {
    name: nameOfPlace(jurisdiction_id ?? FORMS[type].of ?? FORMS[type].name, names),
    beside: late_entries ? badge('late entries', 'warn') : null,
    below: `${periodWords(period)} · filed ${formatDay(filed_at)}`,
    amount: '',
  })
}

/**
 * @param {string | null} href
 * @param {string | null} current
 * @param {{ name: string, beside: HTMLElement | null, below: string, amount: string }} words
 */
function item(href, current, { name, beside, below, amount }) {
  const content = [
    element('span', { class: 'line' }, element('strong', {}, name), beside),
    element(
      'span',
      { class: 'line small' },
      element('span', { class: 'quiet' }, below),
      element('span', { class: 'number' }, amount),
    ),
  ]
  return element(
    'li',
    {},
    href === null
      ? element('div', {}, ...content)
      : element('a', { href, 'aria-current': href === current && 'page' }, ...content),
  )
}
