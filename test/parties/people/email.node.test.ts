import { expect, it } from 'vitest'
import { canonicalEmail, isEmail } from '../../../src/parties/people/email.ts'

it('an e-mail is found in either case of A to Z, and without spaces around it', () => {
  for (const text of ['kim@a.example', '  KIM@A.example ', 'Kim@a.Example'])
    expect(canonicalEmail(text)).toBe('kim@a.example')
})

it.each([
  ['the Kelvin sign', '\u212Aim@a.example'],
  ['a dotted capital I', 'k\u0130m@a.example'],
])('an e-mail with %s is another one', (_name, text) => {
  expect(canonicalEmail(text)).toBe(text)
})

it.each([
  ['a no-break space', '\u00A0'],
  ['a byte order mark', '\uFEFF'],
  ['a line break', '\n'],
  ['a tab', '\t'],
  ['a line separator', '\u2028'],
  ['a zero-width space', '\u200B'],
  ['a soft hyphen', '\u00AD'],
  ['a null character', '\0'],
  ['half a character', '\uD800'],
])('%s makes no e-mail, wherever it is', (_name, blank) => {
  for (const text of [`${blank}kim@a.example`, `kim@a.example${blank}`, `k${blank}im@a.example`])
    expect(isEmail(canonicalEmail(text))).toBe(false)
})

it('a long text of blanks is read as fast as any other', () => {
  const blanks = ' '.repeat(200_000)
  expect(canonicalEmail(`${blanks}a@b.example${blanks}`)).toBe('a@b.example')
  expect(isEmail(canonicalEmail(`a${blanks}b`))).toBe(false)
})
