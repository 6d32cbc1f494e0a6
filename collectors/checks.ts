import type { Finding, Part } from './collector.ts'
import type { Change, Comparison } from './compare.ts'
import { subjectOf } from './kinds.ts'

/** No more of the records than this may change at once; one always may. */
const SHARE_CHANGED_MAX = 0.2
/** No rate moves by more than 10 points at once, unless a part says otherwise. */
const JUMP_MAX = 100_000

/** A plausibility check: null, or one sentence that says what is implausible. */
type Check = (part: Part, findings: readonly Finding[], comparison: Comparison) => string | null

const CHECKS: readonly Check[] = [everythingExpected, nothingTwice, withinBounds]
/** What a person who has looked can lift. */
const CHECKS_OF_CHANGES: readonly Check[] = [fewChanges, noJump]

/** What speaks against believing a part. Empty: it may be applied. */
export function implausibilities(
  part: Part,
  findings: readonly Finding[],
  comparison: Comparison,
  accept_changes: boolean,
): string[] {
  const checks = accept_changes ? CHECKS : [...CHECKS, ...CHECKS_OF_CHANGES]
  return checks.flatMap((check) => check(part, findings, comparison) ?? [])
}

function everythingExpected(part: Part, findings: readonly Finding[]): string | null {
  const found = new Set(findings.map(subjectOf))
  const missing = part.expected.filter((key) => !found.has(key))
  return missing.length === 0
    ? null
    : `${part.name}: ${missing.length} expected records are missing: ${shown(missing)}`
}

/** A source may repeat itself; it may not contradict itself. */
function nothingTwice(part: Part, findings: readonly Finding[]): string | null {
  const values = new Map<string, string>()
  for (const finding of findings) {
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
    if (finding.kind === 'rates' && bounds.rate)
      return finding.rate_millionths < bounds.rate[0] || finding.rate_millionths > bounds.rate[1]
    if (finding.kind === 'thresholds' && bounds.amount && finding.amount !== null)
      return finding.amount < bounds.amount[0] || finding.amount > bounds.amount[1]
    return false
  })
  return outside.length === 0
    ? null
    : `${name}: values out of bounds: ${shown(outside.map((finding) => `${subjectOf(finding)} "${finding.evidence.slice(0, 80)}"`))}`
}

function fewChanges(
  { name }: Part,
  findings: readonly Finding[],
  { changed, added, confirmed }: Comparison,
): string | null {
  const moved = changed.length + added.length
  const allowed = Math.max(1, Math.floor((moved + confirmed.length) * SHARE_CHANGED_MAX))
  return moved <= allowed
    ? null
    : `${name}: ${moved} of ${findings.length} records changed at once, more than a fifth`
}

function noJump({ name, bounds }: Part, _: readonly Finding[], { changed }: Comparison): string | null {
  const most = bounds.move ?? JUMP_MAX
  const jumps = changed.filter((change) => Math.abs(moveOf(change)) > most)
  return jumps.length === 0
    ? null
    : `${name}: a rate moved by more than ${most / 10_000} points: ${shown(jumps.map((change) => subjectOf(change.finding)))}`
}

function moveOf({ before, finding }: Change): number {
  return before?.kind === 'rates' && finding.kind === 'rates'
    ? finding.rate_millionths - before.fact.rate_millionths
    : 0
}

function shown(names: readonly string[]): string {
  return names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ')
}
