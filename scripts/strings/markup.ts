import {
  isJsxElement,
  isJsxExpression,
  isJsxText,
  isStringLiteral,
  type JsxElement,
  type JsxFragment,
  type Node,
} from 'typescript/unstable/ast'
import { placeholderOf } from './names.ts'
import { joined, type Piece } from './pieces.ts'

/** Whether an element has words itself, not only elements that have some. */
export function hasWords({ children }: JsxElement | JsxFragment): boolean {
  return children.some((child) => isJsxText(child) && /\p{L}/u.test(child.text))
}

/** What an element shows, with its inline elements, and the nodes that may have strings of their own. */
export function markupOf(node: JsxElement | JsxFragment): { pieces: Piece[]; inner: Node[] } {
  const parts = node.children.map(partOf)
  const attributes = isJsxElement(node) ? [node.openingElement] : []
  return {
    pieces: joined(parts.flatMap(({ pieces }) => pieces)),
    inner: [...attributes, ...parts.flatMap(({ inner }) => inner)],
  }
}

function partOf(child: Node): { pieces: Piece[]; inner: Node[] } {
  if (isJsxText(child)) return { pieces: [{ words: visibleOf(child.text) }], inner: [] }
  if (isJsxExpression(child) && child.expression !== undefined && isStringLiteral(child.expression))
    return { pieces: [{ words: child.expression.text }], inner: [] }
  if (!isJsxElement(child) || !hasWords(child)) return { pieces: [placeholderOf(child)], inner: [child] }
  const { openingElement, closingElement } = child
  const tag = openingElement.tagName.getText()
  const { pieces, inner } = markupOf(child)
  return {
    pieces: [
      { mark: `<${tag}>`, source: openingElement.getText(), operand: false },
      ...pieces,
      { mark: `</${tag}>`, source: closingElement.getText(), operand: false },
    ],
    inner,
  }
}

/** A line break and the blanks around it are one blank, and none at an end. */
function visibleOf(text: string): string {
  const lines = text.split('\n')
  return lines
    .map((line, index) => (index === 0 ? line : line.trimStart()))
    .map((line, index) => (index === lines.length - 1 ? line : line.trimEnd()))
    .filter((line) => line !== '')
    .join(' ')
}
