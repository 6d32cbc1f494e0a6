import { Refusal } from '../ground/refusal.ts'
import { linesOf, nameOfLine, type Sale, type SaleLine } from './sale.ts'

/**
 * The pieces of a line, where the law looks at the price of one. A quantity such as 1.5 kg does not tell how
 * many pieces it is. It is at least one, so `one_settles` says that one piece already has the answer. Throws
 * fractional_quantity.
 */
export function piecesOf(sale: Sale, line: SaleLine, one_settles: boolean): number {
  const { quantity } = line
  if (Number.isInteger(quantity)) return quantity
  if (one_settles) return 1
  const index = linesOf(sale).indexOf(line)
  const name = index < 0 ? 'lines' : nameOfLine(sale, index)
  throw new Refusal('fractional_quantity', `${name}.quantity`, detailOf(quantity))
}

function detailOf(quantity: number): string {
  return (
    `the tax here depends on the price of one item, and a quantity of ${quantity} does not tell how many ` +
    'items there are: give amount, with the number of items as quantity'
  )
}
