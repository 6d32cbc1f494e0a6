import { ParseError } from './collector.ts'
import { subjectOf, valueOf } from './kinds.ts'
import type { Sourced } from './gather.ts'

/**
 * Findings of a part, with those of the publication beside it in their place where it says the same or speaks
 * of a later day, and the changes that only it announces. Pure. Throws ParseError where both speak of the
 * same time and contradict each other.
 */
export function leading(findings: readonly Sourced[], beside: readonly Sourced[], day: string): Sourced[] {
  const others = Map.groupBy(beside, subjectOf)
  return findings.flatMap((finding) => {
    const said = others.get(subjectOf(finding)) ?? []
    const now = said.find(({ effective_from }) => effective_from === null || effective_from <= day)
    const announced = said.filter((each) => each !== now)
    if (now === undefined) return [finding, ...announced]
    if (valueOf(now) !== valueOf(finding) && (now.effective_from ?? '') <= (finding.as_of ?? day))
      throw new ParseError(
        now.from.source_url,
        `says of ${subjectOf(finding)} "${now.evidence}", but ${finding.from.source_url} "${finding.evidence}"`,
      )
    return [now, ...announced]
  })
}
