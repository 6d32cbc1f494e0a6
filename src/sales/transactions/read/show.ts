import type { Context } from '../../../platform/context.ts'
import type { Answer } from '../../../platform/http/answers.ts'
import { bookFor } from '../../../tax-data/records/book-for.ts'
import type { ExplainedTransaction } from '../sale/answers.ts'
import { explainSale } from './explain-sale.ts'
import { withEinvoice } from './shown-einvoice.ts'
import { presentTransaction } from '../sale/present.ts'
import { readReasons } from './reasons-store.ts'
import type { StoredTransaction } from '../sale/rows.ts'
import type { TransactionAsked } from '../sale/schemas.ts'

/** The word for a sale without a reason. */
const NOT_KEPT = 'No reason was kept: the sale was recorded before reasons were kept with sales'
const NOT_ASSESSED = 'The tax was given, and the data of the service cannot calculate it'

/** A stored transaction, with its reason and the view of its invoice if they are asked for. */
export async function showTransaction(
  context: Context,
  sale: StoredTransaction,
  { explain, einvoice }: TransactionAsked,
): Promise<Answer<typeof ExplainedTransaction>> {
  const plain = presentTransaction(sale)
  const shown =
    einvoice === undefined ? plain : await withEinvoice(sale, plain, einvoice === 'law' ? null : einvoice)
  return explain === 'true' ? { ...shown, ...(await explanationOf(context, sale)) } : shown
}

async function explanationOf(context: Context, sale: StoredTransaction) {
  const { id } = sale.row
  const kept = (await readReasons(context, [id])).get(id)
  if (kept === undefined) return { explanation: null, explanation_note: NOT_KEPT }
  return {
    explanation: explainSale(sale, kept, await bookFor(context)),
    explanation_note: kept.lines.length === 0 ? NOT_ASSESSED : null,
  }
}
