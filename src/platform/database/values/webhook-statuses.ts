export const WEBHOOK_STATUSES = ['active', 'disabled'] as const

/** `expired`: the webhook was disabled for so long that the event is no longer sent. */
export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed', 'expired'] as const
