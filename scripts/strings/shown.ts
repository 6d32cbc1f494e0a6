import { type Piece, wordsOf } from './pieces.ts'

/** Statements and columns of the database, and queries of an API. */
const STATEMENT =
  /\b(?:SELECT|ORDER BY|INSERT|UPDATE|DELETE|WHERE|FROM|AND|OR|UNION|LIMIT|DESC|CASE|AS|IN)\b|->>|[(=<>] ?\?|\w\(\w+\.|\.\.\. ?on|\{ \w+|\$\w+:/

/** Lists of codes: `a_b, c_d`, `tax:read keys:read`, `Azoren|Azores`, and the states that have a colour. */
const CODES = /^(?:[\s,]*\w*_\w+)+$|^(?:\w+:\w+ ?)+$|\|\S|^[a-z ]+(?:, [a-z ]+){4,}$/

/** Drawings, headers, and markup of feeds. */
const FORMS = /^M\d|^Bearer\b|^<[?!\w]/

/** A label of one word, such as `Reopen…`. */
const LABEL = /^\p{Lu}[\p{Ll}’]+[.:…?!]*$/u

/** Whether a string is words for people: a label, or at least two words. A code has no blank. */
export function isShown(pieces: readonly Piece[]): boolean {
  const text = wordsOf(pieces)
  if (!/\p{L}\p{Ll}/u.test(text) || [STATEMENT, CODES, FORMS].some((form) => form.test(text))) return false
  return LABEL.test(text.trim()) || /[\p{L}\p{N}…,.:)%]\s+["“(]?[\p{L}\p{N}…]/u.test(text)
}
