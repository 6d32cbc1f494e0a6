import type { ControlDb } from '../src/platform/database/databases.ts'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { createAccountAndKey } from './create-account-and-key.ts'

const Stored = z.object({ key: z.string(), key_id: z.string() })

/**
 * The key that `npm run dev` prints. The database contains only its hash, so a file in the same folder stores
 * the key. Only its owner can read the file. If the file is missing or its key is revoked, a new key is made.
 */
export async function demoKey(db: ControlDb, state: string, now: Date): Promise<string> {
  const path = join(state, 'demo-key.json')
  const stored = readStored(path)
  if (stored !== null && (await isGood(db, stored.key_id))) return stored.key
  const made = await createAccountAndKey(
    db,
    { account: 'Demo', tier: 'pro', scopes: ['*'], sandbox: true },
    now,
  )
  writeFileSync(path, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 })
  return made.key
}

function readStored(path: string): z.infer<typeof Stored> | null {
  try {
    return Stored.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return null
  }
}

async function isGood(db: ControlDb, key_id: string): Promise<boolean> {
  return (
    (await db.prepare('SELECT id FROM api_keys WHERE id = ? AND revoked_at IS NULL').bind(key_id).first()) !==
    null
  )
}
