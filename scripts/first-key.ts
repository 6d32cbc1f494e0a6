import type { ControlDb } from '../src/platform/database/databases.ts'
import { createAccountAndKey } from './create-account-and-key.ts'

const COMMAND = `npm run keys -- create --account "Acme" --tier pro --scopes '*' --remote`

/**
 * The text about keys at the end of a deploy. On a terminal, the first deploy makes an account with its first
 * key and shows it once. Without a terminal, it shows the command instead, because other people may read the
 * log. Later deploys make no key.
 */
export async function firstKey(db: ControlDb, terminal: boolean, now: Date): Promise<string> {
  if ((await db.prepare('SELECT 1 FROM accounts LIMIT 1').first()) !== null)
    return `To make more keys: ${COMMAND}`
  if (!terminal) return `To make the first key: ${COMMAND}`
  const { key } = await createAccountAndKey(
    db,
    { account: 'First account', tier: 'pro', scopes: ['*'], sandbox: false },
    now,
  )
  return `The first key, shown only once:\n\n  ${key}\n\nTo make more keys: ${COMMAND}`
}
