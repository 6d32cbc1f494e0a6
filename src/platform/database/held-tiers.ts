import type { ControlDb } from './databases.ts'
import { heldMap } from '../kit/memory.ts'
import { readTiers } from './tiers-store.ts'
import type { Tier } from '../tiers.ts'

/** A change of the tier counts within this time, as for requests. */
const HELD_MS = 60_000
const HELD_MAX = 5_000

const held = heldMap<string, { tier: Tier; until: number }>()

/**
 * The tiers of accounts, for work without a caller. An account that does not exist has none. They stay in
 * memory for a minute, so that a busy webhook costs the control database one read a minute.
 */
export async function tiersOf(
  control: ControlDb,
  account_ids: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, Tier>> {
  const time = now.getTime()
  const unknown = [...new Set(account_ids)].filter((id) => (held.get(id)?.until ?? 0) <= time)
  if (unknown.length > 0) {
    if (held.size + unknown.length > HELD_MAX) held.clear()
    for (const { id, tier } of await readTiers(control, unknown))
      held.set(id, { tier, until: time + HELD_MS })
  }
  return new Map(
    account_ids.flatMap((id) => {
      const found = held.get(id)
      return found === undefined ? [] : [[id, found.tier] as const]
    }),
  )
}
