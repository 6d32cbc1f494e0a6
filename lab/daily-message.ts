import { repeatableId } from '../src/platform/database/ids.ts'
import { eventRow } from '../src/notices/events/events.ts'
import type { Drilled } from './drilled.ts'

const MINUTE_MS = 60_000

/**
 * Makes the daily message of an account due, by the clock of a drilled service, and records what it tells: a
 * webhook that was disabled an hour ago, which is the shortest matter. An account has one message a day.
 */
export async function makeMessageDue(
  service: Drilled,
  { account_id, shard }: { account_id: string; shard: number },
  now: number,
): Promise<void> {
  const at = (minutes: number) => new Date(now + minutes * MINUTE_MS)
  const data = {
    webhook_id: 'wh_1',
    url: 'https://hooks.example.com/',
    consecutive_failures: 5,
    last_failed_at: at(-60).toISOString(),
  }
  const id = repeatableId('evt', at(-60).getTime(), 0, crypto.getRandomValues(new Uint8Array(16)))
  const row = { ...eventRow({ type: 'webhook.disabled', account_id, data }, at(-60)), id, dedupe: null }
  const names = Object.keys(row)
  // A row of the table has nothing but texts, numbers and nulls.
  const values = Object.values(row) as (string | number | null)[]
  const sql = `INSERT INTO events (${names.join()}) VALUES (${names.map(() => '?').join()})`
  await service.batch(shard, [{ sql, values }])
  const due = 'UPDATE message_settings SET next_at = ?2, read_until = ?3 WHERE account_id = ?1'
  const moments = [at(-1).toISOString(), at(-90).toISOString()]
  await service.batch(0, [{ sql: due, values: [account_id, ...moments] }])
}
