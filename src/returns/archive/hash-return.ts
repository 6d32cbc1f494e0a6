import { sha256 } from '../../platform/kit/sha256.ts'
import type { ReturnRow } from './returns-store.ts'

/** So many lines are hashed, read and written at once. */
export const ROWS_PAGE = 1_000

/** The hash of all lines so far: that of the pages before, and of the texts of this page. */
export function hashOfPage(before: string, contents: readonly string[]): Promise<string> {
  return sha256([before, ...contents].join('\n'))
}

/**
 * The text of a filed return whose SHA-256 is its hash. It contains the hash of its lines and the hash of the
 * return filed before it, so a change in one return shows in all later ones.
 */
export function hashInputOf(row: ReturnRow): string {
  return JSON.stringify([
    row.previous_hash,
    row.id,
    row.type,
    row.jurisdiction_id,
    row.period,
    row.from_date,
    row.to_date,
    row.version,
    row.corrects,
    row.content,
    row.sums,
    row.inputs,
    row.data_version,
    row.row_count,
    row.rows_hash,
    row.filed_at,
    row.filed_by,
  ])
}

/** The hash of a filed return. */
export function hashOfReturn(row: ReturnRow): Promise<string> {
  return sha256(hashInputOf(row))
}
