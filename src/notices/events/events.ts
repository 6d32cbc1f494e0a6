import type { Bindings } from '../../platform/bindings.ts'
import type { BooksDb, ControlDb } from '../../platform/database/databases.ts'
import type { EventWrite } from '../../platform/database/event-writes.ts'
import { openHome } from '../../platform/database/home.ts'
import { newId } from '../../platform/database/ids.ts'
import { insertRows } from '../../platform/database/insert-rows.ts'
import type { Shard } from '../../platform/database/shards.ts'
import type { Jurisdiction, ProductRule, Rate, Threshold } from '../../engine/book/facts.ts'
import type { AccountEvent, EventOf, NewEvent, SharedEvent } from './event-types.ts'
import { sendEventMessages } from './send-events.ts'

/**
 * The write of events of accounts, for the batch of the changes that caused them. They are sent right after
 * the batch.
 */
export function insertEvents(
  env: Bindings,
  shard: Shard,
  events: readonly AccountEvent[],
  now: Date,
): EventWrite[] {
  const rows = events.map((event) => eventRow(event, now))
  const ids = rows.map(({ id }) => id)
  const send = () => sendEventMessages(env, shard, ids, now)
  return insertRows(shard.books, 'events', rows, 'OR IGNORE').map((statement) => ({ statement, send }))
}

/**
 * The statements of the events of a nightly job, which may be thousands: the sweeps of the next ticks send
 * them, each within its budget. Events of accounts that are not at home are left out.
 */
export function insertSweptEvents(
  db: BooksDb,
  events: readonly AccountEvent[],
  now: Date,
): D1PreparedStatement[] {
  const rows = events.map((event) => eventRow(event, now))
  return insertRows(db, 'events', rows, 'OR IGNORE', openHome("value ->> '$.owner_account_id'"))
}

/**
 * The statements of events for all accounts. The caller publishes the new data, and then calls
 * `sendSharedEvents`, even if publishing failed.
 */
export function insertSharedEvents(
  db: ControlDb,
  events: readonly SharedEvent[],
  now: Date,
): D1PreparedStatement[] {
  const rows = events.map((event) => eventRow(event, now))
  return insertRows(db, 'events', rows, 'OR IGNORE')
}

/** The row of a new event. */
export function eventRow(event: NewEvent, now: Date) {
  const own = 'account_id' in event ? event : null
  return {
    id: newId('evt'),
    type: event.type,
    data: JSON.stringify(event.data),
    created_at: now.toISOString(),
    fanned_out_at: own === null ? null : now.toISOString(),
    owner_account_id: own?.account_id ?? null,
    account_pending: own === null ? null : 1,
    dedupe: event.dedupe ?? null,
  }
}

/** Amounts in minor units. */
export function transactionCreated(
  account_id: string,
  row: Omit<EventOf<'transaction.created'>['data'], 'transaction_id'> & { id: string },
): EventOf<'transaction.created'> {
  const { id, external_id, status, jurisdiction_id, currency, total, tax_amount } = row
  return {
    type: 'transaction.created',
    account_id,
    data: { transaction_id: id, external_id, status, jurisdiction_id, currency, total, tax_amount },
  }
}

/** A refund that was recorded or deleted. Amounts in minor units. */
export function eventOfRefund<Type extends 'transaction.refunded' | 'transaction.refund_deleted'>(
  type: Type,
  account_id: string,
  currency: string,
  refund: { id: string; transaction_id: string; amount: number; tax_amount: number },
) {
  const { id, transaction_id, amount, tax_amount } = refund
  return { type, account_id, data: { transaction_id, refund_id: id, amount, tax_amount, currency } }
}

/** The webhook after the failure that disabled it. */
export function webhookDisabled(
  { account_id, webhook_id, url }: { account_id: string; webhook_id: string; url: string },
  { consecutive_failures, last_failed_at }: { consecutive_failures: number; last_failed_at: string | null },
): EventOf<'webhook.disabled'> {
  return {
    type: 'webhook.disabled',
    account_id,
    data: { webhook_id, url, consecutive_failures, last_failed_at },
  }
}

/** Rates as fractions. */
export function rateUpdated(jurisdiction_name: string, before: Rate, after: Rate): EventOf<'rate.updated'> {
  const { jurisdiction_id, tax_type, effective_from } = after
  const old_rate = before.rate_millionths / 1_000_000
  const new_rate = after.rate_millionths / 1_000_000
  return {
    type: 'rate.updated',
    data: {
      jurisdiction_id,
      jurisdiction_name,
      tax_type,
      category: after.category,
      old_rate,
      new_rate,
      effective_from,
    },
  }
}

/** Amounts in minor units. */
export function thresholdUpdated(
  jurisdiction_name: string,
  before: Threshold,
  after: Threshold,
): EventOf<'threshold.updated'> {
  const { jurisdiction_id, threshold_type, currency, effective_from } = after
  return {
    type: 'threshold.updated',
    data: {
      jurisdiction_id,
      jurisdiction_name,
      threshold_type,
      old_amount: before.amount,
      new_amount: after.amount,
      currency,
      effective_from,
    },
  }
}

export function ruleUpdated(
  jurisdiction_name: string,
  before: ProductRule,
  after: ProductRule,
): EventOf<'rule.updated'> {
  return {
    type: 'rule.updated',
    data: {
      jurisdiction_id: after.jurisdiction_id,
      jurisdiction_name,
      tax_type: after.tax_type,
      product_type: after.product_type,
      old_treatment: before.treatment,
      new_treatment: after.treatment,
      old_category: before.category,
      new_category: after.category,
      effective_from: after.effective_from,
    },
  }
}

/** A fact of one of the kinds whose changes are events. */
type UpdatedFact =
  | { kind: 'rates'; fact: Rate }
  | { kind: 'thresholds'; fact: Threshold }
  | { kind: 'product_rules'; fact: ProductRule }

/** The event of a change. Both facts are of one kind. */
export function updateEvent(name: string, before: UpdatedFact, after: UpdatedFact): SharedEvent {
  if (before.kind === 'rates' && after.kind === 'rates') return rateUpdated(name, before.fact, after.fact)
  if (before.kind === 'thresholds' && after.kind === 'thresholds')
    return thresholdUpdated(name, before.fact, after.fact)
  if (before.kind === 'product_rules' && after.kind === 'product_rules')
    return ruleUpdated(name, before.fact, after.fact)
  throw new Error(`${before.kind} became ${after.kind}`)
}

export function jurisdictionAdded({
  id,
  name,
  region,
  type,
  parent_id,
  last_verified_at,
}: Jurisdiction): EventOf<'jurisdiction.added'> {
  const effective_from = last_verified_at?.slice(0, 10) ?? null
  return {
    type: 'jurisdiction.added',
    data: { jurisdiction_id: id, jurisdiction_name: name, region, type, parent_id, effective_from },
  }
}

export function syncCompleted(
  region: string,
  records_updated: number,
  duration_ms: number,
): EventOf<'sync.completed'> {
  return { type: 'sync.completed', data: { region, records_updated, duration_ms } }
}

/** Rates as fractions. Changes of one state on one day are one event. */
export function localRatesUpdated(
  data: EventOf<'local_rates.updated'>['data'],
  day: string,
): EventOf<'local_rates.updated'> {
  const dedupe = `local_rates.updated ${data.jurisdiction_id} ${day}`
  return { type: 'local_rates.updated', data, dedupe }
}
