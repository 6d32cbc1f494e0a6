import { callApi, Failure } from '../api.ts'
import { moment } from './format.js'
import { withSpaces } from '../words.ts'
import { plainTable } from './table.js'

/**
 * @import { z } from 'zod'
 * @import { AuditEventsAnswer } from '../../src/audit/schemas.ts'
 */

/**
 * Who changed a record and when. Null if the key may not read it, or nothing is recorded.
 * @param {string} resource_id
 */
export async function auditTrail(resource_id) {
  try {
    /** @type {z.output<typeof AuditEventsAnswer>} */
    const { audit_events } = await callApi('GET', '/v1/audit-events', { query: { resource_id, limit: '20' } })
    if (audit_events.length === 0) return null
    return plainTable(
      'History',
      ['When', 'What', 'Key'],
      audit_events.map(({ created_at, action, key_id }) => [
        moment(created_at),
        withSpaces(action.replace('.', ' ')),
        key_id,
      ]),
    )
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.status === 403) return null
    throw thrown
  }
}
