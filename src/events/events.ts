import type * as z from 'zod'
import { newId } from '../database/ids.ts'
import { insertRows } from '../database/insert-rows.ts'
import type { Jurisdiction, ProductRule, Rate, Threshold } from '../tax/book/facts.ts'
import type { EventType } from './event-types.ts'
import type { CompletedSync, NewJurisdiction, RateUpdate, RuleUpdate, ThresholdUpdate } from './schemas.ts'

type EventData = {
  'rate.updated': z.output<typeof RateUpdate>
  'threshold.updated': z.output<typeof ThresholdUpdate>
  'rule.updated': z.output<typeof RuleUpdate>
  'jurisdiction.added': z.output<typeof NewJurisdiction>
  'sync.completed': z.output<typeof CompletedSync>
}

/** An event of each type, with the data of that type. */
export type NewEvent = { [Type in EventType]: { type: Type; data: EventData[Type] } }[EventType]

/** The statements that put events into the outbox, for the batch of the changes that caused them. */
export function insertEvents(db: D1Database, events: readonly NewEvent[], now: Date): D1PreparedStatement[] {
  return insertRows(
    db,
    'events',
    events.map(({ type, data }) => ({
      id: newId('evt'),
      type,
      data: JSON.stringify(data),
      created_at: now.toISOString(),
      fanned_out_at: null,
    })),
  )
}

/** Rates as fractions. */
export function rateUpdated(jurisdiction_name: string, before: Rate, after: Rate): NewEvent {
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
export function thresholdUpdated(jurisdiction_name: string, before: Threshold, after: Threshold): NewEvent {
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

export function ruleUpdated(jurisdiction_name: string, before: ProductRule, after: ProductRule): NewEvent {
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
export function updateEvent(name: string, before: UpdatedFact, after: UpdatedFact): NewEvent {
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
}: Jurisdiction): NewEvent {
  const effective_from = last_verified_at?.slice(0, 10) ?? null
  return {
    type: 'jurisdiction.added',
    data: { jurisdiction_id: id, jurisdiction_name: name, region, type, parent_id, effective_from },
  }
}

export function syncCompleted(region: string, records_updated: number, duration_ms: number): NewEvent {
  return { type: 'sync.completed', data: { region, records_updated, duration_ms } }
}
