import type { Finding, LeftOut, Part } from './collector.ts'
import type { Change } from './compare.ts'
import type { Sourced } from './gather.ts'
import { subjectOf } from './kinds.ts'

/** The most jurisdictions that may change in one part at once. */
const JURISDICTIONS_MAX = 3
/** The largest share of the product rules that may change at once. One rule always may. */
const SHARE_OF_RULES_MAX = 0.2
/** The most jurisdictions whose records may be odd while those of the others are believed. */
const ODD_MAX = 3

/** Sentences that say why a part cannot be right. A person cannot accept it either. */
export function impossibilities(
  part: Part,
  findings: readonly Finding[],
  left_out: readonly LeftOut[],
  day: string,
): string[] {
  const checks = [nothingTwice, withinBounds, nothingOfTomorrow]
  return [
    ...(everythingExpected(part, findings, left_out) ?? []),
    ...checks.flatMap((check) => check(part, findings, day) ?? []),
  ]
}

/** Sentences that say why the changes of a part together are implausible. A person can accept them. */
export function implausibilities(
  part: Part,
  findings: readonly Finding[],
  changes: readonly Change[],
): string[] {
  return [fewJurisdictions, fewRules, noSwap].flatMap((check) => check(part, findings, changes) ?? [])
}

/** What is missing in silence makes the whole document doubtful: it may be cut off. */
function everythingExpected(
  part: Part,
  findings: readonly Finding[],
  left_out: readonly LeftOut[],
): string[] | null {
  const odd = left_out.filter(({ kind }) => kind === 'odd')
  if (odd.length > ODD_MAX) return odd.map(({ why }) => why)
  const told = new Set(left_out.map(({ jurisdiction_id }) => jurisdiction_id))
  const found = new Set(findings.map(subjectOf))
  const missing = part.expected.filter((key) => !found.has(key) && !told.has(key.split(' ')[0] ?? ''))
  return missing.length === 0
    ? null
    : [`${part.name}: ${missing.length} expected records are missing: ${shown(missing)}`]
}

/** A source may say the same twice, but not two values for one subject. */
function nothingTwice(part: Part, findings: readonly Finding[]): string | null {
  const values = new Map<string, string>()
  for (const finding of findings.filter(({ doubt }) => doubt === undefined)) {
    const key = `${subjectOf(finding)} ${finding.effective_from ?? ''}`
    const { evidence: _, ...value } = finding
    const known = values.get(key)
    if (known !== undefined && known !== JSON.stringify(value)) return `${part.name}: two values for ${key}`
    values.set(key, JSON.stringify(value))
  }
  return null
}

function withinBounds({ name, bounds }: Part, findings: readonly Finding[]): string | null {
  const outside = findings.filter((finding) => {
    const range =
      finding.kind === 'rates'
        ? (bounds.rate?.[finding.category] ?? bounds.rate?.any)
        : finding.kind === 'thresholds'
          ? bounds.amount
          : undefined
    const value = finding.kind === 'rates' ? finding.rate_millionths : amountOf(finding)
    return range !== undefined && value !== null && (value < range[0] || value > range[1])
  })
  if (outside.length === 0) return null
  const named = outside.map((finding) => `${subjectOf(finding)} "${finding.evidence.slice(0, 80)}"`)
  return `${name}: values out of bounds: ${shown(named)}`
}

function amountOf(finding: Finding): number | null {
  return finding.kind === 'thresholds' ? finding.amount : null
}

/** A document about tomorrow is a mistake, a test page or the result of a wrong clock. */
function nothingOfTomorrow({ name }: Part, findings: readonly Finding[], day: string): string | null {
  const wrong = findings.find(({ as_of, edited }) => (as_of ?? '') > day || (edited ?? '') > day)
  return wrong === undefined
    ? null
    : `${name}: the document speaks of ${wrong.as_of ?? wrong.edited}, which is after ${day}`
}

function fewJurisdictions({ name }: Part, _: readonly Finding[], changes: readonly Change[]): string | null {
  const moved = new Set(changes.map(({ finding }) => finding.jurisdiction_id))
  return moved.size <= JURISDICTIONS_MAX
    ? null
    : `${name}: ${moved.size} jurisdictions changed at once, more than ${JURISDICTIONS_MAX}`
}

function fewRules({ name }: Part, findings: readonly Finding[], changes: readonly Change[]): string | null {
  const rules = findings.filter(({ kind }) => kind === 'product_rules').length
  const moved = changes.filter(({ finding }) => finding.kind === 'product_rules').length
  return moved <= Math.max(1, Math.floor(rules * SHARE_OF_RULES_MAX))
    ? null
    : `${name}: ${moved} of ${rules} product rules changed at once, more than a fifth`
}

/** If two jurisdictions exchange their values, two rows were probably mixed up. */
function noSwap({ name }: Part, _: readonly Finding[], changes: readonly Change[]): string | null {
  const moves = changes.flatMap(({ before, finding }) => {
    const values = movedValues(before, finding)
    return values === null ? [] : [{ id: finding.jurisdiction_id, ...values }]
  })
  for (const one of moves)
    for (const other of moves)
      if (one.id < other.id && one.from === other.to && one.to === other.from)
        return `${name}: ${one.id} and ${other.id} exchanged their values`
  return null
}

function movedValues(before: Change['before'], finding: Sourced): { from: number; to: number } | null {
  if (before?.kind === 'rates' && finding.kind === 'rates')
    return { from: before.fact.rate_millionths, to: finding.rate_millionths }
  if (before?.kind === 'thresholds' && finding.kind === 'thresholds' && before.fact.amount !== null)
    return finding.amount === null ? null : { from: before.fact.amount, to: finding.amount }
  return null
}

function shown(names: readonly string[]): string {
  return names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ')
}
