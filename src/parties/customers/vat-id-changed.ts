import type { AccountEvent } from '../../notices/events/event-types.ts'
import type { Validation } from '../vat/schemas.ts'
import type { CustomerRow } from './customer.ts'
import type { AskedVatId } from './vat-validations-store.ts'

type Before = Pick<CustomerRow, 'vat_id_validated' | 'vat_id_validated_at'>

/**
 * The event of a check that differs from the check before. The first check of a VAT id has no event. An event
 * contains no personal data, because it is kept longer than the customer.
 */
export function vatIdChanged(
  { account_id, customer_id }: AskedVatId,
  before: Before,
  said: Validation,
): AccountEvent[] {
  if (before.vat_id_validated_at === null || said.status === 'unavailable') return []
  const old_status = before.vat_id_validated === 1 ? 'valid' : 'invalid'
  if (old_status === said.status) return []
  return [
    {
      type: 'vat_id.changed',
      account_id,
      dedupe: `vat_id.changed ${customer_id} ${before.vat_id_validated_at}`,
      data: {
        customer_id,
        country_code: said.country_code,
        old_status,
        new_status: said.status,
        checked_at: said.checked_at,
      },
    },
  ]
}
