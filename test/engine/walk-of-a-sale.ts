import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseAst } from 'vitest/node'

/**
 * Prints the functions that one sale enters, in order, as JSON: `answer/assess.ts assessSale`. moves.test.ts
 * runs this file in a process of its own, because the modules of the engine are loaded with a call in each
 * of their named functions.
 */

const ENGINE = pathToFileURL(join(import.meta.dirname, '../../src/engine/')).href

const entered: string[] = []
Object.assign(globalThis, { enter: (name: string) => entered.push(name) })

registerHooks({
  load(url, context, next) {
    if (!url.startsWith(ENGINE)) return next(url, context)
    const code = stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'))
    return { format: 'module', source: withCalls(code, url.slice(ENGINE.length)), shortCircuit: true }
  },
})

/** A function with a name: of its declaration, else of the constant or the field that it is the value of. */
type NamedFunction = { name: string; start: number; end: number; isBlock: boolean }

/** The code with a call at the start of each named function. */
function withCalls(code: string, file: string): string {
  const inserted = functionsIn(parseAst(code), null).flatMap(({ name, start, end, isBlock }) => {
    const call = `enter(${JSON.stringify(`${file} ${name}`)})`
    if (isBlock) return [{ at: start + 1, text: `${call};` }]
    return [
      { at: start, text: `(${call}, (` },
      { at: end, text: '))' },
    ]
  })
  let text = code
  for (const { at, text: call } of inserted.toSorted((a, b) => b.at - a.at))
    text = text.slice(0, at) + call + text.slice(at)
  return text
}

const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']
const NAMES_ITS_VALUE: Readonly<Record<string, string>> = { init: 'id', value: 'key' }

/** `name`: what the code around the node calls its value. */
function functionsIn(node: unknown, name: string | null): NamedFunction[] {
  if (Array.isArray(node)) return node.flatMap((each) => functionsIn(each, null))
  if (!isNode(node)) return []
  const named = nameOf(node['id']) ?? name
  const { body } = node
  const own =
    FUNCTIONS.includes(node.type) && named !== null && isNode(body)
      ? [{ name: named, start: body.start, end: body.end, isBlock: body.type === 'BlockStatement' }]
      : []
  const within = Object.entries(node).flatMap(([key, child]) =>
    functionsIn(child, nameOf(node[NAMES_ITS_VALUE[key] ?? ''])),
  )
  return [...own, ...within]
}

type Node = { type: string; start: number; end: number; [key: string]: unknown }

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

function nameOf(node: unknown): string | null {
  return isNode(node) && node.type === 'Identifier' ? String(node['name']) : null
}

const { assessSale } = await import('../../src/engine/answer/assess.ts')
const { book, saleOf } = await import('./sale.ts')

/** Software as a service, sold by a German seller in the One Stop Shop to a consumer in France. */
const sale = saleOf({
  from: { country: 'DE' },
  registrations: ['oss_union'],
  over_eu_threshold: true,
  to: { country: 'FR', postal_code: '75002' },
  lines: [{ amount: 10_000, product_type: 'saas' }],
})

// The first call fills what the engine keeps for later sales.
assessSale(sale, book)
entered.length = 0
assessSale(sale, book)
console.log(JSON.stringify(entered))
