import type { ControlDb } from '../../platform/database/databases.ts'
import { readOwnVatId } from '../accounts/store.ts'
import type { Tier } from '../../platform/tiers.ts'
import { invariant } from '../../engine/ground/invariant.ts'
import type { VatNumber } from './authorities/authority.ts'
import { authorityOf } from './countries.ts'
import { readVatId } from './vat-id.ts'

/**
 * The VAT id of a requester, to which an authority gives consultation numbers. Null if the id is not well
 * formed, or if no authority knows it, such as an Australian one.
 */
export function readRequester(vat_id: string, own_country: string | null): VatNumber | null {
  const { country, number, format_valid } = readVatId(vat_id, own_country ?? '')
  return format_valid && authorityOf(country) !== null ? { country, number } : null
}

/** The account's own VAT id as a requester; null if it has no id that an authority knows. */
export async function requesterOf(control: ControlDb, account_id: string): Promise<VatNumber | null> {
  const account = await readOwnVatId(control, account_id)
  return account?.vat_id ? readRequester(account.vat_id, account.country) : null
}

/** The account that asks an authority: its tier, which limits its questions, and its requester. */
export async function readAsker(
  control: ControlDb,
  account_id: string,
): Promise<{ account_id: string; tier: Tier; requester: VatNumber | null }> {
  const account = invariant(await readOwnVatId(control, account_id), 'the owner of a customer exists')
  const requester = account.vat_id ? readRequester(account.vat_id, account.country) : null
  return { account_id, tier: account.tier, requester }
}
