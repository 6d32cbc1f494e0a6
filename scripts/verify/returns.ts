import type { BooksDb } from '../../src/platform/database/databases.ts'
import { ApiError } from '../../src/platform/errors.ts'
import type { LineEntry } from '../../src/returns/rows/line-entry.ts'
import { readEntries } from '../../src/returns/rows/report-lines-store.ts'
import { checkReturn, missingReturns } from '../../src/returns/archive/check-return.ts'
import { readFilingEvents } from '../../src/returns/archive/filing-events-store.ts'
import { hashOfPage, ROWS_PAGE } from '../../src/returns/archive/hash-return.ts'
import { readAllFiled, readFiledRows, type ReturnRow } from '../../src/returns/archive/returns-store.ts'
import type { SealedOf } from '../../src/sales/sealed/read-sealed.ts'
import { rowsOfIds } from '../../src/sales/sealed/with-sealed.ts'
import { type BoundChests, sealedSource } from './chests.ts'
import { readGivenUp } from './returns-store.ts'

/** What differs from what was filed. */
type ReturnFault = { return_id: string; message: string }

/**
 * Checks the filed returns of an account: the chain of hashes, each return against its hash and the audit
 * log, its kept lines against theirs, and the kept lines against the books of today. Reconciles the books
 * with what was declared.
 */
export async function verifyReturns(
  books: BooksDb,
  account_id: string,
  bound: BoundChests = {},
): Promise<ReturnFault[]> {
  const source = (await sealedSource(books, account_id, bound)) ?? {
    env: {},
    books,
    principal: { account_id },
  }
  const rows = await readAllFiled(books, account_id)
  const events = await readFilingEvents(source)
  const faults = faultsOfChain(rows)
  for (const row of rows) {
    const fault = (message: string) => faults.push({ return_id: row.id, message })
    const messages = await orUnreadable(async () => {
      const { faults: found } = await checkReturn(source, row, events, { thorough: true })
      return [...found, ...(await faultsOfRows(source, row))]
    })
    for (const message of messages) fault(message)
  }
  for (const { return_id } of missingReturns(events, new Set(rows.map(({ id }) => id))))
    faults.push({ return_id, message: 'The audit log has its filing, and the return is missing' })
  return faults
}

async function orUnreadable(check: () => Promise<string[]>): Promise<string[]> {
  try {
    return await check()
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || thrown.reason !== 'sealed_return_unreadable') throw thrown
    return ['Sealed lines of its days are absent, or are not as they were written']
  }
}

/** Each return follows another one or is the first, and no return follows itself by way of others. */
function faultsOfChain(rows: readonly ReturnRow[]): ReturnFault[] {
  const hashes = new Set(rows.map(({ hash }) => hash))
  const faults = rows.flatMap(({ id, previous_hash }) =>
    previous_hash === '' || hashes.has(previous_hash)
      ? []
      : [{ return_id: id, message: 'The return that was filed before it is missing' }],
  )
  return rows.length > 0 && !rows.some(({ previous_hash }) => previous_hash === '')
    ? [...faults, { return_id: rows[0]?.id ?? '', message: 'The first return is missing' }]
    : faults
}

async function faultsOfRows(source: SealedOf, row: ReturnRow): Promise<string[]> {
  const faults: string[] = []
  let [hash, count] = ['', 0]
  for (;;) {
    const page = await readFiledRows(source, row, count, ROWS_PAGE)
    if (page.length > 0) {
      hash = await hashOfPage(
        hash,
        page.map(({ content }) => content),
      )
      count += page.length
      const kept = page.map(({ content }): LineEntry => JSON.parse(content))
      faults.push(...(await faultsOfBooks(source, row, kept)))
    }
    if (page.length < ROWS_PAGE) break
  }
  if (count !== row.row_count) faults.push(`It has ${count} lines, of ${row.row_count} that were filed`)
  if (hash !== row.rows_hash) faults.push('Its lines are not as they were filed')
  return faults
}

/** Of a reopened return, a new time zone may have moved the lines to other days. */
const MAY_MOVE: ReadonlySet<string> = new Set(['day', 'sold_in'])

/**
 * The books may get refunds, but a recorded line never changes. One of a reopened return may be gone if the
 * audit log says so.
 */
async function faultsOfBooks(
  source: SealedOf,
  { status }: ReturnRow,
  kept: readonly LineEntry[],
): Promise<string[]> {
  const { books, principal } = source
  const { account_id } = principal
  const today = new Map<string, LineEntry>()
  const ids = [...new Set(kept.map(({ transaction_id }) => transaction_id))]
  const entries = await rowsOfIds(source, ids, async (read) => readEntries(read, account_id, ids))
  for (const entry of entries) today.set(entry.id, entry)
  const gone = kept.filter(({ id }) => !today.has(id)).map(({ transaction_id }) => transaction_id)
  const given_up = status === 'reopened' ? await readGivenUp(books, account_id, gone) : new Set<string>()
  return kept.flatMap((entry) => {
    const now = today.get(entry.id)
    if (now === undefined && given_up.has(entry.transaction_id)) return []
    if (now === undefined) return [`The line ${entry.id} is no longer in the books`]
    return isAsKept(entry, now, status === 'reopened')
      ? []
      : [`The line ${entry.id} was changed in the books`]
  })
}

/** A line that an earlier release kept has fewer fields. */
function isAsKept(kept: LineEntry, now: LineEntry, may_move: boolean): boolean {
  const fields = new Map(Object.entries(now))
  return Object.entries(kept).every(
    ([name, value]) => fields.get(name) === value || (may_move && MAY_MOVE.has(name)),
  )
}
