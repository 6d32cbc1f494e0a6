import { subjectOf, valueOf } from './kinds.ts'
import type { Sourced } from './gather.ts'

/**
 * Findings of a part. The publication beside it takes their place if it says the same or speaks of a later
 * day, and adds the changes that only it announces. If both speak of the same time and contradict each other,
 * the finding carries a doubt. Pure.
 */
export function leading(findings: readonly Sourced[], beside: readonly Sourced[], day: string): Sourced[] {
  const others = Map.groupBy(beside, subjectOf)
  return findings.flatMap((finding) => {
    const said = others.get(subjectOf(finding)) ?? []
    const now = said.find(({ effective_from }) => effective_from === null || effective_from <= day)
    const announced = said.filter((each) => each !== now)
    if (now === undefined) return [finding, ...announced]
    if (valueOf(now) === valueOf(finding))
      return [{ ...now, agreed: [...(now.agreed ?? []), finding.from.source] }, ...announced]
    if ((now.effective_from ?? '') > (finding.as_of ?? day)) return [now, ...announced]
    const said_there = `${now.from.source_url} says "${now.evidence}"`
    const doubt = `${said_there}, but ${finding.from.source_url} "${finding.evidence}"`
    return [{ ...now, doubt }, ...announced]
  })
}
