import { subjectOf, valueOf } from './kinds.ts'
import type { Agreeing, Sourced } from './gather.ts'

/**
 * The findings of a part, with what fresher publications beside it say. A finding from beside replaces one of
 * the part if it says the same or is about a later day. Changes that only it announces are added. If both are
 * about the same time and differ, the finding carries a doubt. Pure.
 */
export function leading(findings: readonly Sourced[], beside: readonly Sourced[], day: string): Sourced[] {
  const others = Map.groupBy(beside, subjectOf)
  return findings.flatMap((finding) => {
    const said = others.get(subjectOf(finding)) ?? []
    const now = said.find(({ effective_from }) => effective_from === null || effective_from <= day)
    const announced = said.filter((each) => each !== now)
    if (now === undefined) return [finding, ...announced]
    if (valueOf(now) === valueOf(finding))
      return [{ ...now, agreed: [...(now.agreed ?? []), agreeing(finding)] }, ...announced]
    if ((now.effective_from ?? '') > (finding.as_of ?? day)) return [now, ...announced]
    const said_there = `${now.from.source_url} says "${now.evidence}"`
    const doubt = `${said_there}, but ${finding.from.source_url} "${finding.evidence}"`
    return [{ ...now, doubt }, ...announced]
  })
}

function agreeing({ from, as_of, edited }: Sourced): Agreeing {
  return {
    source: from.source,
    ...(as_of !== undefined && { as_of }),
    ...(edited !== undefined && { edited }),
  }
}
