import type { Registration } from '../../client/src/schema.ts'
import { readAll } from '../api.ts'
import { formatDay, todayInZone } from '../format.ts'
import { nameOfPlace } from '../schemes.ts'

/** The quota of an account is 500. */
const PAGES_MAX = 5

/** All registrations, the newest first. */
export async function readRegistrations(): Promise<Registration[]> {
  return (await readAll('/v1/registrations', {}, ({ registrations }) => registrations, PAGES_MAX)).rows
}

/** Whether a registration is valid today, was, or will be. */
export function stateOf({ valid_from, valid_to }: Registration): string {
  const today = todayInZone()
  if (valid_from > today) return 'not started'
  return valid_to !== null && valid_to < today ? 'ended' : 'registered'
}

export function nameOf({ jurisdiction_id, scheme }: Registration): string {
  return nameOfPlace(jurisdiction_id ?? scheme ?? '')
}

export function validity({ valid_from, valid_to }: Registration): string {
  const from = formatDay(valid_from)
  return valid_to === null ? `Since ${from}` : `${from} to ${formatDay(valid_to)}`
}
