import type { Context } from '../../platform/context.ts'

/** The credit notes of refunds that have one, by the id of the refund. */
export async function readCreditNotes(
  { books, principal }: Context,
  refund_ids: readonly string[],
): Promise<Map<string, string>> {
  if (refund_ids.length === 0) return new Map()
  const { results } = await books
    .prepare(
      `SELECT id, credit_note_number FROM refunds
       WHERE account_id = ?1 AND id IN (SELECT value FROM json_each(?2)) AND credit_note_number IS NOT NULL`,
    )
    .bind(principal.account_id, JSON.stringify(refund_ids))
    .all<{ id: string; credit_note_number: string }>()
  return new Map(results.map((row) => [row.id, row.credit_note_number]))
}
