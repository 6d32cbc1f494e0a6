type Page = {
  has_more: boolean
  limit: number
  offset?: number
  next_cursor?: string | null
  next_after?: string | null
}

/** The part of a query that leads to the next page. */
export type Next = { cursor?: string; offset?: number; after?: string }

/**
 * A list of the service. `for await (const row of list)` reads all rows, page by page. `page()` reads only
 * the first page, with its other fields such as `total`.
 */
export type List<Row, Answer> = AsyncIterable<Row> & { page: () => Promise<Answer> }

/**
 * Makes a list. `read` reads the page at `next`: put `next` into the query, over the caller's own fields.
 * `rowsOf` returns the rows of an answer.
 */
export function listOf<Answer extends Page, Row>(
  read: (next: Next) => Promise<Answer>,
  rowsOf: (answer: Answer) => readonly Row[],
): List<Row, Answer> {
  return { page: () => read({}), [Symbol.asyncIterator]: () => rowsOfAllPages(read, rowsOf) }
}

async function* rowsOfAllPages<Answer extends Page, Row>(
  read: (next: Next) => Promise<Answer>,
  rowsOf: (answer: Answer) => readonly Row[],
): AsyncGenerator<Row, void, undefined> {
  let next: Next | null = {}
  while (next !== null) {
    const answer: Answer = await read(next)
    yield* rowsOf(answer)
    next = answer.has_more ? after(answer) : null
  }
}

/** A list has a cursor, the id of its last event, or an offset. */
function after({ next_cursor, next_after, offset, limit }: Page): Next {
  if (typeof next_cursor === 'string') return { cursor: next_cursor }
  if (typeof next_after === 'string') return { after: next_after }
  return { offset: (offset ?? 0) + limit }
}
