import { callApi, type Query } from '../api.ts'
import type { PageOfRows } from './table.tsx'

const PAGE = '100'

/** A page of the lists of the API that take an offset. */
type Counted = { total: number; has_more: boolean }

/** Reads pages of such a list. `rowsOf` finds the rows in an answer. */
export function byOffset<Answer extends Counted, Row>(path: string, rowsOf: (answer: Answer) => Row[]) {
  return async (cursor: string | null, limit: number): Promise<PageOfRows<Row>> => {
    const offset = cursor ?? '0'
    const answer = await callApi<Answer>('GET', path, { query: { limit: String(limit), offset } })
    const rows = rowsOf(answer)
    const next = String(Number(offset) + rows.length)
    return { rows, total: answer.total, next_cursor: answer.has_more ? next : null }
  }
}

/** All rows of such a list, of at most `pages_max` pages, and the answer of the first page. */
export async function readAll<Answer extends Counted, Row>(
  path: string,
  query: Query,
  rowsOf: (answer: Answer) => Row[],
  pages_max: number,
): Promise<{ first: Answer; rows: Row[] }> {
  const read = (offset: number) =>
    callApi<Answer>('GET', path, { query: { limit: PAGE, ...query, offset: String(offset) } })
  const first = await read(0)
  const rows = [...rowsOf(first)]
  let { has_more } = first
  for (let page = 1; page < pages_max && has_more; page += 1) {
    const answer = await read(rows.length)
    rows.push(...rowsOf(answer))
    has_more = answer.has_more && rowsOf(answer).length > 0
  }
  return { first, rows }
}
