import { objectsOf } from './chest.ts'
import { readSealedBlock, type SealedOf } from './read-sealed.ts'
import { blocksOfSales, type NamedSales, putBack } from './sealed-store.ts'

/**
 * Brings sealed sales back into the books, because a write is about to need them. They stay there. That alone
 * changes nothing that an account sees, so it is a batch of its own. Returns whether it found any.
 */
export async function thawSales(source: SealedOf, named: NamedSales): Promise<boolean> {
  const { account_id } = source.principal
  const found = await blocksOfSales(source.books, account_id, named)
  for (const each of found) {
    const block = await readSealedBlock(source, each)
    const ids = objectsOf(block.transactions)
      .filter(
        ({ id, external_id }) =>
          named.ids.includes(String(id)) ||
          (external_id !== null && named.external_ids.includes(String(external_id))),
      )
      .map(({ id }) => String(id))
    if (ids.length > 0) await putBack(source.books, each, block, new Set(ids))
  }
  return found.length > 0
}
