/** A part of a string that people see: words, or what the program puts between them. */
export type Piece = { words: string } | Placeholder

/** `mark` is `{name}`, or a tag of an inline element. `operand`: it stands between two `+`. */
export type Placeholder = { mark: string; source: string; operand: boolean }

/** A blank at the end of a string is seen in a file. */
const BLANK = '␣'

/** Words that follow words are one piece. */
export function joined(pieces: readonly Piece[]): Piece[] {
  return pieces.reduce<Piece[]>((all, piece) => {
    const last = all.at(-1)
    if (!('words' in piece)) return [...all, piece]
    if (piece.words === '') return all
    if (last === undefined || !('words' in last)) return [...all, piece]
    return [...all.slice(0, -1), { words: last.words + piece.words }]
  }, [])
}

/** How a string reads in a file: one line, with placeholders as `{name}`. */
export function textOf(pieces: readonly Piece[]): string {
  return withBlanks(pieces.map((piece) => ('words' in piece ? escaped(piece.words) : piece.mark)).join(''))
}

/** A text whose blanks at the ends are seen, and no others. */
export function withBlanks(text: string): string {
  return text.replaceAll(BLANK, ' ').replace(/^ +| +$/g, (blanks) => BLANK.repeat(blanks.length))
}

/** The words alone, with an ellipsis for each placeholder. */
export function wordsOf(pieces: readonly Piece[]): string {
  return pieces
    .map((piece) => ('words' in piece ? piece.words : piece.mark.startsWith('<') ? '' : '…'))
    .join('')
}

/** The pieces of an edited text. It has the placeholders of `before`, in any order, or it is refused. */
export function piecesOf(text: string, before: readonly Piece[]): Piece[] | { refused: string } {
  const left = before.filter((piece) => 'mark' in piece)
  const tags = left.some(({ mark }) => mark.startsWith('<'))
  const edited = text.replaceAll(BLANK, ' ')
  const pieces: Piece[] = []
  let from = 0
  for (const { 0: mark, index } of edited.matchAll(
    tags ? /(?<!\\)\{[^{}]*\}|<[^<>]*>/g : /(?<!\\)\{[^{}]*\}/g,
  )) {
    const at = left.findIndex((each) => each.mark === mark)
    if (at < 0) return { refused: `${mark} is no placeholder of this string` }
    pieces.push({ words: unescaped(edited.slice(from, index)) }, ...left.splice(at, 1))
    from = index + mark.length
  }
  if (left.length > 0) return { refused: `${left.map(({ mark }) => mark).join(' and ')} is missing` }
  pieces.push({ words: unescaped(edited.slice(from)) })
  return joined(pieces)
}

function escaped(words: string): string {
  return words.replace(/[\\{}]/g, '\\$&').replaceAll('\n', '\\n')
}

function unescaped(words: string): string {
  return words.replace(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter))
}
