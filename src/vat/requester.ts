import { readVatId } from './vat-id.ts'

/** The account's own VAT id, under which an authority gives a consultation number; undefined where it has none that is well formed. */
export async function requesterOf(db: D1Database, account_id: string): Promise<string | undefined> {
  const account = await db
    .prepare('SELECT vat_id, country FROM accounts WHERE id = ?')
    .bind(account_id)
    .first<{ vat_id: string | null; country: string | null }>()
  if (!account?.vat_id) return undefined
  const { country, number, format_valid } = readVatId(account.vat_id, account.country ?? '')
  return format_valid ? `${country === 'GR' ? 'EL' : country}${number}` : undefined
}
