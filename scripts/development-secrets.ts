import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/**
 * The file of secrets that `npm run dev` passes to wrangler. It is stored with the state that the secrets
 * encrypt. Makes it if it is missing, and returns its path.
 */
export function developmentSecrets(state: string): string {
  const path = join(resolve(state), 'development.env')
  if (!existsSync(path))
    writeFileSync(path, `ENCRYPTION_KEY=${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 })
  return path
}
