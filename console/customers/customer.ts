import type { Customer } from '../../client/src/schema.ts'

/** What a customer is called: the name, or else your own reference. */
export function customerName({
  name,
  external_id,
  id,
}: Pick<Customer, 'name' | 'external_id' | 'id'>): string {
  return name ?? external_id ?? id
}
