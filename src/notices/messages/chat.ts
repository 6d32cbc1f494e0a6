import type { Bindings } from '../../platform/bindings.ts'
import type { CHAT_FORMATS } from '../../platform/database/values/message-values.ts'
import { mayPost } from '../delivery/host-limit.ts'
import { NOT_SENT, postEvent, postJson, type PostOutcome } from '../delivery/post.ts'
import { readTarget, resolvesToPrivate } from '../delivery/target.ts'
import type { Sending } from './mail.ts'
import { openOf } from './sealed.ts'

/** The chat of an account. Address and secret are sealed. */
type Chat = {
  account_id: string
  format: (typeof CHAT_FORMATS)[number]
  url: string
  secret: string | null
}

/** A message for a chat: the body of the signed form, and the text of Slack's. */
type ChatMessage = { id: string; attempt: number; event: object; text: string }

/**
 * Posts a message to the chat of an account, after its address was checked as that of a webhook is. A
 * receiver of the signed form knows a repeated one by its id. A chat does not, so an answer that is missing
 * is no failure that could be repeated freely.
 */
export async function postToChat(
  env: Bindings,
  chat: Chat,
  message: ChatMessage,
  now: Date,
): Promise<Sending> {
  const url = await openOf(env, chat.account_id, 'chat_url', chat.url)
  if (!(await mayPost(env, { account_id: chat.account_id, url }, now)))
    return { state: 'put_off', error: 'host_limit' }
  const outcome = await post(env, chat, url, message, now)
  if (outcome.ok) return { state: 'sent' }
  const error = outcome.error ?? 'connection_failed'
  const silent = outcome.response_status === null && outcome !== NOT_SENT
  return { state: chat.format === 'slack' && silent ? 'lost' : 'refused', error }
}

async function post(
  env: Bindings,
  chat: Chat,
  url: string,
  { id, attempt, event, text }: ChatMessage,
  now: Date,
): Promise<PostOutcome> {
  if (!readTarget(env, url).ok || (await resolvesToPrivate(env, url))) return NOT_SENT
  if (chat.secret === null) return postJson(url, JSON.stringify({ text }), now)
  const secret = await openOf(env, chat.account_id, 'chat_secret', chat.secret)
  const body = JSON.stringify(event)
  return postEvent({ url, secret, previous_secret: null, event_id: id, attempt, body, expected: null }, now)
}
