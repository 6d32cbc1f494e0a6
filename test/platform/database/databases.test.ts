import { expect, it } from 'vitest'
import type { ColumnList } from '../../../src/platform/database/column-list.ts'
import type {
  AnyDb,
  BooksDb,
  ControlDb,
  Statement,
  TableOf,
} from '../../../src/platform/database/databases.ts'

declare const part: string

/** What `prepare` of a database says of a statement. A wrong verdict does not compile: the test is tsc. */
const verdictOf =
  <Db>() =>
  <Text extends string>(_: Text, verdict: Text extends Statement<Db, Text> ? 'accepted' : 'refused') =>
    verdict

const inControl = verdictOf<ControlDb>()
const inBooks = verdictOf<BooksDb>()
const inAny = verdictOf<AnyDb>()
const inBoth = verdictOf<ControlDb & BooksDb>()

type Is<One, Other> = [One] extends [Other] ? true : false

it('knows the tables of each database when it is compiled', () => {
  const accounts = 'SELECT id FROM accounts' as const
  const sales = 'SELECT id FROM transactions' as const
  const events = 'SELECT id FROM audit_events' as const
  const joined = 'SELECT 1 FROM customers JOIN accounts ON accounts.id = account_id' as const
  const verdicts = [
    [inControl(accounts, 'accepted'), inControl(sales, 'refused'), inControl(events, 'accepted')],
    [inBooks(accounts, 'refused'), inBooks(sales, 'accepted'), inBooks(events, 'accepted')],
    [inAny(accounts, 'refused'), inAny(sales, 'refused'), inAny(events, 'accepted')],
    [inBoth(accounts, 'accepted'), inBoth(sales, 'accepted'), inBoth(events, 'accepted')],
    [inControl(joined, 'refused'), inBooks(joined, 'refused'), inAny(joined, 'refused')],
  ]
  expect(verdicts).toHaveLength(5)
})

it('reads the known parts of a computed statement, and wants at least the name of a table there', () => {
  const page = () => `SELECT id FROM customers WHERE ${part}` as const
  const unread = () => `SELECT id FROM customers WHERE ${part}`
  const verdicts = () => [
    inBooks(page(), 'accepted'),
    inControl(page(), 'refused'),
    inControl(`DELETE FROM api_keys WHERE id IN (${page()})`, 'refused'),
    inControl(`UPDATE accounts SET ${part} = 1`, 'accepted'),
    inControl(`INSERT INTO customers (${part}) VALUES (?)`, 'refused'),
    inBooks(unread(), 'refused'),
    inControl(unread(), 'refused'),
    inBooks(`SELECT ${part} FROM facts`, 'refused'),
  ]
  expect(verdicts).toBeTypeOf('function')
})

it('takes no database for one of the other kind', () => {
  const control: Is<ControlDb, BooksDb> = false
  const books: Is<BooksDb, ControlDb> = false
  const either: Is<AnyDb, ControlDb> = false
  const unknown: Is<D1Database, AnyDb> = false
  const kind: Is<ControlDb, AnyDb> = true
  const insertedInControl: Is<'customers', TableOf<ControlDb>> = false
  const insertedInBooks: Is<'facts', TableOf<BooksDb>> = false
  expect([control, books, either, unknown, kind, insertedInControl, insertedInBooks]).toHaveLength(7)
})

it('takes only a list that has all columns of a row', () => {
  type Row = { id: string; name: string }
  type Lists = [ColumnList<Row, 'id, name'>, ColumnList<Row, 'id'>, ColumnList<Row, 'id, name, age'>]
  const lists: Lists = ['id, name', 'missing: name', 'no column: age']
  expect(lists).toHaveLength(3)
})
