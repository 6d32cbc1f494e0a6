import { expect, it } from 'vitest'
import { foreignGuides, foreignTexts } from '../../scripts/checks/words.ts'

const faultsIn = (text: string) => foreignTexts(new Map([['src/a.ts', text]]))

it.each([
  ['This certificate frees no sale', 'frees'],
  ['The rule is not on file', 'on file'],
  ['A note is told with the answer', 'is told'],
  ['Sales that oblige a seller', 'oblige'],
  ['A refund gives back the tax', 'gives back'],
  ['The rate of it is not known', 'is not known'],
  ['None: no registration files it', 'None:'],
])('the text %j has the mark %j', (text, mark) => {
  expect(faultsIn(`const note = '${text}'`)).toEqual([
    { path: 'src/a.ts', line: 1, message: expect.stringMatching(`^"${mark}" .*glossary.*: write `) },
  ])
})

it('finds a mark over the seam of a string, and none in comments, codes and statements', () => {
  expect(faultsIn("\nconst note = 'The rule is not on ' +\n  'file here'")).toMatchObject([{ line: 2 }])
  expect(
    faultsIn("/** What frees a sale. */\n// on file\nread('frees')\nread(`SELECT 1 AS on file`)"),
  ).toEqual([])
})

it('looks at the sentences of guides, and not at their samples', () => {
  const guide = 'It is exempt.\n\n```json\n{ "note": "not on file" }\n```\n\nIt `frees` this.\nIt frees that.'
  expect(foreignGuides(new Map([['docs/a.md', guide]]))).toMatchObject([{ path: 'docs/a.md', line: 8 }])
})
