import { readSaleContext } from '../../sales/transactions/sale/sale-context.ts'
import type { LineEntry } from './line-entry.ts'

/** The quantity that a sold line of a unit price was asked with, such as 1.5. Null: it has no unit price. */
export function unitQuantityOf({
  entry,
  id,
  facts,
}: Pick<LineEntry, 'entry' | 'id' | 'facts'>): number | null {
  if (entry === 'refund') return null
  // The id of a sold line is that of its sale, its position and its part.
  const [, position = ''] = id.split('/')
  return readSaleContext(facts).lines[Number(position)]?.unit_quantity ?? null
}
