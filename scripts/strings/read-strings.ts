import {
  isBinaryExpression,
  isCallExpression,
  isCaseClause,
  isElementAccessExpression,
  isExportDeclaration,
  isImportDeclaration,
  isJsxAttribute,
  isJsxElement,
  isJsxFragment,
  isLiteralTypeNode,
  isNoSubstitutionTemplateLiteral,
  isPropertyAssignment,
  isStringLiteral,
  isTaggedTemplateExpression,
  isTemplateExpression,
  type Node,
  SyntaxKind,
} from 'typescript/unstable/ast'
import type { Sources } from '../checks/style.ts'
import { hasWords, markupOf } from './markup.ts'
import { eachParsed } from './parse.ts'
import { placeholderOf } from './names.ts'
import { joined, type Piece } from './pieces.ts'
import { isShown } from './shown.ts'

/** A string that people see, and where its source is. Lines count from 1. */
export type ShownString = {
  path: string
  line: number
  start: number
  end: number
  form: 'expression' | 'attribute' | 'markup'
  pieces: Piece[]
}

/** Attributes whose value nobody sees. */
const HIDDEN_ATTRIBUTES = /^(?:class|id|href|for|key|kind|type|role|rel|style|d|aria-keyshortcuts|data-.*)$/

/** Fields of objects that are such attributes. */
const HIDDEN_FIELDS: ReadonlySet<string> = new Set(['class', 'rel', 'style'])

/** Selectors, lists of codes, and what would be wrong in the program itself. */
const CALLS_WITH_CODES = /(?:^|\.)(?:querySelector(?:All)?|closest|matches|invariant|at)$|['")]\.split$/

const COMPARISONS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.EqualsEqualsEqualsToken,
  SyntaxKind.ExclamationEqualsEqualsToken,
  SyntaxKind.InKeyword,
])

/** All strings of programs that people see, such as labels, notes, reasons and errors, in source order. */
export function shownStrings(sources: Sources): ShownString[] {
  const found: ShownString[] = []
  eachParsed(sources, (path, file) => {
    const strings = stringsIn(file).filter(({ pieces }) => isShown(pieces))
    for (const each of strings.toSorted((one, other) => one.start - other.start))
      found.push({ path, line: file.text.slice(0, each.start).split('\n').length, ...each })
  })
  return found
}

type Found = Omit<ShownString, 'path' | 'line'>

function stringsIn(node: Node): Found[] {
  if (hasNoStrings(node)) return []
  const own = ownStringOf(node)
  const inner = own?.inner ?? childrenOf(node)
  return [...(own === null ? [] : [own.string]), ...inner.flatMap(stringsIn)]
}

/** The string that a node is, and the nodes in it that may have strings of their own. */
function ownStringOf(node: Node): { string: Found; inner: readonly Node[] } | null {
  if (isJsxAttribute(node)) {
    const { initializer } = node
    if (initializer === undefined || !isStringLiteral(initializer)) return null
    const pieces = [{ words: initializer.text }]
    return { string: { ...rangeOf(initializer), form: 'attribute', pieces }, inner: [] }
  }
  if (isJsxElement(node) || isJsxFragment(node)) {
    if (!hasWords(node)) return null
    const { pos: start, end } = node.children
    const { pieces, inner } = markupOf(node)
    return { string: { start, end, form: 'markup', pieces }, inner }
  }
  const pieces = expressionOf(node)
  if (pieces === null) return null
  return { string: { ...rangeOf(node), form: 'expression', pieces }, inner: placeholdersOf(node) }
}

function rangeOf(node: Node): { start: number; end: number } {
  return { start: node.getStart(), end: node.end }
}

/** Codes: names of modules, types, what is compared, and attributes that nobody sees. */
function hasNoStrings(node: Node): boolean {
  const { parent } = node
  if (isImportDeclaration(node) || isExportDeclaration(node)) return true
  if (isLiteralTypeNode(node) || isTaggedTemplateExpression(node)) return true
  if (isJsxAttribute(node)) return HIDDEN_ATTRIBUTES.test(node.name.getText())
  if (isCallExpression(node)) return CALLS_WITH_CODES.test(node.expression.getText())
  if (!isStringLiteral(node)) return false
  if (isBinaryExpression(parent)) return COMPARISONS.has(parent.operatorToken.kind)
  if (isPropertyAssignment(parent)) return parent.name === node || HIDDEN_FIELDS.has(parent.name.getText())
  return isCaseClause(parent) || isElementAccessExpression(parent)
}

function childrenOf(node: Node): Node[] {
  const children: Node[] = []
  node.forEachChild((child) => {
    children.push(child)
  })
  return children
}

/** The pieces of a string, a template, or several with `+` between them; null: it is none of these. */
function expressionOf(node: Node): Piece[] | null {
  if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) return [{ words: node.text }]
  if (isTemplateExpression(node))
    return joined([
      { words: node.head.text },
      ...node.templateSpans.flatMap(({ expression, literal }) => [
        placeholderOf(expression),
        { words: literal.text },
      ]),
    ])
  if (!isSum(node)) return null
  const operands = operandsOf(node)
  const literal = operands.map(expressionOf)
  // Two numbers before the first string would be added up.
  if (literal[0] === null && literal[1] === null) return null
  if (literal.every((each) => each === null)) return null
  return joined(
    operands.flatMap((operand, index) => literal[index] ?? [{ ...placeholderOf(operand), operand: true }]),
  )
}

function isSum(node: Node): boolean {
  return isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.PlusToken
}

function operandsOf(node: Node): Node[] {
  return isBinaryExpression(node) && isSum(node) ? [...operandsOf(node.left), node.right] : [node]
}

/** The expressions in a string, which may have strings of their own. */
function placeholdersOf(node: Node): Node[] {
  if (isTemplateExpression(node)) return node.templateSpans.map(({ expression }) => expression)
  if (!isSum(node)) return []
  return operandsOf(node).flatMap((operand) =>
    expressionOf(operand) === null ? [operand] : placeholdersOf(operand),
  )
}
