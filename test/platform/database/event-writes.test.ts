import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { batchWithEvents } from '../../../src/platform/database/event-writes.ts'
import { shardOf } from '../../../src/platform/database/shards.ts'
import { insertEvents } from '../../../src/notices/events/events.ts'
import { newAccount } from '../../support/account.ts'
import { listening } from '../../support/queues.ts'
import { keepAccountsIn } from '../../support/shards.ts'

keepAccountsIn(0)

const { account_id } = await newAccount()
const data = {
  webhook_id: 'wh_1',
  url: 'https://x.example.com/',
  consecutive_failures: 5,
  last_failed_at: null,
}

it('events are sent after their batch, and only those that it wrote', async () => {
  const { queue, heard } = listening()
  const write = (dedupe: string) =>
    insertEvents(
      { ...env, WEBHOOK_EVENTS: queue },
      shardOf(env, 0),
      [{ type: 'webhook.disabled', account_id, data, dedupe }],
      new Date(),
    )
  const one = env.DB.prepare('SELECT 1 AS one')
  const [result] = await batchWithEvents(env.DB, [one], write('first'))
  expect(result?.results).toEqual([{ one: 1 }])
  expect(heard).toHaveLength(1)
  await batchWithEvents(env.DB, [], [...write('first'), ...write('second')])
  expect(heard).toHaveLength(2)
  const failing = env.DB.prepare("SELECT json_extract('{}', 'no path')")
  await expect(batchWithEvents(env.DB, [failing], write('third'))).rejects.toThrow()
  expect(heard).toHaveLength(2)
})

it('the write of an event is no statement, so no batch can write it and forget to send it', () => {
  const writes = insertEvents(
    env,
    shardOf(env, 0),
    [{ type: 'webhook.disabled', account_id, data }],
    new Date(),
  )
  // @ts-expect-error: the compiler refuses it.
  const statements: D1PreparedStatement[] = writes
  expect(statements).toHaveLength(1)
})
