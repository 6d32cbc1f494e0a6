import type { Context } from '../../platform/context.ts'
import { commit } from '../../platform/writes/commit.ts'
import { guarded } from '../../platform/database/guard.ts'
import { newId } from '../../platform/database/ids.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { dayOf } from '../../platform/kit/calendar.ts'
import { dayIn } from '../../platform/kit/time-zone.ts'
import { linkTo } from '../../platform/own-addresses.ts'
import { postToChat } from './chat.ts'
import { mailTo } from './deliver.ts'
import type { Content } from './kinds.ts'
import type { Sending } from './mail.ts'
import type { TestMessagesAnswer } from './schemas.ts'
import { countTest, readTested } from './settings-store.ts'
import { eventOf, slackTextOf, type Telling } from './texts.ts'

/** Tests of an account on a day in UTC. */
const TESTS_MAX = 5

/** What a test says. */
const CONTENT: Content = {
  lines: [
    {
      kind: 'return_due',
      text: 'This is a test. Messages of this kind tell that a return is due',
      jurisdiction_id: null,
      period: null,
      day: null,
    },
  ],
  more: 0,
}

/** Sends a test to the chat and to each recipient now. Throws nobody_to_tell, too_many_test_messages. */
export async function testMessages(context: Context): Promise<Answer<typeof TestMessagesAnswer>> {
  const { env, principal, now } = context
  const { account_id, time_zone } = principal
  const { settings, recipients } = await readTested(context)
  if (settings === null || (settings.chat_url === null && recipients.length === 0))
    throw new ApiError('nobody_to_tell')
  await commit(context, {
    changes: guarded(env.DB, countTest(context, dayOf(now), TESTS_MAX), 'too_many_test_messages'),
    audit: { action: 'messages.tested', resource_id: account_id, changed: [] },
    answer: {},
  })
  const console_url = linkTo(env, 'CONSOLE_URL', '/console/')
  const told: Telling = { name: settings.name, day: dayIn(time_zone, now), content: CONTENT, console_url }
  const mails = recipients.map(async (recipient) => {
    const outcome = await mailTo(env, { id: newId('msg'), account_id, ...recipient }, told)
    return resultOf('mail', recipient.person_id, outcome)
  })
  const { chat_format, chat_url, chat_secret } = settings
  if (chat_format === null || chat_url === null) return { results: await Promise.all(mails) }
  const id = newId('msg')
  const message = { id, attempt: 1, event: eventOf(id, account_id, told, now), text: slackTextOf(told) }
  const chat = { account_id, format: chat_format, url: chat_url, secret: chat_secret }
  const posted = postToChat(env, chat, message, now).then((outcome) => resultOf('chat', null, outcome))
  return { results: await Promise.all([posted, ...mails]) }
}

function resultOf(channel: 'mail' | 'chat', person_id: string | null, outcome: Sending) {
  return {
    channel,
    person_id,
    sent: outcome.state === 'sent',
    error: outcome.state === 'sent' ? null : outcome.error,
  }
}
