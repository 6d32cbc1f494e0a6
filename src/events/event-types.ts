/** The events that can be subscribed to (specification, section 6.1). */
export const EVENT_TYPES = [
  { type: 'rate.updated', description: 'A tax rate has been updated' },
  { type: 'threshold.updated', description: 'A nexus threshold has been updated' },
  { type: 'rule.updated', description: 'The treatment of a product has been updated' },
  { type: 'jurisdiction.added', description: 'A new jurisdiction has been added' },
  { type: 'sync.completed', description: 'Data synchronisation completed' },
] as const

export const EVENT_TYPE_IDS = EVENT_TYPES.map(({ type }) => type)
export type EventType = (typeof EVENT_TYPE_IDS)[number]
