import { env } from 'cloudflare:workers'
import { verifyTotals, type Difference } from '../../../scripts/verify/totals.ts'
import { BUCKET } from './sealed.ts'

/** Sums and counts that are kept and not as they are recomputed from the sales, sealed ones too. */
export async function differencesOfMonths(account_id: string): Promise<Difference[]> {
  return verifyTotals(env.DB, account_id, { chests: BUCKET })
}
