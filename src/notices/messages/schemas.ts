import * as z from 'zod'
import { CHANNELS, CHAT_FORMATS, MESSAGE_STATES } from '../../platform/database/values/message-values.ts'
import { Timestamp } from '../../platform/http/answers.ts'
import { text } from '../../platform/http/fields.ts'

/** The people of one account who get its messages by mail. */
const RECIPIENTS_MAX = 20

export const ChatFormat = z.enum(CHAT_FORMATS)
export const MessageChannel = z.enum(CHANNELS)
export const MessageState = z.enum(MESSAGE_STATES)

/** The kinds of matters, and whether each is on. */
const KINDS = {
  return_overdue: z.boolean().describe('The last day of a return has passed'),
  return_due: z.boolean().describe('A return is due in 7 days, and on the next day'),
  threshold_exceeded: z.boolean().describe('Sales have passed a threshold'),
  threshold_approaching: z.boolean().describe('Sales approach a threshold'),
  webhook_disabled: z.boolean().describe('A webhook was disabled after its failures'),
  shop_failed: z.boolean().describe('Orders of a shop could not be recorded'),
  certificate_ending: z.boolean().describe('Certificates end in 30 days or less'),
  rate_changed: z.boolean().describe('A rate has changed where you are registered or sell'),
}

export const MessageKinds = z.strictObject(KINDS)
export const MessageKindsRequest = MessageKinds.partial()

export const MessageChatRequest = z.strictObject({
  format: ChatFormat.describe('`signed`: our JSON, signed as webhooks are. `slack`: `{ "text": … }`'),
  url: text(2_048).describe('HTTPS, with a public host name, on port 443 or 8443. It is kept encrypted'),
})

export const MessagesRequest = z.strictObject({
  hour: z
    .int()
    .min(0, 'must be from 0 to 23')
    .max(23, 'must be from 0 to 23')
    .optional()
    .describe('The hour of the message, in the time zone of the account. At first it is 8'),
  kinds: MessageKindsRequest.optional().describe('Switches kinds on or off. Those that are left out stay'),
  recipients: z
    .array(text(64).min(1, 'must not be empty'))
    .max(RECIPIENTS_MAX, `must name at most ${RECIPIENTS_MAX} people`)
    .refine((ids) => new Set(ids).size === ids.length, 'must not name a person twice')
    .optional()
    .describe('The ids of the people who get it by mail. They replace those of before'),
  chat: MessageChatRequest.nullish().describe('The chat that gets it. Null removes it; left out, it stays'),
})
export type MessagesBody = z.output<typeof MessagesRequest>

/** A person who gets the message by mail. */
export const MessageRecipient = z.strictObject({
  person_id: z.string().describe('The id of the person'),
  email: z.string(),
  name: z.string(),
  stopped_at: Timestamp.nullable().describe('When the person used the link to stop. Null: it goes on'),
})

/** The chat, without its address, which is a secret. */
export const MessageChat = z.strictObject({
  format: ChatFormat.describe('`signed` or `slack`'),
  host: z.string().describe('The host of its address'),
})

/** What became of a message. */
export const LastMessage = z.strictObject({
  id: z.string(),
  day: z.iso.date().describe('The local day of the message'),
  channel: MessageChannel.describe('`mail` or `chat`'),
  person_id: z.string().nullable().describe('Who gets it by mail. Null: the chat'),
  state: MessageState.describe(
    '`failed`: given up. `unknown`: it was sent twice at most, and nobody knows whether it arrived',
  ),
  attempts: z.int().describe('How often it was sent'),
  error: z.string().nullable().describe('What the last attempt met; null: nothing'),
  updated_at: Timestamp,
})

const MESSAGES = {
  hour: z.int().describe('The hour of the message, in the time zone of the account'),
  time_zone: z.string().describe('The IANA time zone of the account, whose hour and days count here'),
  kinds: MessageKinds.describe('The kinds of matters, and whether each is on'),
  mail_available: z.boolean().describe('Whether the operator has set up mail'),
  recipients: z.array(MessageRecipient).describe('The people who get it by mail'),
  chat: MessageChat.nullable().describe('The chat that gets it; null: there is none'),
  next_at: Timestamp.nullable().describe('When the next message is made. Null: nobody gets any'),
  last: z.array(LastMessage).describe('The last 20 messages, the newest first'),
  queried_at: Timestamp,
}

export const MessagesAnswer = z.strictObject(MESSAGES)

export const ChangedMessagesAnswer = z.strictObject({
  ...MESSAGES,
  chat_secret: z
    .string()
    .nullable()
    .describe('The secret of a new chat of the format `signed`, shown once. Null: there is no new one'),
})

/** What became of one test message. */
export const TestedMessage = z.strictObject({
  channel: MessageChannel.describe('`mail` or `chat`'),
  person_id: z.string().nullable().describe('Who gets it by mail. Null: the chat'),
  sent: z.boolean().describe('Whether it was taken'),
  error: z.string().nullable().describe('Why not; null: it was taken'),
})

export const TestMessagesAnswer = z.strictObject({
  results: z.array(TestedMessage).describe('What became of each'),
  queried_at: Timestamp,
})
