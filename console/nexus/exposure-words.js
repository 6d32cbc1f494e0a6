import { formatMoney } from '../legacy/format.js'
import { counted, withSpaces } from '../words.ts'

/**
 * @import { z } from 'zod'
 * @import { NexusAnswer } from '../../src/nexus/schemas.ts'
 * @typedef {z.output<typeof NexusAnswer>['jurisdictions'][number]} Exposure
 */

/** @type {Readonly<Record<string, string>>} */
const PERIODS = {
  current_calendar_year: 'this calendar year',
  previous_calendar_year: 'last calendar year',
  previous_calendar_year_from_april: 'last calendar year, from April',
  previous_or_current_calendar_year: 'last or this calendar year',
  trailing_12_months: 'the last 12 months',
  current_or_projected_12_months: '12 months, as far as recorded',
  trailing_12_months_tested_quarterly: 'the last 12 months, tested each quarter',
  preceding_four_quarters: 'the last four quarters',
  preceding_four_sales_tax_quarters: 'the last four sales tax quarters',
  four_consecutive_quarters: 'four quarters in a row',
  '12_months_ending_september_30': '12 months to 30 September',
  accounting_period: 'the accounting period',
  seller_accounting_year: 'your accounting year',
}

/**
 * The state of a place in one word: `registered` ends all questions.
 * @param {Pick<Exposure, 'status' | 'registered'>} exposure
 */
export function stateOf({ status, registered }) {
  return registered ? 'registered' : status
}

/** The limits of a threshold: $100,000.00 or 200 transactions. @param {Exposure} exposure */
export function limitWords({ threshold, progress }) {
  const { amount, currency, transaction_count, combinator, worldwide_amount } = threshold
  const limits = [
    amount === null ? null : formatMoney(amount, currency ?? progress.currency),
    transaction_count === null ? null : counted(transaction_count, 'transaction'),
  ]
    .filter((limit) => limit !== null)
    .join(` ${combinator ?? 'or'} `)
  return worldwide_amount === null
    ? limits
    : `${limits} and ${formatMoney(worldwide_amount, currency ?? progress.currency)} in all countries`
}

/** @param {Exposure} exposure */
export function periodWords({ threshold }) {
  const period = threshold.measurement_period ?? 'none'
  return PERIODS[period] ?? withSpaces(period)
}

/** Places in words: `California, Texas and 3 more`. @param {string[]} names */
export function nameSome(names) {
  const shown = names.slice(0, 3).join(', ')
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown
}
