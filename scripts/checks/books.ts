import type { Fault, Sources } from './style.ts'

/** The tables that are in the books of an account, thus in its shard. */
const BOOKS = new Set([
  'customers',
  'exemptions',
  'vat_validations',
  'transactions',
  'transaction_lines',
  'refunds',
  'taxjar_documents',
  'tax_totals',
  'transaction_counts',
  'day_changes',
  'returns',
  'filed_rows',
  'open_doors',
  'threshold_states',
  'webhooks',
  'webhook_deliveries',
  'webhook_attempts',
])

/** The tables that the books and the control database both have. */
const BOTH = new Set(['audit_events', 'idempotency_keys', 'account_usage', 'events'])

const TABLE = /\b(?:FROM|JOIN|INTO|UPDATE)\s+(?:OR \w+ )?([a-z][a-z0-9_]*)\b/g
/** A call that takes a database and a statement, with the text of the statement. */
const PREPARED = /(?<![\w.])([\w.]+)\s*\.prepare\(\s*(`[^`]*`|'[^'\n]*'|"[^"\n]*")/g
const INSERTED = /\binsertRows\(\s*([\w.]+),\s*'(\w+)'/g
/** A text that contains a statement or a part of one. */
const TEXT = /`[^`]*`|'(?:SELECT|INSERT|UPDATE|DELETE)[^'\n]*'/g

/**
 * A table of an account's books is only reached through a database that is named `books`, and a table of the
 * control database never. No statement names tables of both, because they may be in two databases. `written`
 * is the database of a request's write, for tables that both have.
 */
export function wrongDatabases(sources: Sources, tables: ReadonlySet<string>): Fault[] {
  return [...sources].flatMap(([path, text]) => [
    ...prepared(path, text, tables),
    ...inserted(path, text, tables),
    ...elsewhere(path, text, tables),
    ...renamed(path, text),
  ])
}

function prepared(path: string, text: string, tables: ReadonlySet<string>): Fault[] {
  return [...text.matchAll(PREPARED)].flatMap((found) => {
    const [, receiver = '', sql = ''] = found
    return faultOf(path, lineAt(text, found.index), receiver, tablesOf(sql, tables))
  })
}

function inserted(path: string, text: string, tables: ReadonlySet<string>): Fault[] {
  return [...text.matchAll(INSERTED)].flatMap((found) => {
    const [, receiver = '', table = ''] = found
    return faultOf(path, lineAt(text, found.index), receiver, tables.has(table) ? [table] : [])
  })
}

/** Parts of statements that are prepared somewhere in the same file. */
function elsewhere(path: string, text: string, tables: ReadonlySet<string>): Fault[] {
  const named = [...text.matchAll(TEXT)].flatMap(([sql]) => tablesOf(sql, tables))
  const ofBooks = named.find((table) => BOOKS.has(table))
  const other = /(?<!\.)\b(env\.DB|DB|db)\s*\.(?:prepare|batch)\(\s*(?!`[^`]*`|'[^'\n]*')/.exec(text)
  if (ofBooks === undefined || other === null || named.some((table) => !BOOKS.has(table))) return []
  const message = `statements on ${ofBooks} are prepared on books, not on ${other[1] ?? ''}`
  return [{ path, line: lineAt(text, other.index), message }]
}

/** The control database taken out of its object has no name by which a statement can be checked. */
function renamed(path: string, text: string): Fault[] {
  return [...text.matchAll(/\{[^{}=]*\bDB\b[^{}=]*\}\s*=/g)].map((found) => ({
    path,
    line: lineAt(text, found.index),
    message: 'write env.DB, so that the database of each statement can be checked',
  }))
}

function faultOf(path: string, line: number, receiver: string, tables: readonly string[]): Fault[] {
  const ofBooks = tables.find((table) => BOOKS.has(table))
  const ofControl = tables.find((table) => !BOOKS.has(table) && !BOTH.has(table))
  const isBooks = /(^|\.)books$/.test(receiver)
  if (ofBooks !== undefined && ofControl !== undefined)
    return [{ path, line, message: `${ofBooks} and ${ofControl} may be in two databases` }]
  if (ofBooks !== undefined && !isBooks)
    return [{ path, line, message: `${ofBooks} is in the books, so use books, not ${receiver}` }]
  if (ofControl !== undefined && isBooks)
    return [{ path, line, message: `${ofControl} is in the control database, not in the books` }]
  return []
}

function tablesOf(sql: string, tables: ReadonlySet<string>): string[] {
  return [...sql.matchAll(TABLE)].map(([, table = '']) => table).filter((table) => tables.has(table))
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

/** The tables that files of definitions declare. */
export function declaredTables(sources: Sources): Set<string> {
  return new Set(
    [...sources.values()].flatMap((text) =>
      [...text.matchAll(/sqliteTable\(\s*'(\w+)'/g)].map(([, table = '']) => table),
    ),
  )
}
