import type { ControlDb } from './databases.ts'
import type { Tier } from '../tiers.ts'

/** The tiers of accounts, by their ids. */
export async function readTiers(
  control: ControlDb,
  account_ids: readonly string[],
): Promise<{ id: string; tier: Tier }[]> {
  const { results } = await control
    .prepare('SELECT id, tier FROM accounts WHERE id IN (SELECT value FROM json_each(?))')
    .bind(JSON.stringify(account_ids))
    .all<{ id: string; tier: Tier }>()
  return results
}
