import type { Context } from '../../../platform/context.ts'
import { bookFor } from '../../../tax-data/records/book-for.ts'
import { sentenceOfLine } from './explain-sale.ts'
import { readReasons } from './reasons-store.ts'
import { readSales } from '../sale/store.ts'

/**
 * Why the lines of these sales bear their tax, as sentences by line id, from what was kept with the sales. A
 * sale without a kept reason has none.
 */
export async function sentencesOfSales(
  context: Context,
  transaction_ids: readonly string[],
): Promise<Map<string, string>> {
  const ids = [...new Set(transaction_ids)]
  const [book, kept, sales] = await Promise.all([
    bookFor(context),
    readReasons(context, ids),
    readSales(context, ids),
  ])
  const sentences = new Map<string, string>()
  for (const { row, lines } of sales) {
    const reasons = kept.get(row.id)
    if (reasons === undefined) continue
    for (const line of lines) sentences.set(line.id, sentenceOfLine(line, row, reasons, book))
  }
  return sentences
}
