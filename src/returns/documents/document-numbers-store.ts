import type { Context } from '../../platform/context.ts'
import type { LineEntry } from '../rows/line-entry.ts'

/** The numbers that documents of credit have in the books, beside those of their lines. */
export type DocumentNumbers = {
  /** Numbers of credit notes, by the id of their refund. */
  credit_notes: ReadonlyMap<string, string>
  /** The numbers of the credited invoices, by the id of the sale that credits one; null: it has none. */
  credited: ReadonlyMap<string, string | null>
}

export const NO_NUMBERS: DocumentNumbers = { credit_notes: new Map(), credited: new Map() }

/** Ids that one statement looks for. */
const IDS_AT_ONCE = 1_000

/** The numbers of the credit notes among some lines, and of the invoices that they credit. */
export async function readDocumentNumbers(
  context: Context,
  lines: readonly LineEntry[],
): Promise<DocumentNumbers> {
  const refunds = lines.flatMap(({ refund_id }) => refund_id ?? [])
  const credits = lines.flatMap(({ entry, net_amount, transaction_id }) =>
    entry === 'sale' && net_amount < 0 ? [transaction_id] : [],
  )
  const credit_notes = await readAll<{ id: string; number: string }>(refunds, (ids) =>
    context.books
      .prepare(
        `SELECT id, credit_note_number AS number FROM refunds
         WHERE account_id = ?1 AND id IN (SELECT value FROM json_each(?2))
           AND credit_note_number IS NOT NULL`,
      )
      .bind(context.principal.account_id, ids),
  )
  const credited = await readAll<{ id: string; number: string | null }>(credits, (ids) =>
    context.books
      .prepare(
        `SELECT note.id, coalesce(sold.facts ->> 'invoice_number', sold.external_id, sold.id) AS number
         FROM transactions note
         LEFT JOIN transactions sold ON sold.account_id = note.account_id AND sold.id = note.credited_sale
         WHERE note.account_id = ?1 AND note.id IN (SELECT value FROM json_each(?2))
           AND (note.credited_sale IS NOT NULL OR note.credited_day IS NOT NULL)`,
      )
      .bind(context.principal.account_id, ids),
  )
  return {
    credit_notes: new Map(credit_notes.map(({ id, number }) => [id, number])),
    credited: new Map(credited.map(({ id, number }) => [id, number])),
  }
}

/** The rows of some ids. `statementOf` gets them as JSON. */
async function readAll<Row>(
  wanted: readonly string[],
  statementOf: (ids: string) => D1PreparedStatement,
): Promise<Row[]> {
  const ids = [...new Set(wanted)]
  const rows: Row[] = []
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
    const some = JSON.stringify(ids.slice(from, from + IDS_AT_ONCE))
    rows.push(...(await statementOf(some).all<Row>()).results)
  }
  return rows
}
