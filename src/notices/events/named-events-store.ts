import type { Bindings } from '../../platform/bindings.ts'
import type { EventWrite } from '../../platform/database/event-writes.ts'
import type { Shard } from '../../platform/database/shards.ts'
import type { NamedEvent } from './event-types.ts'
import { eventRow } from './events.ts'
import { sendEventMessages } from './send-events.ts'

/**
 * The write of events of one account and of one type that is only written on request: if an active webhook of
 * the account names the type. Without events there is no write.
 */
export function insertNamedEvents(
  env: Bindings,
  shard: Shard,
  events: readonly NamedEvent[],
  now: Date,
): EventWrite[] {
  const [first] = events
  if (first === undefined) return []
  const rows = events.map((event) => eventRow(event, now))
  const names = ['id', 'type', 'data', 'created_at', 'fanned_out_at', 'owner_account_id', 'account_pending']
  const statement = shard.books
    .prepare(
      `INSERT INTO events (${names.join(', ')})
       SELECT ${names.map((name) => `value ->> '$.${name}'`).join(', ')} FROM json_each(?1)
       WHERE EXISTS (SELECT 1 FROM webhooks, json_each(webhooks.events) named
                     WHERE webhooks.account_id = ?2 AND webhooks.status = 'active' AND named.value = ?3)`,
    )
    .bind(JSON.stringify(rows), first.account_id, first.type)
  const ids = rows.map(({ id }) => id)
  return [{ statement, send: () => sendEventMessages(env, shard, ids, now) }]
}
