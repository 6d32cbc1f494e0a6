import { callApi } from '../api.ts'
import { copyButton, definitions, element } from '../legacy/elements.js'
import { formatMoney, moment } from '../legacy/format.js'
import { loaded } from '../legacy/load.js'
import { table } from '../legacy/table.js'
import { periodOfObligation } from './obligation-list.js'
import { periodWords } from './period-words.ts'
import { readFigures } from './read-return.ts'
import { linkToReturn } from './return-address.ts'

/**
 * @import { z } from 'zod'
 * @import { ApiKeysAnswer } from '../../src/accounts/schemas.ts'
 * @import { Calendar } from './obligation-list.js'
 * @import { TaxReturn, Version } from './read-return.ts'
 */

/**
 * The kept facts of a filed return, the late entries after it, and its versions.
 * @param {TaxReturn} shown
 * @param {Calendar} calendar
 */
export function filedCard({ filed, versions }, calendar) {
  const parts = [filed === null ? null : keptPart(filed, calendar), versionsPart(versions, filed)]
  return parts.filter((part) => part !== null)
}

/**
 * @param {Version} filed
 * @param {Calendar} calendar
 */
function keptPart(filed, calendar) {
  return element(
    'section',
    { class: 'card stack', 'aria-labelledby': 'kept' },
    element('h2', { id: 'kept' }, `Filed, version ${filed.version}`),
    definitions([
      ['Filed', moment(filed.filed_at)],
      ['By the key', keyName(filed.filed_by)],
      ['Rows kept', filed.row_count.toLocaleString()],
      ['Data version', filed.data_version],
    ]),
    hashLine('Hash', filed.hash),
    filed.previous_hash === ''
      ? element('p', { class: 'quiet small' }, 'It is the first return of the chain.')
      : hashLine('Hash of the return filed before it', filed.previous_hash),
    element('h3', {}, 'What came after it'),
    afterPart(filed, calendar),
  )
}

/**
 * The name of a key. It stays the id if the key has no name, is revoked, or if keys may not be read.
 * @param {string} id
 */
function keyName(id) {
  const shown = element('span', {}, id)
  /** @type {Promise<z.output<typeof ApiKeysAnswer>>} */
  const asked = callApi('GET', '/v1/api-keys', { query: { limit: '100' } })
  asked.then(
    ({ api_keys }) => shown.replaceChildren(api_keys.find((each) => each.id === id)?.name ?? id),
    () => {},
  )
  return shown
}

/**
 * @param {string} name
 * @param {string} hash
 */
function hashLine(name, hash) {
  return element(
    'div',
    { class: 'hash' },
    element('span', { class: 'quiet small' }, name),
    element('code', {}, hash),
    copyButton(hash, 'Copy'),
  )
}

/**
 * @param {Version} filed
 * @param {Calendar} calendar
 */
function afterPart(filed, calendar) {
  if (filed.status === 'reopened')
    return element(
      'p',
      {},
      'It was reopened on ',
      moment(filed.reopened_at),
      `, because: ${filed.reopen_reason ?? 'no reason was kept'}. It counts no more.`,
    )
  if (!filed.late_entries)
    return element('p', {}, 'Nothing: no sale and no refund of these days was recorded later.')
  const next = nextOpen(filed, calendar)
  if (next === null)
    return element(
      'p',
      {},
      'Sales or refunds of these days were recorded later. The next open return corrects them.',
    )
  return loaded(() => correctionIn(next, filed.period), { lines: 1 })
}

/**
 * The first open return after a filed one.
 * @param {Version} filed
 * @param {Calendar} calendar
 */
function nextOpen({ type, jurisdiction_id, to_date }, { obligations }) {
  const later = obligations
    .filter((each) => each.type === type && each.from_date > to_date && each.status !== 'filed')
    .map(periodOfObligation)
    .find((each) => each !== null && each.jurisdiction_id === jurisdiction_id)
  return later ?? null
}

/**
 * @param {{ type: string, period: string, jurisdiction_id: string | null }} next
 * @param {string} period that was filed
 */
async function correctionIn(next, period) {
  const { corrections } = await readFigures(next, null)
  const own = corrections.filter((each) => each.period === period)
  const amounts = own.map(({ tax_amount, currency }) => formatMoney(tax_amount, currency))
  return element(
    'p',
    {},
    'Sales or refunds of these days were recorded later. ',
    element('a', { href: linkToReturn(next) }, `The return of ${periodWords(next.period)}`),
    amounts.length === 0 ? ' declares them.' : ` corrects this one by ${amounts.join(', ')} of tax.`,
  )
}

/**
 * @param {Version[]} versions
 * @param {Version | null} shown
 */
function versionsPart(versions, shown) {
  if (versions.length === 0 || (versions.length === 1 && shown !== null)) return null
  return table({
    caption: 'Versions',
    show_caption: true,
    rows: versions,
    columns: [
      {
        head: 'Version',
        cell: (each) => {
          const name = `Version ${each.version}${each.id === shown?.id ? ', shown' : ''}`
          return element('a', { href: linkToReturn(each, { version: each.id }) }, name)
        },
      },
      { head: 'Filed', cell: ({ filed_at }) => moment(filed_at) },
      { head: 'Reopened', cell: ({ reopened_at }) => (reopened_at === null ? null : moment(reopened_at)) },
      { head: 'Reason', cell: ({ reopen_reason }) => reopen_reason },
    ],
  })
}
