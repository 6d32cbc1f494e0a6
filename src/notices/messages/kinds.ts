/** What a message tells, in the order of its lines. */
export const MESSAGE_KINDS = [
  'return_overdue',
  'return_due',
  'threshold_exceeded',
  'threshold_approaching',
  'webhook_disabled',
  'shop_failed',
  'certificate_ending',
  'rate_changed',
] as const

export type MessageKind = (typeof MESSAGE_KINDS)[number]

/** What one line of a message says: places, periods and days, and nothing of a buyer. */
export type MessageLine = {
  kind: MessageKind
  text: string
  jurisdiction_id: string | null
  period: string | null
  day: string | null
}

/** The lines of a message, and how many more there were. */
export type Content = { lines: MessageLine[]; more: number }
