import type { Context } from '../../platform/context.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { pageOf } from '../../platform/http/page.ts'
import { checkReturn, missingReturns } from '../archive/check-return.ts'
import { readFilingEvents } from '../archive/filing-events-store.ts'
import { hashInputOf, ROWS_PAGE } from '../archive/hash-return.ts'
import { presentHead } from './present-filed.ts'
import { listReturns, readFiledRows, readIdsOfFiled, type ReturnRow } from '../archive/returns-store.ts'
import type { HashedRowsAnswer, ReconciliationAnswer, ReconciliationQuery } from './schemas.ts'
import { readToldOfReturns } from './told-of-returns.ts'
import { moneyInWords } from '../../engine/book/money-in-words.ts'
import { type OpenAmendment, readAmendments } from '../filing/read-amendments.ts'

/**
 * Returns of the account beside its books, newest first, with the texts of their hashes. Throws
 * concurrent_change if the books change all the time.
 */
export async function reconcilePage(
  context: Context,
  query: ReconciliationQuery,
): Promise<Answer<typeof ReconciliationAnswer>> {
  const { limit = 12, offset = 0 } = query
  const events = await readFilingEvents(context)
  // After the events: a return that is filed in between is not missing.
  const [{ rows, total }, ids] = await Promise.all([
    listReturns(context, query, limit, offset),
    readIdsOfFiled(context),
  ])
  const missing = missingReturns(events, ids)
  const toldOf = await readToldOfReturns(context, rows)
  const returns = []
  const open = await readAmendments(context, rows)
  for (const row of rows) {
    const found = await checkReturn(context, row, events)
    const to_amend = open.filter(({ return_id }) => return_id === row.id)
    const checked = { ...found, faults: [...found.faults, ...to_amend.map(faultOfAmendment)] }
    returns.push({
      ...presentHead(row, toldOf(row)),
      reconciled: checked.faults.length === 0,
      ...checked,
      hash_input: hashInputOf(row),
      hashed_rows_url: `/v1/returns/${row.id}/hashed-rows`,
    })
  }
  const reconciled = missing.length === 0 && returns.every((each) => each.reconciled)
  return { reconciled, returns, missing, ...pageOf(total, limit, offset) }
}

/** The office does not know them, and no next return declares them. */
function faultOfAmendment({ period, tax_amount, currency, notice }: OpenAmendment): string {
  return (
    `Late entries of ${period} (tax ${moneyInWords(tax_amount, currency)}) are in no return: ` +
    `the tax office does not know them: ${notice}`
  )
}

/** A page of the lines of a return as the texts that were hashed. */
export async function pageOfHashedRows(
  context: Context,
  row: ReturnRow,
  cursor: string | undefined,
): Promise<Answer<typeof HashedRowsAnswer>> {
  const from = Number(cursor ?? 0)
  const { row_count, rows_hash } = row
  const page = await readFiledRows(context, row, from, ROWS_PAGE)
  const has_more = page.length === ROWS_PAGE && from + ROWS_PAGE < row_count
  return {
    rows: page.map(({ content }) => content),
    row_count,
    rows_hash,
    limit: ROWS_PAGE,
    has_more,
    next_cursor: has_more ? String(from + ROWS_PAGE) : null,
  }
}
