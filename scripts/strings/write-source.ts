import type { Piece } from './pieces.ts'
import type { ShownString } from './read-strings.ts'

const COLUMNS = 110

/**
 * The source of a string with other words, which begins in a line with this indent. The formatter takes away
 * parentheses that are not needed, and breaks the lines.
 */
export function sourceOf(form: ShownString['form'], pieces: readonly Piece[], indent: number): string {
  if (form === 'markup') return pieces.map(markup).join('')
  if (form === 'attribute') {
    const text = pieces.map((piece) => ('words' in piece ? piece.words : '')).join('')
    return /["\n]/.test(text) ? `{${literal(pieces)}}` : `"${text}"`
  }
  const operands = operandsOf(pieces, COLUMNS - indent - ROOM)
  return operands.length === 1 ? operands.join('') : `(${operands.join(' +\n')})`
}

/** The quotes, the `+` and a deeper indent. */
const ROOM = 8

/** The operands of a sum, each of which fits into a line. */
function operandsOf(pieces: readonly Piece[], columns: number): string[] {
  const operands: string[] = []
  let line: Piece[] = []
  const end = () => {
    if (line.length > 0) operands.push(literal(line))
    line = []
  }
  for (const piece of pieces.flatMap(byWord)) {
    if ('mark' in piece && piece.operand) {
      end()
      operands.push(piece.source)
      continue
    }
    if (line.length > 0 && literal([...line, piece]).trimEnd().length > columns) end()
    line.push(piece)
  }
  end()
  return operands.length === 0 ? ["''"] : operands
}

/** Words one by one, each with the blank after it. */
function byWord(piece: Piece): Piece[] {
  if ('mark' in piece) return [piece]
  return (piece.words.match(/\S*\s+|\S+$/g) ?? []).map((words) => ({ words }))
}

function literal(pieces: readonly Piece[]): string {
  if (pieces.some((piece) => 'mark' in piece)) return `\`${pieces.map(template).join('')}\``
  const text = pieces.map((piece) => ('words' in piece ? piece.words : '')).join('')
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const escaped = text.replace(/\\/g, '\\\\').replaceAll('\n', '\\n')
  return `${quote}${escaped.replaceAll(quote, `\\${quote}`)}${quote}`
}

function template(piece: Piece): string {
  if ('mark' in piece) return `\${${piece.source}}`
  return piece.words.replace(/[\\`]|\$(?=\{)/g, '\\$&').replaceAll('\n', '\\n')
}

/** Text of an element. A blank at an end and what would be read as code stand in braces. */
function markup(piece: Piece, index: number, all: readonly Piece[]): string {
  if ('mark' in piece) return piece.source
  const { words } = piece
  if (/[{}<>\n\\]|^\s+$/.test(words) && !(words === ' ' && index > 0 && index < all.length - 1))
    return `{${literal([piece])}}`
  return words
}
