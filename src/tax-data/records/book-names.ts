/**
 * The names under which KV has the books: `<name>:now`, `<name>:current` and `<name>:<version>`. The number
 * is that of the form of the text, so that a release never reads a book in the form of another release.
 * Change it in the first change of a form after a release; `test/scripts/release.test.ts` says when.
 */
export const RATE_BOOK = 'ratebook5'
export const LOCAL_BOOK = 'localbook3'

/** The name of the ZIP+4 of one ZIP3: `<name>:<stamp>:<key>`. */
export const LOCAL_ZIP4 = 'localzip2'

/** The key of the book in force, of which a cold isolate reads one copy. */
export const nowKey = (name: string) => `${name}:now`

/** The key of the pointer to the book in force. */
export const pointerKey = (name: string) => `${name}:current`

const HEADS = /^(ratebook|localbook)\d+:(now|current)$|^local:(now|current)$/

/**
 * Whether a key of KV is the book in force of any release, or the pointer to it. A release makes these keys
 * again from the database if they are missing.
 */
export function isHeadOfBook(key: string): boolean {
  return HEADS.test(key)
}
