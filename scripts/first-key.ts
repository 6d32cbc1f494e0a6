import { createAccountAndKey } from '../src/accounts/create-account-and-key.ts'

const COMMAND = `npm run keys -- create --account "Acme" --tier pro --scopes '*' --remote`

/**
 * What a deploy says at its end about keys. On a terminal the first deploy makes an account with its first
 * key, which is shown this once; a log that others read gets the command instead. Later deploys make none.
 */
export async function firstKey(db: D1Database, terminal: boolean, now: Date): Promise<string> {
  if ((await db.prepare('SELECT 1 FROM accounts LIMIT 1').first()) !== null) return `More keys: ${COMMAND}`
  if (!terminal) return `Make the first key: ${COMMAND}`
  const { key } = await createAccountAndKey(
    db,
    { account: 'First account', tier: 'pro', scopes: ['*'], sandbox: false },
    now,
  )
  return `The first key, shown this once:\n\n  ${key}\n\nMore keys: ${COMMAND}`
}
