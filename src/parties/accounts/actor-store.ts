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

/**
 * Whether two people of the account may be one: they have the same e-mail, or that of one was erased. A
 * person who is removed and added again has another id.
 */
export async function mayBeOnePerson(
  { env, principal }: Context,
  one: string,
  other: string,
): Promise<boolean> {
  const may_be = await env.DB.prepare(
    `SELECT count(*) > count(DISTINCT nullif(email, '')) AS may_be FROM people
     WHERE account_id = ? AND id IN (?, ?)`,
  )
    .bind(principal.account_id, one, other)
    .first<number>('may_be')
  return may_be === 1
}

/** Who sends a request. */
export async function readActor(context: Context): Promise<Actor> {
  return (await readFilingRule(context)).actor
}
