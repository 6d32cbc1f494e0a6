/** The events that can be subscribed to: those of the specification (section 6.1), then those of accounts. */
export const EVENT_TYPES = [
  { type: 'rate.updated', description: 'A tax rate has been updated' },
  { type: 'threshold.updated', description: 'A nexus threshold has been updated' },
  { type: 'jurisdiction.added', description: 'A new jurisdiction has been added' },
  { type: 'sync.completed', description: 'Data synchronisation completed' },
  { type: 'rule.updated', description: 'The treatment of a product has been updated' },
  { type: 'local_rates.updated', description: 'Local rates of a state have been updated' },
  { type: 'webhook.disabled', description: 'Another webhook of the account was disabled after its failures' },
  { type: 'exemption.expiring', description: 'A verified exemption certificate ends in 30 days or less' },
  { type: 'exemption.expired', description: 'A verified exemption certificate has ended' },
  { type: 'return.due', description: 'A return that is not filed is due in 7 days or less' },
  { type: 'threshold.approaching', description: 'Recorded sales are over 85 % of a threshold' },
  { type: 'threshold.exceeded', description: 'Recorded sales have passed a threshold' },
  { type: 'vat_id.changed', description: "A later check of a customer's VAT id had another result" },
  { type: 'transaction.created', description: 'A transaction was recorded. `*` does not contain this type' },
  { type: 'transaction.refunded', description: 'A transaction was refunded. `*` does not contain this type' },
] as const

export const EVENT_TYPE_IDS = EVENT_TYPES.map(({ type }) => type)
export type EventType = (typeof EVENT_TYPE_IDS)[number]

/**
 * Events that are only written if an active webhook names them, so that a sale costs no more rows for
 * accounts that do not listen.
 */
export const NAMED_ONLY: ReadonlySet<string> = new Set<EventType>([
  'transaction.created',
  'transaction.refunded',
])
