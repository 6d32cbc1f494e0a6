import { ParseError, type SourceDocument } from './collector.ts'
import { daysNamed, namesLaterTime } from './dates.ts'
import { amountOfMoney, percentage } from './figures.ts'
import { textLines } from './html.ts'

/** A figure from a sentence of a page, the sentence, and the first day of the figure if it names one. */
export type Said = { figure: number; evidence: string; effective_from: string | null }

/** The amount of money in sentences of this form, in minor units. `what` completes "looked for …". */
export function amountIn(
  document: SourceDocument | undefined,
  pattern: RegExp,
  what: string,
  day: string,
): Said {
  return saidIn(document?.url ?? '', textLines(document?.text ?? ''), pattern, what, amountOfMoney, day)
}

/** The percentage in sentences of this form, in millionths. `what` completes "looked for …". */
export function percentageIn(
  document: SourceDocument | undefined,
  pattern: RegExp,
  what: string,
  day: string,
): Said {
  return saidIn(document?.url ?? '', textLines(document?.text ?? ''), pattern, what, percentage, day)
}

/**
 * The figure in the lines that match a pattern. Its first group contains the figure. Throws ParseError if no
 * line matches, or if two lines have different figures for the same time.
 */
export function saidIn(
  url: string,
  lines: readonly string[],
  pattern: RegExp,
  what: string,
  read: (text: string) => number | null,
  day: string,
): Said {
  const found = lines.flatMap((evidence) => {
    const figure = read(pattern.exec(evidence)?.[1] ?? '')
    return figure === null ? [] : [{ figure, evidence, effective_from: dayIn(url, evidence, day) }]
  })
  const [first] = found
  if (first === undefined) throw new ParseError(url, `looked for ${what}`)
  const other = found.find(
    ({ figure, effective_from }) => figure !== first.figure && effective_from === first.effective_from,
  )
  if (other !== undefined) {
    const excerpts = [first, other].map(({ evidence }) => JSON.stringify(evidence.slice(0, 120)))
    throw new ParseError(url, `looked for ${what} and found two: ${excerpts.join(' and ')}`)
  }
  return first
}

/**
 * The day that a sentence names, on which its figure begins. Null: no day. Throws ParseError for two days,
 * and for a later month or a day in figures alone: `from April 2027` and `1/4/2027` are no days.
 */
function dayIn(url: string, sentence: string, today: string): string | null {
  const [day, another] = daysNamed(sentence)
  if (another !== undefined)
    throw new ParseError(url, `looked for one day in ${JSON.stringify(sentence.slice(0, 160))}`)
  if (day === undefined && namesLaterTime(sentence, today))
    throw new ParseError(url, `looked for a whole day in ${JSON.stringify(sentence.slice(0, 160))}`)
  return day ?? null
}
