type Page = { has_more: boolean; offset?: number; limit: number; next_cursor?: string | null }
type Next = { cursor: string } | { offset: number } | Record<never, never>

/**
 * Goes over all rows of a list, page by page, as they are needed. `read` gets the page at `next`, which
 * belongs into the query; `rowsOf` takes the rows out of an answer. Follows the list's cursor if it has one,
 * else its offset.
 */
export async function* each<Answer extends Page, Row>(
  read: (next: Next) => Promise<Answer>,
  rowsOf: (answer: Answer) => readonly Row[],
): AsyncGenerator<Row, void, undefined> {
  let next: Next = {}
  for (;;) {
    const answer = await read(next)
    yield* rowsOf(answer)
    if (!answer.has_more) return
    next =
      typeof answer.next_cursor === 'string'
        ? { cursor: answer.next_cursor }
        : { offset: (answer.offset ?? 0) + answer.limit }
  }
}
