import { type IdPrefix, momentOf, repeatableId } from '../../platform/database/ids.ts'
import { sha256 } from '../../platform/kit/sha256.ts'

/** The numbers of an account's example rows. */
const EXAMPLE_COUNTS = { sales: 64, customers: 7, registrations: 4, exemptions: 1, webhooks: 1 } as const

/**
 * Gives the ids of the account's example rows by kind and number. They are the same each time, so rows that
 * are there already are not added twice, and what is removed is what was added.
 */
export async function exampleIdsOf(account_id: string) {
  const hash = await sha256(`example books of ${account_id}`)
  const owner = Uint8Array.from({ length: 16 }, (_, index) =>
    parseInt(hash.slice(index * 2, index * 2 + 2), 16),
  )
  const msecs = momentOf(account_id).getTime()
  const idsOf = (prefix: IdPrefix, count: number) =>
    Array.from({ length: count }, (_, number) => repeatableId(prefix, msecs, number, owner))
  return {
    sales: idsOf('txn', EXAMPLE_COUNTS.sales),
    customers: idsOf('cust', EXAMPLE_COUNTS.customers),
    registrations: idsOf('reg', EXAMPLE_COUNTS.registrations),
    exemptions: idsOf('exm', EXAMPLE_COUNTS.exemptions),
    webhooks: idsOf('wh', EXAMPLE_COUNTS.webhooks),
  }
}

export type ExampleIds = Awaited<ReturnType<typeof exampleIdsOf>>
