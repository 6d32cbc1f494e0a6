import { sql } from 'drizzle-orm'
import { check, type SQLiteColumn } from 'drizzle-orm/sqlite-core'

/** The column holds one of the words of its enum. */
export function oneOf({ name, enumValues = [] }: SQLiteColumn) {
  return check(name, sql.raw(`${name} IN (${enumValues.map((word) => `'${word}'`).join(', ')})`))
}

/** The column holds a truth. */
export function zeroOrOne({ name }: SQLiteColumn) {
  return check(name, sql.raw(`${name} IN (0, 1)`))
}

/** The sum stays within the integers that JavaScript tells apart. */
export function safe({ name }: SQLiteColumn) {
  return check(name, sql.raw(`abs(${name}) <= ${Number.MAX_SAFE_INTEGER}`))
}
