import type { z } from 'zod'
import type { RegistrationsAnswer } from '../../src/registrations/schemas.ts'
import { formatDay, todayInZone } from '../format.ts'
import type { Names } from '../names.ts'
import { readAll } from '../parts/pages.ts'
import { nameOfPlace } from '../schemes.ts'

export type Registration = z.output<typeof RegistrationsAnswer>['registrations'][number]

/** The quota of an account is 500. */
const PAGES_MAX = 5

/** All registrations, the newest first. */
export async function readRegistrations(): Promise<Registration[]> {
  const rowsOf = ({ registrations }: z.output<typeof RegistrationsAnswer>) => registrations
  return (await readAll('/v1/registrations', {}, rowsOf, PAGES_MAX)).rows
}

/** Whether a registration is valid today, was, or will be. */
export function stateOf({ valid_from, valid_to }: Pick<Registration, 'valid_from' | 'valid_to'>): string {
  const today = todayInZone()
  if (valid_from > today) return 'not begun'
  return valid_to !== null && valid_to < today ? 'ended' : 'registered'
}

export function nameOf(
  { jurisdiction_id, scheme }: Pick<Registration, 'jurisdiction_id' | 'scheme'>,
  names: Names,
): string {
  return nameOfPlace(jurisdiction_id ?? scheme ?? '', names)
}

export function validity({ valid_from, valid_to }: Pick<Registration, 'valid_from' | 'valid_to'>): string {
  const from = formatDay(valid_from)
  return valid_to === null ? `Since ${from}` : `${from} to ${formatDay(valid_to)}`
}
