import type { Context } from '../../../platform/context.ts'
import type { TransactionRow } from '../sale/rows.ts'

/**
 * Whether a document in the form of TaxJar recorded a sale. Its external id is the id of the document, with
 * its kind and provider before it unless they are the usual ones.
 */
export async function isOfTaxJarForm(
  { books, principal }: Context,
  { id, external_id }: Pick<TransactionRow, 'id' | 'external_id'>,
): Promise<boolean> {
  const [, refund, name = ''] = /^(refund:)?(.*)$/s.exec(external_id ?? '') ?? []
  const colon = name.indexOf(':')
  const found = await books
    .prepare(
      `SELECT 1 AS found FROM taxjar_documents
       WHERE account_id = ?1 AND kind = ?2 AND transaction_id = ?3
         AND (provider = 'api' AND document_id = ?4 OR provider = ?5 AND document_id = ?6)`,
    )
    .bind(
      principal.account_id,
      refund === undefined ? 'order' : 'refund',
      id,
      name,
      name.slice(0, Math.max(colon, 0)),
      name.slice(colon + 1),
    )
    .first()
  return found !== null
}
