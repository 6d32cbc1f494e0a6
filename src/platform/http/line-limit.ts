import { fieldError } from '../errors.ts'

/** The most lines of all items of one request. */
export const LINES_MAX = 2_000
/** The most lines that one request can have explained or compared, which costs far more than a line. */
const EXPLAINED_LINES_MAX = 500

/**
 * Throws invalid_request if the items of a batch have too many lines together. The items are not validated
 * yet. `path` names the list in the request.
 */
export function limitLines(path: string, items: readonly unknown[]): void {
  let lines = 0
  let explained = 0
  for (const item of items) {
    if (typeof item !== 'object' || item === null || !('line_items' in item)) continue
    const count = Array.isArray(item.line_items) ? item.line_items.length : 0
    lines += count
    const compared = 'compare' in item && item.compare !== null && item.compare !== undefined
    if (compared || ('explain' in item && item.explain === true)) explained += count
  }
  if (lines > LINES_MAX)
    throw fieldError('invalid_request', path, `must have at most 2,000 lines together, not ${lines}`)
  if (explained > EXPLAINED_LINES_MAX)
    throw fieldError(
      'invalid_request',
      path,
      `must have at most 500 explained or compared lines, not ${explained}`,
    )
}
