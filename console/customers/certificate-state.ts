import type { z } from 'zod'
import type { Exemption } from '../../src/exemptions/schemas.ts'

/** The state of a certificate for people: one that was verified and has ended frees no sale any more. */
export function stateOf({
  valid_to,
  status,
}: Pick<z.output<typeof Exemption>, 'valid_to' | 'status'>): z.output<typeof Exemption>['status'] {
  const today = new Date().toISOString().slice(0, 10)
  return status === 'verified' && valid_to !== null && valid_to < today ? 'expired' : status
}
