import type { Context } from '../context.ts'
import { rowsOf } from '../database/results.ts'

type NamedKey = { id: string; name: string | null }

/**
 * The names of keys of the account, or their first characters. A key is deleted 30 days after its end; then
 * the audit event of its creation has them, as long as the log keeps it.
 */
export async function readKeyNames(
  { env, principal }: Context,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> {
  if (ids.size === 0) return new Map()
  const bound = [principal.account_id, JSON.stringify([...ids])]
  const [created, present] = await env.DB.batch<NamedKey>([
    env.DB.prepare(
      `SELECT resource_id AS id,
         coalesce(field_values ->> '$.name.new', field_values ->> '$.prefix.new') AS name
       FROM audit_events WHERE account_id = ?1 AND resource_id IN (SELECT value FROM json_each(?2))
         AND action = 'api_key.created'`,
    ).bind(...bound),
    env.DB.prepare(
      `SELECT id, coalesce(name, prefix) AS name FROM api_keys
       WHERE account_id = ?1 AND id IN (SELECT value FROM json_each(?2))`,
    ).bind(...bound),
  ])
  const found = [...rowsOf<NamedKey>(created), ...rowsOf<NamedKey>(present)]
  return new Map(found.flatMap(({ id, name }) => (name === null ? [] : [[id, name]])))
}
