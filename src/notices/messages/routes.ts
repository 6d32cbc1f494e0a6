import { feature, route } from '../../platform/http/route.ts'
import { ChangedMessagesAnswer, MessagesAnswer, MessagesRequest, TestMessagesAnswer } from './schemas.ts'
import { getMessages, putMessages } from './settings.ts'
import { testMessages } from './test-messages.ts'

const OF_ACCOUNT = { tag: 'Account', path: '/v1/account/messages' } as const

const serves = ['/v1/account/messages']

export const messageRoutes = feature(serves, [
  route({
    ...OF_ACCOUNT,
    method: 'get',
    operation: 'getMessages',
    client: 'account.messages',
    scope: 'registrations:read',
    summary: 'Who gets the daily message, of what, and what became of the last ones',
    answer: MessagesAnswer,
    handle: getMessages,
  }),
  route({
    ...OF_ACCOUNT,
    method: 'put',
    operation: 'updateMessages',
    client: 'account.updateMessages',
    writes: 'control',
    scope: 'registrations:write',
    summary: 'Change who gets the daily message, when, and of what',
    description:
      'Omitted fields stay. A message is sent at most once a local day, and only if there is something to ' +
      'tell. It has places, periods, days and the figures of your own sales, and nothing of your buyers. A ' +
      'person who stopped it by the link stays stopped until you leave the person out and add it again.',
    errors: ['concurrent_change'],
    body: MessagesRequest,
    example: {
      hour: 8,
      kinds: { rate_changed: false },
      chat: { format: 'signed', url: 'https://hooks.example.com/tax' },
    },
    answer: ChangedMessagesAnswer,
    handle: (context, { body }) => putMessages(context, body),
  }),
  route({
    tag: 'Account',
    path: '/v1/account/messages/test',
    method: 'post',
    operation: 'testMessages',
    client: 'account.testMessages',
    writes: 'control',
    scope: 'registrations:write',
    summary: 'Send a test message to the chat and the recipients',
    description: 'At most 5 times a day (UTC).',
    errors: ['nobody_to_tell', 'too_many_test_messages'],
    answer: TestMessagesAnswer,
    handle: (context) => testMessages(context),
  }),
])
