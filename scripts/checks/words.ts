import type { Fault, Sources } from './style.ts'

/** Marks of a foreign sentence plan, and the words of docs/glossary.md that stand for them. */
const MARKS: readonly (readonly [mark: RegExp, write: string])[] = [
  [/\b(?:frees|freed|freeing)\b/i, 'exempts, is exempt'],
  [/\bon file\b/i, 'in the data, saved, stored'],
  [/\b(?:is|are|was|were|be) told\b/i, 'a note says, is reported, is sent'],
  [/\boblig(?:e|es|ed)\b/i, 'must register, is liable'],
  [/\bturnover in all countries\b/i, 'worldwide turnover'],
  [/\bg(?:ive|ives|iven) back\b/i, 'refund, refunds, refunded'],
  [/\b(?:is|are|was|were) not known\b/i, 'is unknown'],
  [/\bnor (?:is|are|was|were|does|do)\b/i, 'a sentence of its own with "not"'],
  [/(?:^|[.:;] )(?:None|Nobody|Nothing): /, 'the subject of the sentence'],
]

/** A string of TypeScript; one that is continued by `+` is one string. */
const STRING = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g

/** Comments, which callers do not see. */
const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm

/** Where a string goes on in the next line, and the mark that stands for it, so that lines are counted. */
const SEAM = /['`"] \+\s*\n\s*['`"]/g
const SEAM_MARK = '\uE000'

/** Statements of the database. */
const SQL = /^(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b/

/** Fewer words are a code or a name. */
const WORDS_MIN = 3

/** The texts of a program that people read, such as notes, reasons, errors and descriptions. */
function textsOf(sources: Sources): { path: string; line: number; text: string }[] {
  return [...sources].flatMap(([path, source]) => {
    const seen = source.replace(COMMENT, newlinesOf).replace(SEAM, SEAM_MARK)
    return [...seen.matchAll(STRING)].flatMap(({ 0: literal, index }) => {
      const text = literal.slice(1, -1).replaceAll(SEAM_MARK, '').trim()
      const line = seen.slice(0, index).split(/[\n\uE000]/).length
      const said = (text.match(/[a-z]{2,}/gi) ?? []).length >= WORDS_MIN && !SQL.test(text)
      return said ? [{ path, line, text }] : []
    })
  })
}

/** The marks in the texts of programs. */
export function foreignTexts(sources: Sources): Fault[] {
  return textsOf(sources).flatMap(({ path, line, text }) => faultOf(path, line, text))
}

/** The marks in guides, without their samples. */
export function foreignGuides(sources: Sources): Fault[] {
  return [...sources].flatMap(([path, source]) =>
    source
      .replace(/^```[\s\S]*?^```|`[^`\n]*`/gm, newlinesOf)
      .split('\n')
      .flatMap((text, index) => faultOf(path, index + 1, text)),
  )
}

/** Nothing in the place of a text, with its lines. */
function newlinesOf(text: string): string {
  return '\n'.repeat(text.split('\n').length - 1)
}

function faultOf(path: string, line: number, text: string): Fault[] {
  const found = MARKS.find(([mark]) => mark.test(text))
  if (found === undefined) return []
  const [mark, write] = found
  return [{ path, line, message: `"${mark.exec(text)?.[0].trim()}" (docs/glossary.md): write ${write}` }]
}
