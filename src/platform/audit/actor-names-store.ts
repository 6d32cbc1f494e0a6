import type { Context } from '../context.ts'
import { HAS_OWN_ID } from '../database/values/audit-ids.ts'
import { rowsOf } from '../database/results.ts'

type NamedActor = { id: string; name: string | null }

/** Names of keys and people, by their ids. */
export type ActorNames = ReadonlyMap<string, string>

/**
 * The names of people of the account, also after their access ended, and of its keys, or their first
 * characters. A key is deleted 30 days after its end; then the audit event of its creation has them, as
 * long as the log keeps it. An erased person has no name. Null in `ids` names nobody.
 */
export async function readActorNames(
  { env, principal }: Context,
  ids: readonly (string | null)[],
): Promise<ActorNames> {
  const asked = new Set(ids.filter((id) => id !== null))
  if (asked.size === 0) return new Map()
  const bound = [principal.account_id, JSON.stringify([...asked])]
  const found = await env.DB.batch<NamedActor>([
    env.DB.prepare(
      `SELECT resource_id AS id,
         coalesce(field_values ->> '$.name.new', field_values ->> '$.prefix.new') AS name
       FROM audit_events WHERE account_id = ?1 AND resource_id IN (SELECT value FROM json_each(?2))
         AND ${HAS_OWN_ID} AND action = 'api_key.created'`,
    ).bind(...bound),
    env.DB.prepare(
      `SELECT id, coalesce(name, prefix) AS name FROM api_keys
       WHERE account_id = ?1 AND id IN (SELECT value FROM json_each(?2))`,
    ).bind(...bound),
    env.DB.prepare(
      `SELECT id, nullif(name, '') AS name FROM people
       WHERE account_id = ?1 AND id IN (SELECT value FROM json_each(?2))`,
    ).bind(...bound),
  ])
  const named = found.flatMap((each) => rowsOf<NamedActor>(each))
  return new Map(named.flatMap(({ id, name }) => (name === null ? [] : [[id, name]])))
}
