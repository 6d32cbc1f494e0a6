import {
  isAsExpression,
  isBinaryExpression,
  isCallExpression,
  isConditionalExpression,
  isElementAccessExpression,
  isIdentifier,
  isJsxElement,
  isJsxExpression,
  isJsxSelfClosingElement,
  isParenthesizedExpression,
  isPrefixUnaryExpression,
  isPropertyAccessExpression,
  isTemplateExpression,
  type Node,
} from 'typescript/unstable/ast'
import type { Placeholder } from './pieces.ts'

/** What stands in a text for an expression: `{name}`. */
export function placeholderOf(node: Node): Placeholder {
  return { mark: `{${nameOf(node) ?? 'value'}}`, source: node.getText(), operand: false }
}

/** The field or variable that an expression shows: `name` of `formatMoney(sale.name)`. */
function nameOf(node: Node | undefined): string | null {
  if (node === undefined) return null
  if (isIdentifier(node)) return node.text
  if (isPropertyAccessExpression(node))
    return node.name.text === 'length' ? nameOf(node.expression) : node.name.text
  if (isCallExpression(node)) return firstName(node.arguments) ?? calledName(node.expression)
  if (isConditionalExpression(node)) return nameOf(node.condition)
  if (isBinaryExpression(node)) return firstName([node.left, node.right])
  if (isPrefixUnaryExpression(node)) return nameOf(node.operand)
  if (isTemplateExpression(node)) return firstName(node.templateSpans.map(({ expression }) => expression))
  if (isJsxSelfClosingElement(node)) return node.tagName.getText()
  if (isJsxElement(node)) return firstName(node.children) ?? node.openingElement.tagName.getText()
  if (isJsxExpression(node) || isParenthesizedExpression(node) || isAsExpression(node))
    return nameOf(node.expression)
  return isElementAccessExpression(node) ? nameOf(node.expression) : null
}

function firstName(nodes: readonly Node[]): string | null {
  return nodes.map(nameOf).find((name) => name !== null) ?? null
}

/** The name of a function, or of what a method is of: `taxes` of `taxes.join(', ')`. */
function calledName(called: Node): string | null {
  return nameOf(isPropertyAccessExpression(called) ? called.expression : called)
}
