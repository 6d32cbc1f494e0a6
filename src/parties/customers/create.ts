import type { Context } from '../../platform/context.ts'
import { commit } from '../../platform/writes/commit.ts'
import { valuesOf } from '../../platform/database/audit-values.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Answer } from '../../platform/http/answers.ts'
import {
  changeCustomer,
  type CustomerRow,
  hashedFieldsOf,
  NOT_VALIDATED,
  presentCustomer,
} from './customer.ts'
import type { Customer, CustomerBody } from './schemas.ts'
import { insertCustomer } from './store.ts'

/** Adds a customer. Throws external_id_taken; of several requests at once, one succeeds. */
export async function createCustomer(context: Context, body: CustomerBody): Promise<Answer<typeof Customer>> {
  const row = changeCustomer(blankCustomer(newId('cust'), context.now.toISOString()), body)
  const answer = presentCustomer(row, [])
  await commit(context, {
    changes: insertCustomer(context, row),
    stores: { customers: 1 },
    audit: {
      action: 'customer.created',
      resource_id: row.id,
      changed: Object.keys(body),
      values: await valuesOf(null, row, hashedFieldsOf(row)),
    },
    answer,
  })
  return answer
}

/** The row of a customer without data. */
export function blankCustomer(id: string, now: string): CustomerRow {
  return {
    id,
    external_id: null,
    email: null,
    name: null,
    country: null,
    region: null,
    city: null,
    postal_code: null,
    line1: null,
    line2: null,
    vat_id: null,
    ...NOT_VALIDATED,
    metadata: '{}',
    created_at: now,
    updated_at: now,
    audit_salt: '',
    vat_scheme: null,
  }
}
