import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
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
 * those of the environment that the Worker knows. Adds an ENCRYPTION_KEY to the file if neither has one.
 */
export function readVariables(
  state: string,
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const path = join(state, 'secrets.env')
  const stored = existsSync(path) ? parseEnv(readFileSync(path, 'utf8')) : {}
  const key = environment['ENCRYPTION_KEY'] || stored['ENCRYPTION_KEY'] || newKey(path)
  const known = new Set(knownNames())
  const given = Object.entries({ ...stored, ...environment, ENCRYPTION_KEY: key }).filter(
    (each): each is [string, string] =>
      each[1] !== undefined && (known.has(each[0]) || each[0].startsWith('SOURCE_')),
  )
  return Object.fromEntries(given)
}

/** A new key, which the file keeps. The file may end within a line. */
function newKey(path: string): string {
  const key = randomBytes(32).toString('base64url')
  appendFileSync(path, `${existsSync(path) ? '\n' : ''}ENCRYPTION_KEY=${key}\n`, { mode: 0o600 })
  return key
}
