import type { z } from 'zod'
import type { Exemption } from '../../src/exemptions/schemas.ts'

/** What decides whether a certificate still frees sales. */
export type Ending = Pick<z.output<typeof Exemption>, 'valid_to' | 'status'>

/** The state of a certificate for people: one that was verified and has ended frees no sale any more. */
export function stateOf({ valid_to, status }: Ending): Ending['status'] {
  const today = new Date().toISOString().slice(0, 10)
  return status === 'verified' && valid_to !== null && valid_to < today ? 'expired' : status
}
