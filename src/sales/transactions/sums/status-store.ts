import { NOT_COMPLETED, type ShownStatus } from '../../../platform/database/values/transaction-statuses.ts'

/**
 * The status of a row of transactions as callers see it. A superseded sale is stored as voided, because no
 * report may count it.
 */
export const SHOWN_STATUS = "iif(superseded_at IS NULL, status, 'superseded')"

/**
 * The condition that a row of transactions has a status, with its values. An index answers all but
 * `completed`, which nearly all sales are: those are read in the order of the list.
 */
export function hasStatus(status: ShownStatus): [sql: string, ...values: string[]] {
  if (status === 'completed') return ["status = 'completed'"]
  const other = (condition: string) => `${NOT_COMPLETED} AND ${condition}`
  if (status === 'superseded') return [other("status = 'voided' AND superseded_at IS NOT NULL")]
  return status === 'voided'
    ? [other("status = 'voided' AND superseded_at IS NULL")]
    : [other('status = ?'), status]
}
