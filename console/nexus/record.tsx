import type { Child } from 'hono/jsx/dom'
import type { NexusAnswer, NexusExposure, UnmeasuredPlace } from '../../client/src/schema.ts'
import { may } from '../account.ts'
import { linkTo, type RecordProps } from '../address.ts'
import { read } from '../api.ts'
import { formatCount, formatDay, formatMoney, formatShare, withDays } from '../format.ts'
import { placeName, withNames } from '../names.ts'
import { List, Read } from '../parts/load.tsx'
import { Badge, Day, Facts, LinkButton, Source, useTitle } from '../parts/parts.tsx'
import { counted, inWords, sentence, withSpaces } from '../words.ts'
import {
  ANY_SALE,
  paceWords,
  presenceWords,
  stateOf,
  ThresholdBar,
  uncollectedWords,
  unmeasuredWords,
  WHY_UNMEASURED,
} from './exposure.tsx'

/** The threshold of one place and the sales that count towards it. */
export function Record({ id }: RecordProps) {
  const show = ({ jurisdictions, not_monitored }: NexusAnswer) => {
    const exposure = jurisdictions.find((each) => each.jurisdiction_id === id)
    if (exposure !== undefined) return <Threshold exposure={exposure} />
    const sales = not_monitored.find((each) => each.jurisdiction_id === id)
    return <NotMeasured id={id} sales={sales} />
  }
  return <Read read={() => withNames(read('/v1/nexus'))} of={[id]} lines={10} show={show} />
}

function linkToSales(jurisdiction_id: string): string {
  return linkTo('transactions', { query: new URLSearchParams({ jurisdiction_id }) })
}

/** A place without a threshold, or without sales that count. */
function NotMeasured({ id, sales }: { id: string; sales: UnmeasuredPlace | undefined }) {
  useTitle(placeName(id))
  return (
    <>
      <p>{sales ? WHY_UNMEASURED[sales.why] : 'No recorded sale counts towards a threshold here.'}</p>
      {sales && (
        <Facts
          of={[['Sales of the last 12 months', <a href={linkToSales(id)}>{unmeasuredWords(sales)}</a>]]}
        />
      )}
      <RegisterLink id={id} />
    </>
  )
}

function Threshold({ exposure }: { exposure: NexusExposure }) {
  const { progress, threshold, notes, jurisdiction_name } = exposure
  const state = stateOf(exposure)
  const { text, register } = adviceOf(exposure)
  useTitle(jurisdiction_name, <Badge word={state} />, [state])
  return (
    <>
      {progress.ratio !== null && (
        <div class="reached">
          <strong class="number">{formatShare(progress.ratio)}</strong>
          <ThresholdBar ratio={progress.ratio} state={state} />
          <p class="quiet small">The marks are at 85 % and 100 % of the threshold.</p>
        </div>
      )}
      <div>
        <p>{text}</p>
        {register && <RegisterLink id={exposure.jurisdiction_id} />}
      </div>
      <Facts of={factsOf(exposure)} />
      <List lines={notes} />
      {threshold.notes !== null && <p class="quiet">{withDays(threshold.notes)}</p>}
      <p class="quiet small">
        Source: <Source url={threshold.source_url} name={threshold.source} />, verified{' '}
        <Day at={threshold.last_verified_at} />
      </p>
    </>
  )
}

const PRESENT = 'With physical presence you must register whatever the threshold, from the first sale since'

/** The next step for the seller. */
function adviceOf({ registered, status, nexus_kind, nexus_since, exceeded_on, next_period }: NexusExposure) {
  if (registered) return { text: 'You are registered here.', register: false }
  if (nexus_kind === 'physical' && nexus_since !== null)
    return { text: `${PRESENT} ${formatDay(nexus_since)}. Register, and collect the tax.`, register: true }
  if (status === 'below' && next_period !== null && next_period.status !== 'below') {
    const from = formatDay(next_period.obliges_from)
    const text =
      next_period.status === 'exceeded'
        ? `The sales of this year have passed the threshold. Register, and collect the tax from ${from}.`
        : `This year’s sales are close to the threshold. If they pass it, you must register from ${from}.`
    return { text, register: true }
  }
  if (status === 'below')
    return { text: 'No action needed. Your sales are below the threshold.', register: false }
  const on = exceeded_on === null ? '' : ` on ${formatDay(exceeded_on)}`
  if (status === 'depends_on_turnover')
    return { text: 'This depends on your worldwide turnover. Enter it in Settings.', register: false }
  const text =
    status === 'exceeded'
      ? `The threshold was passed${on}. Register, and collect the tax from your first day.`
      : 'You are close to the threshold. Prepare the registration, to collect the tax in time.'
  return { text, register: true }
}

function RegisterLink({ id }: { id: string }) {
  if (!may('registrations:write')) return null
  return (
    <div class="actions">
      <LinkButton to={`#/registrations/new?place=${encodeURIComponent(id)}`} name="Add a registration" />
    </div>
  )
}

/** How the tax that was not collected is estimated. */
const ESTIMATED =
  'taxable sales since you had to register, at today’s rates of their products, without local taxes'

function factsOf(exposure: NexusExposure): [name: string, value: Child][] {
  const { progress, threshold, measured_from, measured_to, exceeded_on, jurisdiction_id } = exposure
  const { next_period: next, worldwide_turnover: world } = exposure
  const sales = formatCount(progress.transaction_count)
  const uncollected = uncollectedWords(exposure)
  const pace = paceWords(exposure)
  const test = threshold.amount_test === 'exceeds' ? 'More than' : 'At least'
  return [
    ['Sales counted', formatMoney(progress.amount, progress.currency)],
    ['Transactions counted', <a href={linkToSales(jurisdiction_id)}>{sales}</a>],
    [
      'Threshold',
      sentence(threshold.amount === 0 ? limitWords(exposure) : `${test} ${limitWords(exposure)}`),
    ],
    ['Measured over', sentence(periodWords(exposure))],
    ['Days measured', `${formatDay(measured_from)} to ${formatDay(measured_to)}`],
    ['Recorded sales worldwide', world && formatMoney(world.recorded, world.currency)],
    ['Your worldwide turnover', statedWords(world)],
    ['Physical presence', presenceWords(exposure)],
    ['Passed on', exceeded_on && formatDay(exceeded_on)],
    ['Forecast', pace && sentence(pace)],
    ['Tax not collected', uncollected && `${sentence(uncollected)}: ${ESTIMATED}`],
    ['Sales of this year', next && formatMoney(next.progress.amount, next.progress.currency)],
    ['Registration required from', next && formatDay(next.obliges_from)],
    ['Sales that count', inWords(threshold.included_sales ?? 'all')],
    ['In force since', threshold.effective_from && formatDay(threshold.effective_from)],
  ]
}

/** The worldwide turnover that the account states. Null: none, or no threshold counts it. */
function statedWords(world: NexusExposure['worldwide_turnover']): string | null {
  return world === null || world.stated === null ? null : formatMoney(world.stated, world.currency)
}

const PERIODS: Readonly<Record<string, string>> = {
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
  seller_accounting_year: 'your financial year',
}

/** The limits of a threshold: $100,000.00 or 200 transactions. */
function limitWords({ threshold, progress }: NexusExposure): string {
  const { amount, transaction_count, combinator, worldwide_amount } = threshold
  const money = (minor: number) => formatMoney(minor, threshold.currency ?? progress.currency)
  const limits = [
    amount === null ? null : amount === 0 ? ANY_SALE : money(amount),
    transaction_count === null ? null : counted(transaction_count, 'transaction'),
  ]
    .filter((limit) => limit !== null)
    .join(` ${combinator ?? 'or'} `)
  if (worldwide_amount === null) return limits
  return `${limits}, if worldwide turnover is ${money(worldwide_amount)} or more`
}

function periodWords({ threshold }: NexusExposure): string {
  const period = threshold.measurement_period ?? 'none'
  return PERIODS[period] ?? withSpaces(period)
}
