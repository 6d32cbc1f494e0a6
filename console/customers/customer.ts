import type { z } from 'zod'
import type { CustomerAnswer } from '../../src/customers/schemas.ts'

export type Customer = Omit<z.output<typeof CustomerAnswer>, 'queried_at'>

type ToCustomerName = Pick<Customer, 'name' | 'external_id' | 'id'>

/** What a customer is called: the name, or else your own reference. */
export function customerName({ name, external_id, id }: ToCustomerName): string {
  return name ?? external_id ?? id
}
