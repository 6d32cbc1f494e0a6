import { ParseError, type SourceDocument } from './collector.ts'
import { amountOfMoney, percentage } from './figures.ts'
import { textLines } from './html.ts'

/** A figure that a page says in a sentence, with the line that it was read from. */
export type Said = { figure: number; evidence: string }

/** The first amount of money that a line says, minor units. `what` completes "looked for …" in errors. */
export function amountIn(document: SourceDocument | undefined, pattern: RegExp, what: string): Said {
  return saidIn(document, pattern, what, amountOfMoney)
}

/** The first percentage that a line says, millionths. `what` completes "looked for …" in errors. */
export function percentageIn(document: SourceDocument | undefined, pattern: RegExp, what: string): Said {
  return saidIn(document, pattern, what, percentage)
}

/** The first group of the pattern contains the figure. Throws ParseError. */
function saidIn(
  document: SourceDocument | undefined,
  pattern: RegExp,
  what: string,
  read: (text: string) => number | null,
): Said {
  for (const evidence of textLines(document?.text ?? '')) {
    const figure = read(pattern.exec(evidence)?.[1] ?? '')
    if (figure !== null) return { figure, evidence }
  }
  throw new ParseError(document?.url ?? '', `looked for ${what}`)
}
