import { fieldError } from '../../../platform/errors.ts'
import type { StoredTransaction } from '../sale/rows.ts'
import { readSaleContext } from '../sale/sale-context.ts'
import type { RefundBody } from '../sale/schemas.ts'

/**
 * A refund with the ids of the lines that it names by the caller's own references. Throws not_found, and
 * invalid_request for a reference that several lines have.
 */
export function withLineIds({ row, lines }: StoredTransaction, body: RefundBody): RefundBody {
  if (body.line_items?.some(({ id }) => id === undefined) !== true) return body
  const { lines: contexts } = readSaleContext(row.facts)
  const named = Map.groupBy(lines, ({ position }) => contexts[position]?.reference ?? null)
  const line_items = body.line_items.map(({ reference, ...asked }, index) => {
    if (reference === undefined) return asked
    const [line, second] = named.get(reference) ?? []
    const field = `line_items[${index}].reference`
    if (line === undefined) throw fieldError('not_found', field, 'is of no line of this transaction')
    if (second === undefined) return { ...asked, id: line.id }
    throw fieldError('invalid_request', field, `is of several lines: give an id, such as ${line.id}`)
  })
  return { ...body, line_items }
}
