import type { Context } from '../../platform/context.ts'

/**
 * Who does something: a key or a person. `person`: who signed in, or who made the key; null: nobody who
 * signed in made it.
 */
export type Actor = { id: string; person: string | null }

/** Who sends a request, and whether the account has a return filed by another person than its reviewer. */
export async function readFilingRule({
  env,
  principal,
}: Context): Promise<{ four_eyes: boolean; actor: Actor }> {
  const { key_id: id, account_id } = principal
  const row = await env.DB.prepare(
    `SELECT four_eyes, (SELECT made_by FROM api_keys WHERE account_id = ?1 AND id = ?2) AS made_by
     FROM accounts WHERE id = ?1`,
  )
    .bind(account_id, id)
    .first<{ four_eyes: number; made_by: string | null }>()
  const person = principal.person === null ? (row?.made_by ?? null) : id
  return { four_eyes: row?.four_eyes === 1, actor: { id, person } }
}

/** Who sends a request. */
export async function readActor(context: Context): Promise<Actor> {
  return (await readFilingRule(context)).actor
}
