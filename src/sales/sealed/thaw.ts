import { type NamedSales, onlyNamed, partsOf } from './chest.ts'
import { readSealedBlock, type SealedOf } from './read-sealed.ts'
import { blocksOfSales, putBack } from './sealed-store.ts'

/**
 * Brings sealed sales back into the books, because a write is about to need them. They stay there. That alone
 * changes nothing that an account sees, so it is a batch of its own. Returns whether it found any.
 */
export async function thawSales(source: SealedOf, named: NamedSales): Promise<boolean> {
  const { account_id } = source.principal
  const found = await blocksOfSales(source.books, account_id, named)
  for (const each of found) {
    const whole = onlyNamed(await readSealedBlock(source, each), named)
    for (const { block } of partsOf(whole))
      if (block.transactions.rows.length > 0) await putBack(source.books, each, block)
  }
  return found.length > 0
}
