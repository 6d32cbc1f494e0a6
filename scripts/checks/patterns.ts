import type { Node } from 'typescript/unstable/ast'
import { isRegularExpressionLiteral } from 'typescript/unstable/ast'
import { checkSync } from 'recheck'
import { eachParsed } from '../strings/parse.ts'
import type { Sources } from './style.ts'

/** The patterns that are written in sources: `/x+/g`. */
export function patternsOf(sources: Sources): Set<string> {
  const found = new Set<string>()
  eachParsed(sources, (_, file) => {
    const visit = (node: Node): undefined => {
      if (isRegularExpressionLiteral(node)) found.add(node.text)
      node.forEachChild(visit)
    }
    visit(file)
  })
  return found
}

/**
 * What is wrong with a pattern, with a text that shows it; null: it takes linear time. A pattern that cannot
 * be decided in time counts as wrong. The seed of its random texts is always the same.
 */
export function slownessOf(pattern: string): string | null {
  const end = pattern.lastIndexOf('/')
  const verdict = checkSync(pattern.slice(1, end), pattern.slice(end + 1), { timeout: TIMEOUT_MS, ...SAME })
  if (verdict.status === 'safe') return null
  return verdict.status === 'vulnerable'
    ? `${verdict.complexity.summary}: ${verdict.attack.pattern}`
    : `cannot be decided: ${verdict.error.kind}`
}

const TIMEOUT_MS = 60_000

const SAME = { randomSeed: 1, recallTimeout: -1 } as const
