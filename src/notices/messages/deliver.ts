import type { Bindings } from '../../platform/bindings.ts'
import { logFault } from '../../platform/kit/log-fault.ts'
import { linkTo } from '../../platform/own-addresses.ts'
import { postToChat } from './chat.ts'
import {
  type Addressee,
  type AfterAttempt,
  type LeasedMessage,
  LOST_MAX,
  readAddressees,
  recordAttempt,
} from './digest-store.ts'
import type { Content } from './kinds.ts'
import { type Sending, sendMail } from './mail.ts'
import { openOf, sealNameOf } from './sealed.ts'
import { eventOf, mailTextOf, slackTextOf, subjectOf, type Telling } from './texts.ts'

const MINUTE_MS = 60_000
/** The waits after refused attempts: all within the day. After the last one the message is given up. */
const WAITS_MS = [5, 30, 120, 360].map((minutes) => minutes * MINUTE_MS)
/** A host that may get no more at the moment is asked a little later. */
const PUT_OFF_MS = 5 * MINUTE_MS

/** Sends leased messages at the same time, and records what became of each. */
export async function deliverMessages(
  env: Bindings,
  due: readonly LeasedMessage[],
  now: Date,
): Promise<void> {
  if (due.length === 0) return
  const addressees = await readAddressees(
    env.DB,
    due.map(({ id }) => id),
  )
  await Promise.all(
    due.map(async (message) => {
      const addressee = addressees.find(({ message_id }) => message_id === message.id)
      try {
        const after =
          addressee === undefined || !isReachable(message, addressee)
            ? afterStop(message, now)
            : afterOutcome(message, await deliver(env, message, addressee, now), now)
        await recordAttempt(env.DB, message, after, now.toISOString())
      } catch (thrown) {
        logFault({ job: 'sendDailyMessages', message_id: message.id }, thrown)
      }
    }),
  )
}

/** Whether the recipient is still there: the chat was not removed, the person neither, nor has stopped. */
function isReachable({ channel }: LeasedMessage, { chat_url, email }: Addressee): boolean {
  return channel === 'chat' ? chat_url !== null : email !== null && email !== ''
}

async function deliver(
  env: Bindings,
  { id, account_id, day, channel, person_id, attempts, content }: LeasedMessage,
  { name, chat_format, chat_url, chat_secret, email, stop_token }: Addressee,
  now: Date,
): Promise<Sending> {
  const read: Content = JSON.parse(content)
  const told: Telling = { name, day, content: read, console_url: linkTo(env, 'CONSOLE_URL', '/console/') }
  if (channel === 'mail')
    return mailTo(env, { id, account_id, person_id, email: email ?? '', stop_token: stop_token ?? '' }, told)
  const chat = { account_id, format: chat_format ?? 'signed', url: chat_url ?? '', secret: chat_secret }
  const message = {
    id,
    attempt: attempts,
    event: eventOf(id, account_id, told, now),
    text: slackTextOf(told),
  }
  return postToChat(env, chat, message, now)
}

/** A person who gets a mail. `stop_token` is sealed. */
type Addressed = { id: string; account_id: string; person_id: string; email: string; stop_token: string }

/** Sends a message by mail, with the link that stops it. */
export async function mailTo(
  env: Bindings,
  { id, account_id, person_id, email, stop_token }: Addressed,
  told: Telling,
): Promise<Sending> {
  const token = await openOf(env, account_id, sealNameOf(person_id), stop_token)
  const stop_url = linkTo(env, 'PUBLIC_URL', `/messages/stop/${token}`)
  if (stop_url === null) return { state: 'refused', error: 'mail_not_set_up' }
  const text = mailTextOf(told, stop_url)
  return sendMail(env, { id, to: email, subject: subjectOf(told), text, stop_url })
}

function afterStop({ attempts, lost }: LeasedMessage, now: Date): AfterAttempt {
  return { state: 'stopped', attempts, lost, next_attempt_at: now.toISOString(), error: null }
}

/** What becomes of a message after an outcome. Pure. */
export function afterOutcome(
  { attempts, lost }: Pick<LeasedMessage, 'attempts' | 'lost'>,
  outcome: Sending,
  now: Date,
): AfterAttempt {
  const at = (wait: number) => new Date(now.getTime() + wait).toISOString()
  if (outcome.state === 'sent') return { state: 'sent', attempts, lost, next_attempt_at: at(0), error: null }
  const { error } = outcome
  if (outcome.state === 'put_off')
    return { state: 'pending', attempts: attempts - 1, lost, next_attempt_at: at(PUT_OFF_MS), error }
  if (outcome.state === 'lost') {
    const state = lost + 1 < LOST_MAX ? 'pending' : 'unknown'
    return { state, attempts, lost: lost + 1, next_attempt_at: at(PUT_OFF_MS), error }
  }
  const wait = WAITS_MS[attempts - 1]
  if (wait === undefined) return { state: 'failed', attempts, lost, next_attempt_at: at(0), error }
  return { state: 'pending', attempts, lost, next_attempt_at: at(wait), error }
}
