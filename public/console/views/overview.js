import { linkTo } from '../address.js'
import { callApi } from '../api.js'
import { element, failureNotice, select } from '../elements.js'
import { formatDay, formatMoney, formatShare, shortMoney } from '../format.js'
import { readOverview } from '../overview/read-overview.js'
import { lastTwelveMonths, monthWords, seriesOfRegions } from '../overview/tax-by-region.js'
import { badge } from '../parts/badge.js'
import { columnChart } from '../parts/chart.js'
import { load } from '../parts/load.js'
import { placeNames } from '../parts/names.js'
import { emptyState, table } from '../parts/table.js'
import { transactionColumns } from '../transactions/columns.js'
import { counted, returnName } from '../words.js'

/**
 * @import { z } from 'zod'
 * @import { SummaryAnswer } from '../../../src/reports/schemas.ts'
 * @import { TransactionsAnswer } from '../../../src/transactions/answers.ts'
 * @import { Overview } from '../overview/read-overview.js'
 * @import { Page } from '../views.js'
 */

/**
 * All parts are shown at once, so that nothing moves while it is read.
 * @param {Pick<Page, 'place'>} page
 */
export function show({ place }) {
  return load(place, () => readParts(() => void show({ place })), { lines: 12 })
}

/** @param {() => void} retry */
async function readParts(retry) {
  const overview = readOverview()
  const [figures, matters, returns, taxes, sales] = await Promise.all([
    partOf(retry, async () => keyFigures(await overview)),
    partOf(retry, async () => attention(await overview)),
    partOf(retry, async () => openReturns(await overview)),
    partOf(retry, async () => taxByMonth(await overview)),
    partOf(retry, latest),
  ])
  return element(
    'div',
    { class: 'stack' },
    figures,
    element(
      'div',
      { class: 'halves' },
      section('Needs attention', matters),
      section('Open returns', returns),
    ),
    section('Tax by month', taxes),
    section('Latest transactions', sales),
  )
}

/**
 * A part, or what failed in its place.
 * @param {() => void} retry
 * @param {() => Promise<HTMLElement>} read
 */
async function partOf(retry, read) {
  try {
    return await read()
  } catch (thrown) {
    return failureNotice(thrown, retry)
  }
}

/**
 * @param {string} title
 * @param {HTMLElement} part
 */
function section(title, part) {
  return element('section', { class: 'section', 'aria-label': title }, element('h2', {}, title), part)
}

/** @param {Overview} overview */
function keyFigures({ returns, nexus, certificates, webhooks, currency }) {
  const passed = nexus?.filter(({ status }) => status === 'exceeded').length ?? 0
  const open = returns?.filter(({ status }) => status !== 'filed') ?? null
  const disabled = webhooks?.filter(({ reason }) => reason === 'webhook_disabled') ?? null
  const owed = open === null ? null : sumsOf(open)
  const [first, ...others] = (owed ?? []).toSorted(
    (one, other) => Number(other.currency === currency) - Number(one.currency === currency),
  )
  return element(
    'div',
    { class: 'key-figures' },
    figure({
      name: 'Tax in open returns',
      value: open === null ? null : first === undefined ? '0' : formatMoney(first.amount, first.currency),
      beside:
        others.length === 0
          ? counted(open?.length ?? 0, 'return')
          : others.map((sum) => formatMoney(sum.amount, sum.currency)).join(', '),
      href: linkTo('returns'),
    }),
    figure({
      name: 'Thresholds reached or near',
      value: nexus === null ? null : String(nexus.length),
      beside: `${passed} passed without registration`,
      href: linkTo('nexus'),
    }),
    figure({
      name: 'Certificates to review',
      value: certificates === null ? null : `${certificates.count}${certificates.has_more ? '+' : ''}`,
      beside: 'They count after a review',
      href: linkTo('certificates', { query: new URLSearchParams({ status: 'pending' }) }),
    }),
    figure({
      name: 'Disabled webhooks',
      value: disabled === null ? null : String(disabled.length),
      beside: disabled?.length === 0 ? 'All are delivered' : 'Their events wait',
      href: linkTo('webhooks'),
    }),
  )
}

/**
 * A figure that leads to its view. Null: the key may not read it.
 * @param {{ name: string, value: string | null, beside: string, href: string }} figure
 */
function figure({ name, value, beside, href }) {
  return element(
    'a',
    { class: 'card key-figure', href },
    element('span', { class: 'quiet' }, name),
    element('strong', {}, value ?? '–'),
    element('span', { class: 'quiet small' }, value === null ? 'The key may not read it' : beside),
  )
}

/**
 * The tax of these returns by currency.
 * @param {{ so_far: { currency: string, tax_amount: number }[] }[]} returns
 */
function sumsOf(returns) {
  const all = returns.flatMap(({ so_far }) => so_far)
  return [...Map.groupBy(all, ({ currency }) => currency)].map(([currency, parts]) => ({
    currency,
    amount: parts.reduce((sum, { tax_amount }) => sum + tax_amount, 0),
  }))
}

/** @type {Readonly<Record<string, { state: string, view: string }>>} How matters look, and where they are mended. */
const MATTERS = {
  webhook_unconfirmed: { state: 'pending', view: 'webhooks' },
  deliveries_over_quota: { state: 'pending', view: 'webhooks' },
  return_not_reconciled: { state: 'overdue', view: 'returns' },
  time_zone_not_set: { state: 'due', view: 'returns' },
}

/** @param {Overview} overview */
function attention({ returns, nexus, certificates, webhooks, today }) {
  const matters = [
    ...(nexus ?? []).map((place) => ({
      state: place.status,
      text: `${place.jurisdiction_name}: ${formatShare(place.progress.ratio)} of the threshold`,
      href: linkTo('nexus', { id: place.jurisdiction_id }),
    })),
    ...(returns ?? [])
      .filter(({ status }) => status === 'due' || status === 'overdue')
      .map((due) => ({
        state: due.status,
        text: `${returnName(due)} of ${due.period}: ${daysUntil(due.last_date, today)}`,
        href: linkTo('returns'),
      })),
    ...(webhooks ?? []).map(({ reason, message, resource_id }) =>
      reason === 'webhook_disabled'
        ? { state: 'disabled', text: message, href: linkTo('webhooks', { id: resource_id }) }
        : {
            state: MATTERS[reason]?.state ?? 'pending',
            text: message,
            href: linkTo(MATTERS[reason]?.view ?? 'settings'),
          },
    ),
    ...(certificates === null || certificates.count === 0
      ? []
      : [
          {
            state: 'pending',
            text: `${counted(certificates.count, 'certificate')} to review`,
            href: linkTo('certificates', { query: new URLSearchParams({ status: 'pending' }) }),
          },
        ]),
  ]
  if (matters.length === 0) return element('p', { class: 'card quiet' }, 'Nothing needs you now.')
  return element(
    'ul',
    { class: 'card attention' },
    ...matters
      .slice(0, 8)
      .map(({ state, text, href }) =>
        element(
          'li',
          {},
          element(
            'a',
            { href },
            badge(state),
            element('span', {}, text),
            element('span', { 'aria-hidden': 'true' }, '→'),
          ),
        ),
      ),
  )
}

/**
 * @param {string} day
 * @param {string} today
 */
function daysUntil(day, today) {
  const days = Math.round((Date.parse(day) - Date.parse(today)) / 86_400_000)
  if (days === 0) return 'due today'
  return days > 0 ? `due in ${counted(days, 'day')}` : `${counted(-days, 'day')} late`
}

/** @param {Overview} overview */
function openReturns({ returns }) {
  const open = (returns ?? []).filter(({ status }) => status !== 'filed')
  if (open.length === 0)
    return element(
      'p',
      { class: 'card quiet' },
      returns === null
        ? 'The key may not read returns.'
        : 'No return is open. Returns are listed for the places where you are registered.',
    )
  return table({
    caption: 'Open returns, the first due first',
    rows: open.slice(0, 6),
    href: () => linkTo('returns'),
    columns: [
      { head: 'Return', cell: (each) => `${returnName(each)}, ${each.period}` },
      { head: 'Due', cell: (each) => `by ${formatDay(each.last_date)}` },
      {
        head: 'Tax so far',
        number: true,
        phone: 'figure',
        cell: ({ so_far }) =>
          so_far.map(({ currency, tax_amount }) => formatMoney(tax_amount, currency)).join(', ') || '–',
      },
    ],
  })
}

/** @param {Overview} overview */
async function taxByMonth({ currency, today }) {
  const months = lastTwelveMonths(today)
  /** @type {z.output<typeof SummaryAnswer>} */
  const { rows } = await callApi('GET', '/v1/reports/summary', {
    query: { from_date: `${months[0]}-01`, to_date: today, group_by: 'jurisdiction_and_month' },
  })
  const currencies = [...new Set(rows.map((row) => row.currency))].toSorted(
    (one, other) => Number(other === currency) - Number(one === currency) || one.localeCompare(other),
  )
  const [first] = currencies
  if (first === undefined)
    return element('p', { class: 'card quiet' }, 'No sales are recorded in the last twelve months.')
  const place = element('div', {})
  const draw = async (/** @type {string} */ chosen) => {
    const of_currency = rows.filter((row) => row.currency === chosen)
    place.replaceChildren(
      columnChart({
        caption: `Tax collected less tax refunded, by month, in ${chosen}`,
        columns: months.map(monthWords),
        series: await seriesOfRegions(of_currency, months),
        format: (value) => formatMoney(value, chosen),
        short: (value) => shortMoney(value, chosen),
      }),
    )
  }
  await draw(first)
  if (currencies.length === 1) return element('div', { class: 'card' }, place)
  const choice = select(
    currencies.map((code) => [code, code]),
    first,
  )
  choice.addEventListener('change', () => void draw(choice.value))
  return element('div', { class: 'card stack' }, element('label', {}, 'Currency ', choice), place)
}

async function latest() {
  const names = await placeNames()
  /** @type {z.output<typeof TransactionsAnswer>} */
  const { transactions } = await callApi('GET', '/v1/transactions', { query: { limit: '5' } })
  if (transactions.length === 0)
    return emptyState({
      title: 'No transactions yet',
      text: 'The latest sales are listed here when your shop records them with POST /v1/transactions.',
      action: element('a', { class: 'button', href: '/docs/quickstart' }, 'Record the first one'),
    })
  return table({
    caption: 'Latest transactions',
    rows: transactions,
    columns: transactionColumns(names),
    href: ({ id }) => linkTo('transactions', { id }),
  })
}
