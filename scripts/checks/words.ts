import { wordsOf } from '../strings/pieces.ts'
import { shownStrings } from '../strings/read-strings.ts'
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

/** More marks, of which the strings of programs are free already. */
const MARKS_OF_STRINGS: typeof MARKS = [
  ...MARKS,
  [/\bg(?:ive|ives|iven|ave)(?: nothing| it)? back\b/i, 'refund, refunds, refunded'],
  [/(?:^|\. )Empty: /, 'leave empty to …'],
  [/\bsellers? from elsewhere\b/i, 'remote seller, seller from abroad'],
  [/\bon record\b/i, 'in the data'],
  [/\b(?:bears?|bore|borne)\b/i, 'is subject to, has the tax'],
  [/\blessen(?:s|ed)?\b/i, 'reduces'],
  [/(?<!\bthere )\bis no (?!longer|more|less)\p{Ll}/iu, 'is not a'],
]

/** The marks in what people read of a program, such as labels, notes, reasons, errors and descriptions. */
export function foreignTexts(sources: Sources): Fault[] {
  return shownStrings(sources).flatMap(({ path, line, pieces }) =>
    faultOf(path, line, wordsOf(pieces), MARKS_OF_STRINGS),
  )
}

/** The marks in guides, without their samples. */
export function foreignGuides(sources: Sources): Fault[] {
  return [...sources].flatMap(([path, source]) =>
    source
      .replace(/^```[\s\S]*?^```|`[^`\n]*`/gm, newlinesOf)
      .split('\n')
      .flatMap((text, index) => faultOf(path, index + 1, text, MARKS)),
  )
}

/** Nothing in the place of a text, with its lines. */
function newlinesOf(text: string): string {
  return '\n'.repeat(text.split('\n').length - 1)
}

function faultOf(path: string, line: number, text: string, marks: typeof MARKS): Fault[] {
  const found = marks.find(([mark]) => mark.test(text))
  if (found === undefined) return []
  const [mark, write] = found
  return [{ path, line, message: `"${mark.exec(text)?.[0].trim()}" (docs/glossary.md): write ${write}` }]
}
