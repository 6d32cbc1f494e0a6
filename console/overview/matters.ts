import type { OverviewAnswer } from '../../client/src/schema.ts'
import { linkTo } from '../address.ts'
import { linkToCertificate } from '../certificates/certificate.tsx'
import { formatDay, formatShare, formatSums } from '../format.ts'
import { uncollectedWords } from '../nexus/exposure.tsx'
import { linkToReturn, returnOf, sumsOf } from '../returns/return.ts'
import { linkToWebhook } from '../webhooks/webhook.tsx'
import { counted, periodWords, returnName } from '../words.ts'

type Due = NonNullable<OverviewAnswer['returns']>['first'][number]
type Exposure = NonNullable<OverviewAnswer['nexus']>['first'][number]
type WebhookOfList = NonNullable<OverviewAnswer['webhooks']>['troubled'][number]

/**
 * What needs a person, with the address of the thing itself. `rank` sorts: 0 hurts most. Of one rank, the
 * most money hurts most; amounts of different currencies are compared as they are.
 */
export type Matter = { rank: number; state: string; text: string; href: string; money?: number }

export const TO_REVIEW = linkTo('certificates', { query: new URLSearchParams({ state: 'pending' }) })

/** Where other matters of the account are mended. */
const MENDED: Readonly<Record<string, { rank: number; state: string; href: string }>> = {
  webhook_unconfirmed: { rank: 2, state: 'pending', href: '#/webhooks' },
  deliveries_over_quota: { rank: 2, state: 'pending', href: '#/webhooks' },
  returns_overdue: { rank: 0, state: 'overdue', href: '#/returns' },
  return_not_reconciled: { rank: 0, state: 'overdue', href: '#/returns' },
  time_zone_not_set: { rank: 4, state: 'due', href: '#/settings' },
}

const OTHER = { rank: 4, state: 'pending', href: '#/settings' }

/** All that needs a person, what hurts most first. */
export function mattersOf(overview: OverviewAnswer): Matter[] {
  const { webhooks, nexus, certificates } = overview
  return [
    ...mattersOfReturns(overview),
    ...(webhooks?.troubled ?? []).map(matterOfWebhook),
    ...(nexus?.first ?? []).map(matterOfPlace),
    ...matterOfCertificates(certificates),
    ...matterOfAccount(overview),
  ].toSorted((one, other) => one.rank - other.rank || (other.money ?? 0) - (one.money ?? 0))
}

/** The link to the return of an obligation; the list, if this service has no form of it. */
export function linkToDue(due: Due): string {
  const asked = returnOf(due)
  return asked === null ? '#/returns' : linkToReturn(asked)
}

/** One row for all overdue returns, and one for all that are due. A return that is alone is named. */
function mattersOfReturns({ returns, currency, as_of }: OverviewAnswer): Matter[] {
  if (returns === null) return []
  return [
    { status: 'overdue', rank: 0, count: returns.overdue, words: 'the oldest' },
    { status: 'due', rank: 5, count: returns.due, words: 'the first' },
  ].flatMap(({ status, rank, count, words }) => {
    const listed = returns.first.filter((each) => each.status === status)
    const [first] = listed
    if (first === undefined) return []
    const sums = sumsOf(listed, currency).filter(({ amount }) => amount !== 0)
    const named = `${returnName(first)}, ${periodWords(first.period)}: ${daysUntil(first.last_date, as_of)}`
    const grouped = `${counted(count, 'return')} ${status}, ${words} ${daysUntil(first.last_date, as_of)}`
    // Beyond the first 100, the taxes of single returns are not in the answer.
    const tax = sums.length === 0 ? '' : `, ${listed.length < count ? 'more than ' : ''}${formatSums(sums)}`
    const [text, href] = count === 1 ? [named, linkToDue(first)] : [grouped, '#/returns']
    return [{ rank, state: status, text: text + tax, href, money: moneyOf(sums) }]
  })
}

function moneyOf(sums: readonly { amount: number }[]): number {
  return Math.max(0, ...sums.map(({ amount }) => amount))
}

function matterOfWebhook({ id, url, description, status, consecutive_failures }: WebhookOfList): Matter {
  const state = status === 'active' ? 'failing' : status
  const failures = consecutive_failures === 0 ? '' : `: ${counted(consecutive_failures, 'failure')} in a row`
  return { rank: 1, state, text: `Webhook ${description ?? url}${failures}`, href: linkToWebhook(id) }
}

function causeOfNexus({ nexus_kind, exceeded_on }: Exposure): string {
  if (nexus_kind === 'physical') return 'physical presence'
  return exceeded_on === null ? 'threshold passed' : `threshold passed on ${formatDay(exceeded_on)}`
}

function matterOfPlace(exposure: Exposure): Matter {
  const { status, jurisdiction_id, jurisdiction_name, progress, next_period, nexus_kind } = exposure
  const href = linkTo('nexus', { id: jurisdiction_id })
  if (nexus_kind !== null) {
    const uncollected = uncollectedWords(exposure)
    const tax = uncollected === null ? '' : `, ${uncollected} not collected`
    const taxes = (exposure.uncollected_tax ?? []).map(({ tax_amount: amount }) => ({ amount }))
    const text = `${jurisdiction_name}: ${causeOfNexus(exposure)} without registration${tax}`
    const state = nexus_kind === 'physical' ? 'present' : 'exceeded'
    return { rank: 0, state, text, href, money: moneyOf(taxes) }
  }
  if (status === 'below' && next_period !== null) {
    const { progress: coming, obliges_from } = next_period
    const threshold = `the threshold that counts from ${formatDay(obliges_from)}`
    const text = `${jurisdiction_name}: ${formatShare(coming.ratio)} of ${threshold}`
    return { rank: next_period.status === 'exceeded' ? 3 : 6, state: 'approaching', text, href }
  }
  const text = `${jurisdiction_name}: ${formatShare(progress.ratio)} of the threshold`
  return { rank: 6, state: status, text, href }
}

function matterOfCertificates(certificates: OverviewAnswer['certificates']): Matter[] {
  if (certificates === null) return []
  const { pending, has_more, ended, expires_soon } = certificates
  const text = `${has_more ? 'More than ' : ''}${counted(pending, 'certificate')} to review`
  return [
    ...ended.map((each) => matterOfEnd(each, { rank: 2, state: 'expired' }, 'ended')),
    ...(pending === 0 ? [] : [{ rank: 4, state: 'pending', text, href: TO_REVIEW }]),
    ...expires_soon.map((each) => matterOfEnd(each, { rank: 6, state: 'expires soon' }, 'ends')),
  ]
}

type EndingCertificate = NonNullable<OverviewAnswer['certificates']>['ended'][number]

function matterOfEnd(of: EndingCertificate, found: Pick<Matter, 'rank' | 'state'>, verb: string): Matter {
  const { id, customer_id, customer_name, customer_external_id, certificate_number, valid_to } = of
  const whose = customer_name ?? customer_external_id ?? 'a customer'
  const when = valid_to === null ? '' : ` ${formatDay(valid_to)}`
  const text = `Certificate ${certificate_number} of ${whose} ${verb}${when}`
  return { ...found, text, href: linkToCertificate(customer_id, id) }
}

/** Disabled webhooks are named by their list, if the key may read it. */
function matterOfAccount({ account, webhooks, returns }: OverviewAnswer): Matter[] {
  return (account?.attention ?? []).flatMap(({ reason, message, resource_id }) => {
    if (reason === 'orders_refused')
      return [{ rank: 0, state: 'failed', text: message, href: linkTo('shops', { id: resource_id }) }]
    // The list of returns names each of them.
    if (reason === 'returns_overdue' && returns !== null) return []
    if (reason !== 'webhook_disabled') return [{ text: message, ...(MENDED[reason] ?? OTHER) }]
    if (webhooks?.troubled.some(({ id }) => id === resource_id)) return []
    return [{ rank: 1, state: 'disabled', text: message, href: linkToWebhook(resource_id) }]
  })
}

function daysUntil(day: string, today: string): string {
  const days = Math.round((Date.parse(day) - Date.parse(today)) / 86_400_000)
  if (days === 0) return 'due today'
  return days > 0 ? `due in ${counted(days, 'day')}` : `${counted(-days, 'day')} late`
}
