import type { Tier } from './tiers.ts'
import type { Bindings } from './bindings.ts'

/**
 * What `account_usage` counts in the batch of each write: kinds of rows, and the bytes of the files of
 * certificates.
 */
export const COUNTED_ROWS = [
  'transaction_lines',
  'refunds',
  'customers',
  'exemptions',
  'filed_rows',
  'document_bytes',
] as const
export type CountedRows = (typeof COUNTED_ROWS)[number]

/** The kinds of rows that are few, so that each write counts the rows themselves. */
const FEW_ROWS = ['webhooks', 'registrations', 'api_keys', 'accounts'] as const
/** `accounts`: those that the account made as a platform. */
export type FewRows = (typeof FEW_ROWS)[number]

/** `deliveries_a_day`: the deliveries of webhooks that are made on one day (UTC). */
export type QuotaName = CountedRows | FewRows | 'deliveries_a_day'

/** The most rows that an account of a tier may store. docs/storage.md has the bytes of each row. */
const QUOTAS: Readonly<Record<Tier, Readonly<Record<QuotaName, number>>>> = {
  free: {
    transaction_lines: 100_000,
    refunds: 100_000,
    customers: 10_000,
    exemptions: 10_000,
    filed_rows: 200_000,
    document_bytes: 50_000_000,
    webhooks: 5,
    registrations: 500,
    api_keys: 100,
    accounts: 10,
    deliveries_a_day: 2_000,
  },
  pro: {
    transaction_lines: 2_000_000,
    refunds: 2_000_000,
    customers: 200_000,
    exemptions: 200_000,
    filed_rows: 4_000_000,
    document_bytes: 500_000_000,
    webhooks: 100,
    registrations: 500,
    api_keys: 100,
    accounts: 1_000,
    deliveries_a_day: 200_000,
  },
  enterprise: {
    transaction_lines: 5_000_000,
    refunds: 5_000_000,
    customers: 1_000_000,
    exemptions: 1_000_000,
    filed_rows: 10_000_000,
    document_bytes: 2_000_000_000,
    webhooks: 1_000,
    registrations: 500,
    api_keys: 100,
    accounts: 10_000,
    deliveries_a_day: 2_000_000,
  },
}

/**
 * The quota of a tier. A variable such as `QUOTA_FREE_CUSTOMERS` replaces it if its value is a whole number.
 */
export function quotaOf(env: Bindings, tier: Tier, name: QuotaName): number {
  const given: unknown = Reflect.get(env, `QUOTA_${tier}_${name}`.toUpperCase())
  return typeof given === 'string' && /^\d{1,12}$/.test(given) ? Number(given) : QUOTAS[tier][name]
}
