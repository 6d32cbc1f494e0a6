import type { OverviewAnswer } from '../../client/src/schema.ts'
import { may } from '../account.ts'
import { linkTo } from '../address.ts'
import { formatCount, formatDay, formatMoney } from '../format.ts'
import { sumsOf } from '../returns/return.ts'
import { counted } from '../words.ts'
import { TO_REVIEW } from './matters.ts'

/** `values` are of equal rank: amounts of several currencies. `tone`: bad news, or none at all. */
type FigureOf = { values: readonly string[]; beside: string; tone?: 'bad' | 'none' | undefined }

/** The figures that lead to their views. `overview` is null until it is read. */
export function KeyFigures({ overview, failed }: { overview: OverviewAnswer | null; failed: boolean }) {
  const figures = FIGURES.filter(({ scope }) => may(scope))
  if (figures.length === 0) return null
  const show = (figure: FigureOf | null): FigureOf => {
    if (overview === null && !failed) return { values: ['…'], beside: '' }
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

const UNREAD: FigureOf = { values: ['–'], beside: 'Could not be loaded' }

function countOf(count: number, beside: string, bad = false): FigureOf {
  return { values: [formatCount(count)], beside, tone: bad ? 'bad' : count === 0 ? 'none' : undefined }
}

function owed({ returns, currency }: OverviewAnswer): FigureOf | null {
  if (returns === null) return null
  const { overdue, due, to_file, first: unfiled } = returns
  const sums = sumsOf([{ so_far: to_file }], currency)
  const oldest = unfiled.find(({ status }) => status === 'overdue')
  const late =
    oldest === undefined
      ? 'none overdue'
      : `${formatCount(overdue)} overdue, since ${formatDay(oldest.last_date)}`
  return {
    values:
      sums.length === 0 ? [zeroIn(currency)] : sums.map((each) => formatMoney(each.amount, each.currency)),
    beside: `${counted(overdue + due, 'return')}, ${late}`,
    tone: overdue > 0 ? 'bad' : overdue + due === 0 ? 'none' : undefined,
  }
}

/** Nothing, in the currency of the account if its country is known. */
function zeroIn(currency: string | null): string {
  return currency === null ? '0' : formatMoney(0, currency)
}

function near({ nexus }: OverviewAnswer): FigureOf | null {
  if (nexus === null) return null
  const { exceeded, approaching } = nexus
  const beside = exceeded === 0 ? 'None to register in' : `${formatCount(exceeded)} to register in`
  return countOf(exceeded + approaching, beside, exceeded > 0)
}

function toReview({ certificates }: OverviewAnswer): FigureOf | null {
  if (certificates === null) return null
  const { pending, has_more } = certificates
  const figure = countOf(pending, pending === 0 ? 'None waits' : 'Not used until you approve them')
  return has_more ? { ...figure, values: [`${pending}+`] } : figure
}

function withFailures({ webhooks }: OverviewAnswer): FigureOf | null {
  if (webhooks === null) return null
  const { failing, disabled, total } = webhooks
  const words = [failing > 0 && `${failing} failing`, disabled > 0 && `${disabled} disabled`, `of ${total}`]
  return countOf(disabled + failing, total === 0 ? 'No webhook yet' : words.filter(Boolean).join(', '))
}

/** A key without the scope does not see the figure. */
export const FIGURES = [
  { scope: 'reports:read', name: 'Unfiled tax', href: linkTo('returns'), of: owed },
  { scope: 'reports:read', name: 'Thresholds: passed or close', href: linkTo('nexus'), of: near },
  { scope: 'customers:read', name: 'Certificates to review', href: TO_REVIEW, of: toReview },
  { scope: 'webhooks:read', name: 'Webhooks with failures', href: linkTo('webhooks'), of: withFailures },
] as const

function Figure({ name, values, beside, href, tone }: FigureOf & { name: string; href: string }) {
  return (
    <a class={`card key-figure ${tone ?? ''}`} href={href}>
      <span class="quiet">{name}</span>
      {values.map((value) => (
        <strong>{value}</strong>
      ))}
      <span class="quiet small">{beside}</span>
    </a>
  )
}
