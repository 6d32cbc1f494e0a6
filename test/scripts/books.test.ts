import { expect, it } from 'vitest'
import { declaredTables, wrongDatabases } from '../../scripts/checks/books.ts'

const TABLES = new Set(['customers', 'transactions', 'accounts', 'audit_events', 'facts'])

const faultsOf = (text: string) =>
  wrongDatabases(new Map([['src/a.ts', text]]), TABLES).map(({ line, message }) => `${line} ${message}`)

it.each([
  ['env.DB.prepare(`SELECT id\n FROM customers`)', '1 customers is in the books, so use books, not env.DB'],
  ["db\n  .prepare('UPDATE transactions SET a = 1')", '1 transactions is in the books, so use books, not db'],
  [
    "insertRows(context.env.DB, 'customers', rows)",
    '1 customers is in the books, so use books, not context.env.DB',
  ],
  [
    "\ncontext.books.prepare('SELECT id FROM accounts')",
    '2 accounts is in the control database, not in the books',
  ],
  [
    'books.prepare(`SELECT 1 FROM customers JOIN accounts ON accounts.id = account_id`)',
    '1 customers and accounts may be in two databases',
  ],
  [
    "const PAGE = 'SELECT id FROM customers'\nenv.DB.prepare(`${PAGE} LIMIT 1`)\nDB.prepare(PAGE)",
    '3 statements on customers are prepared on books, not on DB',
  ],
  [
    '\nconst { DB, CACHE } = context.env',
    '2 write env.DB, so that the database of each statement can be checked',
  ],
])('refuses %j', (text, fault) => {
  expect(faultsOf(text)).toEqual([fault])
})

it.each([
  'books.prepare(`SELECT id FROM customers`)',
  "context.books.prepare('DELETE FROM transactions')",
  "insertRows(books, 'customers', rows)",
  'env.DB.prepare(`SELECT id FROM accounts`)',
  'written.prepare(`SELECT id FROM audit_events`)',
  "env.DB.prepare('SELECT id FROM audit_events')",
  "insertRows(db, 'facts', rows)",
  '// Rows come from customers and go into the books\nenv.DB.batch(statements)',
])('accepts %j', (text) => {
  expect(faultsOf(text)).toEqual([])
})

it('knows the tables by their definitions', () => {
  const text = "export const a = sqliteTable('accounts', {})\nexport const b = sqliteTable(\n  'facts',\n {})"
  expect(declaredTables(new Map([['src/database/tables/a.ts', text]]))).toEqual(
    new Set(['accounts', 'facts']),
  )
})
