import { callApi } from '../api.ts'

/**
 * @import { z } from 'zod'
 * @import { RegistrationsAnswer } from '../../src/registrations/schemas.ts'
 * @typedef {z.output<typeof RegistrationsAnswer>['registrations'][number]} Registration
 */

/** The quota of an account is 500. */
const PAGES_MAX = 5

/**
 * All registrations, the newest first.
 * @returns {Promise<Registration[]>}
 */
export async function readRegistrations() {
  /** @type {Registration[]} */
  const found = []
  for (let page = 0; page < PAGES_MAX; page += 1) {
    /** @type {z.output<typeof RegistrationsAnswer>} */
    const { registrations, has_more } = await callApi('GET', '/v1/registrations', {
      query: { limit: '100', offset: String(found.length) },
    })
    found.push(...registrations)
    if (!has_more) break
  }
  return found
}

/**
 * Whether a registration is valid today, was, or will be.
 * @param {Registration} registration
 */
export function stateOfRegistration({ valid_from, valid_to }) {
  const today = new Date().toISOString().slice(0, 10)
  if (valid_from > today) return 'not begun'
  return valid_to !== null && valid_to < today ? 'ended' : 'registered'
}
