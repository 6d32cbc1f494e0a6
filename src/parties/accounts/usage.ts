import type { Context } from '../../platform/context.ts'
import { readStored } from '../../platform/writes/usage.ts'
import { readUnknownCodes } from '../../tax-data/product-codes/unknown-codes-store.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { LINES_MAX } from '../../platform/http/line-limit.ts'
import { type QuotaName, quotaOf } from '../../platform/quotas.ts'
import type { UsageAnswer } from './schemas.ts'
import { TIERS } from '../../platform/tiers.ts'

/** The limits of the account's tier, the stored rows of each kind, and the codes that have no type here. */
export async function getUsage(context: Context): Promise<Answer<typeof UsageAnswer>> {
  const { tier } = context.principal
  const [stored, unknown_codes] = await Promise.all([readStored(context), readUnknownCodes(context)])
  const of = (name: QuotaName) => ({ stored: stored[name], quota: quotaOf(context.env, tier, name) })
  return {
    tier,
    requests_per_minute: TIERS[tier].requests_per_minute,
    questions_per_minute: TIERS[tier].questions_per_minute,
    lines_per_request: LINES_MAX,
    usage: {
      transaction_lines: of('transaction_lines'),
      refunds: of('refunds'),
      customers: of('customers'),
      exemptions: of('exemptions'),
      filed_rows: of('filed_rows'),
      document_bytes: of('document_bytes'),
      webhooks: of('webhooks'),
      registrations: of('registrations'),
      api_keys: of('api_keys'),
      accounts: of('accounts'),
      deliveries_a_day: of('deliveries_a_day'),
    },
    unknown_codes,
  }
}
