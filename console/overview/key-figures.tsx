import type { OverviewAnswer } from '../../client/src/schema.ts'
import { may } from '../account.ts'
import { linkTo } from '../address.ts'
import { formatCount, formatDay, formatMoney, formatSums } from '../format.ts'
import { sumsOf } from '../returns/return.ts'
import { counted } from '../words.ts'
import { TO_REVIEW } from './matters.ts'

type FigureOf = { value: string; beside: string; bad?: boolean }

/** The figures that lead to their views. `overview` is null until it is read. */
export function KeyFigures({ overview, failed }: { overview: OverviewAnswer | null; failed: boolean }) {
  const figures = FIGURES.filter(({ scope }) => may(scope))
  if (figures.length === 0) return null
  const show = (figure: FigureOf | null): FigureOf => {
    if (overview === null && !failed) return { value: '…', beside: '' }
    return figure ?? UNREAD
  }
  return (
    <div class="key-figures">
      {figures.map(({ name, href, of }) => (
        <Figure name={name} href={href} {...show(overview && of(overview))} />
      ))}
    </div>
  )
}

const UNREAD: FigureOf = { value: '–', beside: 'Could not be loaded' }

function owed({ returns, currency }: OverviewAnswer): FigureOf | null {
  if (returns === null) return null
  const { overdue, due, to_file, first: unfiled } = returns
  const [first, ...others] = sumsOf([{ so_far: to_file }], currency)
  const oldest = unfiled.find(({ status }) => status === 'overdue')
  const late =
    oldest === undefined
      ? 'none overdue'
      : `${formatCount(overdue)} overdue, since ${formatDay(oldest.last_date)}`
  return {
    value: first === undefined ? zeroIn(currency) : formatMoney(first.amount, first.currency),
    beside: [others.length > 0 && `and ${formatSums(others)}`, counted(overdue + due, 'return'), late]
      .filter(Boolean)
      .join(', '),
    bad: overdue > 0,
  }
}

/** Nothing, in the currency of the account if its country is known. */
function zeroIn(currency: string | null): string {
  return currency === null ? '0' : formatMoney(0, currency)
}

function near({ nexus }: OverviewAnswer): FigureOf | null {
  if (nexus === null) return null
  const { exceeded, approaching } = nexus
  const beside = `${exceeded} to register in`
  return { value: String(exceeded + approaching), beside, bad: exceeded > 0 }
}

function toReview({ certificates }: OverviewAnswer): FigureOf | null {
  if (certificates === null) return null
  const { pending, has_more } = certificates
  return { value: `${pending}${has_more ? '+' : ''}`, beside: 'Not used until you approve them' }
}

function withFailures({ webhooks }: OverviewAnswer): FigureOf | null {
  if (webhooks === null) return null
  const { failing, disabled, total } = webhooks
  return {
    value: String(disabled + failing),
    beside: total === 0 ? 'No webhook yet' : `${failing} failing, ${disabled} disabled, of ${total}`,
  }
}

/** A key without the scope does not see the figure. */
export const FIGURES = [
  { scope: 'reports:read', name: 'Unfiled tax', href: linkTo('returns'), of: owed },
  { scope: 'reports:read', name: 'Thresholds: passed or close', href: linkTo('nexus'), of: near },
  { scope: 'customers:read', name: 'Certificates to review', href: TO_REVIEW, of: toReview },
  { scope: 'webhooks:read', name: 'Webhooks with failures', href: linkTo('webhooks'), of: withFailures },
] as const

function Figure({ name, value, beside, href, bad = false }: FigureOf & { name: string; href: string }) {
  return (
    <a class={bad ? 'card key-figure bad' : 'card key-figure'} href={href}>
      <span class="quiet">{name}</span>
      <strong>{value}</strong>
      <span class="quiet small">{beside}</span>
    </a>
  )
}
