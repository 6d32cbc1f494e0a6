import type { PartsOfLine } from './found.ts'
import type { SaleLine } from './sale.ts'

const NONE: readonly never[] = []

/** What the facts that the request states of one line did to its tax, or that they did nothing. */
export function notesOnLine({ exemptions }: SaleLine, parts: PartsOfLine): readonly string[] {
  return exemptions.length === 0 ? NONE : [noteOnExemption(parts)]
}

function noteOnExemption(parts: PartsOfLine): string {
  for (const { terms } of parts) {
    const { exemption } = terms
    if (exemption !== null && exemption.id === null)
      return (
        `The exemption that the request states (${exemption.exemption_type}, ${exemption.jurisdiction_id}) ` +
        'was applied. Nobody verified it: keep the certificate'
      )
  }
  return 'exemption was not used: it is for no tax that falls on the line'
}
