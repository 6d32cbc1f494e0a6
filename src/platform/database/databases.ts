import type * as kinds from './tables/kinds.ts'

// The compiler reads each statement: a database refuses the tables that it has not. It sees literal texts and
// templates; a part that is kept in a constant needs `as const`.

/** Only types, so that the table definitions are not part of the Worker. */
type Kinds = typeof kinds

type ControlTable = keyof Kinds['CONTROL_TABLES']
export type BooksTable = keyof Kinds['BOOKS_TABLES']
export type SharedTable = keyof Kinds['SHARED_TABLES']
type OwnTable = keyof Kinds['OWN_TABLES']

declare const CONTROL: unique symbol
declare const BOOKS: unique symbol
type ControlMark = { readonly [CONTROL]: true }
type BooksMark = { readonly [BOOKS]: true }

/** The tables that a database surely has. A database that may be of either kind has those of both. */
export type TableOf<Db> =
  | ([Db] extends [ControlMark] ? ControlTable : never)
  | ([Db] extends [BooksMark] ? BooksTable : never)
  | SharedTable
  | OwnTable

/** A statement that names a table, as far as its text is known: parts that are computed are not read. */
type Naming<Table extends string> = `${string}${'FROM' | 'JOIN' | 'INTO' | 'UPDATE'} ${Table}${string}`

/** A part of a statement if it names no table of another database. */
export type Condition<Db, Text extends string> =
  Text extends Naming<Exclude<ControlTable | BooksTable, TableOf<Db>>>
    ? 'This table is in another database'
    : Text

/** A statement if it names a table of the database and none of another, else what is wrong with it. */
export type Statement<Db, Text extends string> =
  Text extends Naming<TableOf<Db>>
    ? Condition<Db, Text>
    : 'Name a table of this database in the text itself, or add `as const` to the parts of the text'

type Preparing = {
  /** Refuses a statement on tables that this database has not. */
  prepare<Db extends Preparing, Text extends string>(this: Db, sql: Statement<Db, Text>): D1PreparedStatement
}

/** A session of either database. */
type Session<Kind> = Omit<D1DatabaseSession, 'prepare'> & Preparing & Kind

type Database<Kind> = Omit<D1Database, 'prepare' | 'withSession'> &
  Preparing &
  Kind & {
    withSession(...at: Parameters<D1Database['withSession']>): Session<Kind>
  }

/** Accounts, keys, registrations, tax facts and collectors. */
export type ControlDb = Database<ControlMark>
/** The books of accounts, one shard of them. */
export type BooksDb = Database<BooksMark>
/** One of the two: only tables that both have are reached through it. */
export type AnyDb = ControlDb | BooksDb

export type ControlSession = Session<ControlMark>

/** A database for a statement whose tables the compiler cannot see, or that both kinds keep differently. */
export function unchecked(db: AnyDb | ControlSession): Pick<D1Database, 'prepare'> {
  return db
}

/** The control database as the first shard of the books too. Its statements are not checked. */
export type WholeDb = D1Database & ControlDb & BooksDb

/** A database that has all tables: shard 0, as the Worker, tests and commands open it. */
export function wholeDb(db: D1Database): WholeDb {
  return db as WholeDb
}
