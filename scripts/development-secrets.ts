import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/**
 * The file of secrets that `npm run dev` gives to wrangler, made beside the state that is encrypted under
 * them. Returns its path.
 */
export function developmentSecrets(state: string): string {
  const path = join(resolve(state), 'development.env')
  if (!existsSync(path))
    writeFileSync(path, `ENCRYPTION_KEY=${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 })
  return path
}
