import type * as z from 'zod'
import { keysOf } from '../../platform/kit/keys-of.ts'
import {
  ChangedVatId,
  CompletedSync,
  CreatedTransaction,
  DisabledWebhook,
  DueReturnData,
  EndingExemption,
  LocalRatesUpdate,
  MeasuredThresholdData,
  NewJurisdiction,
  RateUpdate,
  RefundedTransaction,
  RuleUpdate,
  ThresholdUpdate,
} from './schemas.ts'

type EventDefinition = {
  description: string
  /** The `data` of its body. */
  data: z.ZodType
  /** Who is told: all accounts, or the account of the event. */
  tells: 'all' | 'account'
  /**
   * Only written if an active webhook names it, so that a sale costs no more rows for accounts that do not
   * listen. `*` does not contain it.
   */
  named_only?: true
}

/**
 * All events, those of the specification (section 6.1) first. The list, the types, the schemas and the
 * documentation of events follow from these entries.
 */
export const EVENTS = {
  'rate.updated': { tells: 'all', description: 'A tax rate has been updated', data: RateUpdate },
  'threshold.updated': {
    tells: 'all',
    description: 'A nexus threshold has been updated',
    data: ThresholdUpdate,
  },
  'jurisdiction.added': {
    tells: 'all',
    description: 'A new jurisdiction has been added',
    data: NewJurisdiction,
  },
  'sync.completed': { tells: 'all', description: 'Data synchronisation completed', data: CompletedSync },
  'rule.updated': {
    tells: 'all',
    description: 'The treatment of a product has been updated',
    data: RuleUpdate,
  },
  'local_rates.updated': {
    tells: 'all',
    description: 'Local rates of a state have been updated',
    data: LocalRatesUpdate,
  },
  'webhook.disabled': {
    tells: 'account',
    description: 'Another webhook of the account was disabled after its failures',
    data: DisabledWebhook,
  },
  'exemption.expiring': {
    tells: 'account',
    description: 'A verified exemption certificate ends in 30 days or less',
    data: EndingExemption,
  },
  'exemption.expired': {
    tells: 'account',
    description: 'A verified exemption certificate has ended',
    data: EndingExemption,
  },
  'return.due': {
    tells: 'account',
    description: 'A return or statement that is not filed is due in 7 days or less',
    data: DueReturnData,
  },
  'return.overdue': {
    tells: 'account',
    description: 'The last day of a return or statement has passed, and it is not filed',
    data: DueReturnData,
  },
  'threshold.approaching': {
    tells: 'account',
    description: 'Recorded sales are over 85 % of a threshold',
    data: MeasuredThresholdData,
  },
  'threshold.exceeded': {
    tells: 'account',
    description: 'Recorded sales have passed a threshold',
    data: MeasuredThresholdData,
  },
  'vat_id.changed': {
    tells: 'account',
    description: "A later check of a customer's VAT id had another result",
    data: ChangedVatId,
  },
  'transaction.created': {
    tells: 'account',
    description: 'A transaction was recorded',
    data: CreatedTransaction,
    named_only: true,
  },
  'transaction.refunded': {
    tells: 'account',
    description: 'A transaction was refunded',
    data: RefundedTransaction,
    named_only: true,
  },
  'transaction.refund_deleted': {
    tells: 'account',
    description: 'A refund was deleted, because it failed or was undone',
    data: RefundedTransaction,
    named_only: true,
  },
} as const satisfies Readonly<Record<string, EventDefinition>>

type Events = typeof EVENTS
export type EventType = keyof Events

/** A new event of a type. If two events have the same `dedupe`, only the first is written. */
export type EventOf<Type extends EventType> = Events[Type]['tells'] extends 'all'
  ? { type: Type; data: z.output<Events[Type]['data']>; dedupe?: string }
  : { type: Type; data: z.output<Events[Type]['data']>; account_id: string; dedupe?: string }

export type NewEvent = { [Type in EventType]: EventOf<Type> }[EventType]

/** An event that only its account is told. */
export type AccountEvent = Extract<NewEvent, { account_id: string }>

/** An event that all accounts are told. */
export type SharedEvent = Exclude<NewEvent, AccountEvent>

/** An event of an account that is only written if a webhook names it. */
export type NamedEvent = {
  [Type in EventType]: Events[Type] extends { named_only: true } ? EventOf<Type> : never
}[EventType]

export const EVENT_TYPE_IDS = keysOf(EVENTS)

/** The types of the events that are only written if an active webhook names them. */
export const NAMED_ONLY: ReadonlySet<string> = new Set(EVENT_TYPE_IDS.filter((type) => isNamedOnly(type)))

/** All types with their descriptions, for people. */
export const EVENT_TYPES = EVENT_TYPE_IDS.map((type) => {
  const { description } = EVENTS[type]
  return {
    type,
    description: isNamedOnly(type)
      ? `${description}. Only a webhook that names this type gets it`
      : description,
  }
})

function isNamedOnly(type: EventType): boolean {
  return 'named_only' in EVENTS[type]
}
