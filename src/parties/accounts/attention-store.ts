import type { Context } from '../../platform/context.ts'
import { dayOf } from '../../platform/kit/calendar.ts'
import { rowsOf } from '../../platform/database/results.ts'
import { quotaOf } from '../../platform/quotas.ts'
import { lacksTimeZone } from '../../platform/kit/time-zone.ts'
import { RELEASE } from '../../platform/release.ts'
import { newerRelease } from '../../tax-data/status/newer-release.ts'
import type { AccountRow } from './store.ts'

/** The most matters of one reason in one answer. */
const ATTENTION_MAX = 20

export type Attention = {
  reason:
    | 'returns_overdue'
    | 'webhook_disabled'
    | 'webhook_unconfirmed'
    | 'account_moving'
    | 'deliveries_over_quota'
    | 'return_not_reconciled'
    | 'time_zone_not_set'
    | 'orders_refused'
    | 'own_rate_replaces'
    | 'newer_release'
  resource_id: string
  message: string
  since: string | null
}

/**
 * Matters of the account that somebody should look at: a move of its books that has not ended, the webhooks
 * that were disabled after failures or whose host has not confirmed them, a day on which its webhooks reached
 * the quota of deliveries, filed returns that the nightly check found to differ from the books, a time zone
 * that was not chosen before the first return, shops whose orders could not be recorded, own rates that
 * replace those of the data, and a newer release. `further` reads those that the folders above know.
 */
export async function readAttention(
  context: Context,
  profile: Pick<AccountRow, 'country' | 'region' | 'time_zone'>,
  further: FurtherMatters,
): Promise<Attention[]> {
  const [control, webhooks, returns, others, release] = await Promise.all([
    readMattersOfControl(context),
    readMattersOfWebhooks(context),
    readMattersOfReturns(context, profile),
    further(context),
    readMatterOfRelease(context),
  ])
  return [...control, ...webhooks, ...others, ...returns, ...mattersOfOwnRates(context), ...release]
}

/** The places where the account replaces a rate of the data today. */
function mattersOfOwnRates({ principal, now }: Context): Attention[] {
  const replaced = (principal.own_rates?.places ?? []).filter(({ until = '' }) => until >= dayOf(now))
  return replaced.slice(0, ATTENTION_MAX).map(({ jurisdiction_id, until }) => ({
    reason: 'own_rate_replaces',
    resource_id: jurisdiction_id,
    message:
      `Your own rates replace those of the data until ${until}. Report what is wrong in the data, and ` +
      'delete them once it is right',
    since: null,
  }))
}

/** Only those who may do everything in an account are told: they are the operator, or can tell them. */
async function readMatterOfRelease({ env, principal }: Context): Promise<Attention[]> {
  if (!principal.scopes.has('*') && !principal.scopes.has('operator')) return []
  const newer = await newerRelease(env)
  if (newer === null) return []
  const [running = ''] = RELEASE.split('+')
  const message = `Release ${newer.version} is out, and this service runs ${running}`
  return [{ reason: 'newer_release', resource_id: newer.version, message, since: newer.since }]
}

/** Reads matters of an account that a higher wing knows, such as overdue returns. */
export type FurtherMatters = (context: Context) => Promise<Attention[]>

async function readMattersOfReturns(
  { books, principal }: Context,
  { country, region, time_zone }: Pick<AccountRow, 'country' | 'region' | 'time_zone'>,
): Promise<Attention[]> {
  const [faulty, filed] = await books.batch([
    books
      .prepare(
        `SELECT return_id, checked_at FROM return_checks
         WHERE account_id = ? AND fault IS NOT NULL ORDER BY return_id LIMIT ${ATTENTION_MAX}`,
      )
      .bind(principal.account_id),
    books
      .prepare("SELECT 1 FROM returns WHERE account_id = ? AND status <> 'freezing' LIMIT 1")
      .bind(principal.account_id),
  ])
  const differing = rowsOf<{ return_id: string; checked_at: string }>(faulty).map(
    ({ return_id, checked_at }): Attention => ({
      reason: 'return_not_reconciled',
      resource_id: return_id,
      message: 'The return does not agree with the books. GET /v1/returns/reconciliation says what differs',
      since: checked_at,
    }),
  )
  if (rowsOf(filed).length > 0 || !lacksTimeZone(time_zone, { country, region })) return differing
  const message = 'Days of returns are days in UTC. Set time_zone before you file the first return'
  return [
    ...differing,
    { reason: 'time_zone_not_set', resource_id: principal.account_id, message, since: null },
  ]
}

type UnfinishedMove = { started_at: string; closed_at: string | null }
type Refusals = { install_id: string; orders: number; since: string }

/** What the control database knows: an unfinished move of the books, and refused orders of shops. */
async function readMattersOfControl({ env, principal }: Context): Promise<Attention[]> {
  const { account_id } = principal
  const [moves, refusals] = await env.DB.batch([
    env.DB.prepare(
      `SELECT started_at, closed_at FROM account_moves
       WHERE account_id = ? AND finished_at IS NULL AND aborted_at IS NULL`,
    ).bind(account_id),
    env.DB.prepare(
      `SELECT install_id, count(*) AS orders, min(since) AS since FROM saleor_refused_orders
       WHERE account_id = ? AND dismissed_at IS NULL
         AND EXISTS (SELECT 1 FROM saleor_installs shop
                     WHERE shop.id = install_id AND shop.account_id = saleor_refused_orders.account_id)
       GROUP BY install_id LIMIT ${ATTENTION_MAX}`,
    ).bind(account_id),
  ])
  return [
    ...rowsOf<UnfinishedMove>(moves).map((move) => matterOfMove(account_id, move)),
    ...rowsOf<Refusals>(refusals).map(matterOfRefusals),
  ]
}

function matterOfMove(account_id: string, { started_at, closed_at }: UnfinishedMove): Attention {
  const message =
    closed_at === null
      ? 'The books are about to move to another database: writes will be refused for some seconds'
      : 'The books are being moved to another database: writes are refused until that ends'
  return { reason: 'account_moving', resource_id: account_id, message, since: closed_at ?? started_at }
}

function matterOfRefusals({ install_id, orders, since }: Refusals): Attention {
  const [counted, them] = orders === 1 ? ['1 order', 'it'] : [`${orders} orders`, 'them']
  const message =
    `${counted} of a shop on Saleor could not be recorded, or not its last change. ` +
    `See why, and mend, record or dismiss ${them}`
  return { reason: 'orders_refused', resource_id: install_id, message, since }
}

async function readMattersOfWebhooks({ env, books, principal, now }: Context): Promise<Attention[]> {
  const { account_id, tier } = principal
  const today = dayOf(now)
  const [disabled, unconfirmed, full] = await books.batch<{ id: string; since: string | null }>([
    books
      .prepare(
        `SELECT id, last_failed_at AS since FROM webhooks
         WHERE account_id = ? AND status = 'disabled' AND consecutive_failures > 0
         ORDER BY id LIMIT ${ATTENTION_MAX}`,
      )
      .bind(account_id),
    books
      .prepare(
        `SELECT id, (SELECT created_at FROM webhook_deliveries
           WHERE account_id = webhooks.account_id AND id = challenge_id) AS since FROM webhooks
         WHERE account_id = ? AND status = 'active' AND challenge_id IS NOT NULL
         ORDER BY id LIMIT ${ATTENTION_MAX}`,
      )
      .bind(account_id),
    books
      .prepare(
        `SELECT account_id AS id, NULL AS since FROM account_usage
         WHERE account_id = ? AND delivery_day = ? AND deliveries >= ?`,
      )
      .bind(account_id, today, quotaOf(env, tier, 'deliveries_a_day')),
  ])
  const of = (rows: typeof disabled, reason: Attention['reason'], message: string) =>
    (rows?.results ?? []).map(({ id, since }) => ({ reason, resource_id: id, message, since }))
  return [
    ...of(
      disabled,
      'webhook_disabled',
      'The webhook was disabled after its failures. Enable it, and recover the missed events',
    ),
    ...of(
      unconfirmed,
      'webhook_unconfirmed',
      'The host has not answered the challenge, so the deliveries wait, for three days at most',
    ),
    ...of(
      full,
      'deliveries_over_quota',
      'Webhooks get no more deliveries today (UTC). Recover the missed events tomorrow',
    ),
  ]
}
