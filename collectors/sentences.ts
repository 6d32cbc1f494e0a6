import { ParseError, type SourceDocument } from './collector.ts'
import { daysNamed } from './dates.ts'
import { amountOfMoney, percentage } from './figures.ts'
import { textLines } from './html.ts'

/** A figure that a page says in a sentence, the sentence, and the day that it names for the figure. */
export type Said = { figure: number; evidence: string; effective_from: string | null }

/** The one amount of money that sentences of this form say, minor units. `what` completes "looked for …". */
export function amountIn(document: SourceDocument | undefined, pattern: RegExp, what: string): Said {
  return saidIn(document?.url ?? '', textLines(document?.text ?? ''), pattern, what, amountOfMoney)
}

/** The one percentage that sentences of this form say, millionths. `what` completes "looked for …". */
export function percentageIn(document: SourceDocument | undefined, pattern: RegExp, what: string): Said {
  return saidIn(document?.url ?? '', textLines(document?.text ?? ''), pattern, what, percentage)
}

/**
 * The first group of the pattern contains the figure. Two sentences with two figures are ambiguous. Throws
 * ParseError.
 */
export function saidIn(
  url: string,
  lines: readonly string[],
  pattern: RegExp,
  what: string,
  read: (text: string) => number | null,
): Said {
  const found = lines.flatMap((evidence) => {
    const figure = read(pattern.exec(evidence)?.[1] ?? '')
    return figure === null ? [] : [{ figure, evidence, effective_from: dayIn(url, evidence) }]
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

/** The day that a sentence names: its figure begins then. Null: none. Throws ParseError for two days. */
export function dayIn(url: string, sentence: string): string | null {
  const [day, another] = daysNamed(sentence)
  if (another !== undefined)
    throw new ParseError(url, `looked for one day in ${JSON.stringify(sentence.slice(0, 160))}`)
  return day ?? null
}
