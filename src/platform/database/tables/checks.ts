import { sql } from 'drizzle-orm'
import { check, type SQLiteColumn } from 'drizzle-orm/sqlite-core'

/** The column contains one of the words of its enum. */
export function oneOf({ name, enumValues = [] }: SQLiteColumn) {
  return check(name, sql.raw(`${name} IN (${enumValues.map((word) => `'${word}'`).join(', ')})`))
}

/** The column is a boolean: 0 or 1. */
export function zeroOrOne({ name }: SQLiteColumn) {
  return check(name, sql.raw(`${name} IN (0, 1)`))
}

/** The sum is an integer that a double represents exactly. */
export function safeInteger({ name }: SQLiteColumn) {
  return check(name, sql.raw(`abs(${name}) <= ${Number.MAX_SAFE_INTEGER}`))
}
