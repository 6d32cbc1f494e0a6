type Page = { has_more: boolean; offset?: number; limit: number; next_cursor?: string | null }
type Next = { cursor: string } | { offset: number } | Record<never, never>

/**
 * Iterates over all rows of a list and reads its pages as needed. `read` reads the page at `next`: put `next`
 * into the query. `rowsOf` returns the rows of an answer. Uses the list's cursor if it has one, else its
 * offset.
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
