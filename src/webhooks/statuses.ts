export const WEBHOOK_STATUSES = ['active', 'disabled'] as const

/** `expired`: the webhook was disabled for too long for the event still to be sent. */
export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed', 'expired'] as const
