import type { ShownStatus } from '../../platform/database/values/transaction-statuses.ts'

/**
 * The status of a row of transactions as callers see it. A superseded sale is stored as voided, because no
 * report may count it.
 */
export const SHOWN_STATUS = "iif(superseded_at IS NULL, status, 'superseded')"

/** The condition that a row of transactions has a status, with its values. */
export function hasStatus(status: ShownStatus): [sql: string, ...values: string[]] {
  if (status === 'superseded') return ["status = 'voided' AND superseded_at IS NOT NULL"]
  return status === 'voided' ? ["status = 'voided' AND superseded_at IS NULL"] : ['status = ?', status]
}
