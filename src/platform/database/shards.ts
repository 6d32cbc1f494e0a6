import { type BooksDb, type ControlDb, wholeDb } from './databases.ts'

/** A database of books. Shard 0 is the control database itself. */
export type Shard = { number: number; books: BooksDb }

/** The bindings of the databases. */
type Databases = { DB: ControlDb; [shard: `BOOKS_${number}`]: BooksDb | undefined }

/** All shards of the installation, the control database first. */
export function shardsOf(env: Databases): Shard[] {
  const numbers = Object.keys(env).flatMap((name) => shardNumberOf(name) ?? [])
  return [0, ...numbers.toSorted((one, other) => one - other)].map((number) => shardOf(env, number))
}

/** The shard with a number. Throws an Error if the Worker has no such binding. */
export function shardOf(env: Databases, number: number): Shard {
  const books: BooksDb | undefined = number === 0 ? wholeDb(env.DB) : env[`BOOKS_${number}`]
  if (books === undefined) throw new Error(`There is no binding BOOKS_${number}`)
  return { number, books }
}

/** The shard of the caller's books. */
export function ownShard({ books, principal }: { books: BooksDb; principal: { shard: number } }): Shard {
  return { number: principal.shard, books }
}

/** 2 for BOOKS_2; null for the name of another binding. */
function shardNumberOf(binding: string): number | null {
  const digits = /^BOOKS_([1-9]\d{0,3})$/.exec(binding)?.[1]
  return digits === undefined ? null : Number(digits)
}
