import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { PROJECT } from '../wrangler.ts'

const BINDINGS = join(PROJECT, 'src/platform/bindings.ts')

/** The names of all variables and secrets that the Worker knows. */
function knownNames(): string[] {
  return [...readFileSync(BINDINGS, 'utf8').matchAll(/^ {2}([A-Z_]+)\?: string$/gm)].map(
    ([, name = '']) => name,
  )
}

/**
 * The variables and secrets beside those of wrangler.toml: of the file `secrets.env` in the state, and then
 * those of the environment that the Worker knows. Makes the file with an ENCRYPTION_KEY if neither has one.
 */
export function readVariables(
  state: string,
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const path = join(state, 'secrets.env')
  if (!existsSync(path) && !environment['ENCRYPTION_KEY'])
    writeFileSync(path, `ENCRYPTION_KEY=${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 })
  const stored = existsSync(path) ? parseEnv(readFileSync(path, 'utf8')) : {}
  const known = new Set(knownNames())
  const given = Object.entries({ ...stored, ...environment }).filter(
    (each): each is [string, string] =>
      each[1] !== undefined && (known.has(each[0]) || each[0].startsWith('SOURCE_')),
  )
  return Object.fromEntries(given)
}
