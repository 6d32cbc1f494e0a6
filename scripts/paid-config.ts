import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONFIG_PATH, PROJECT } from './wrangler.ts'

/** The boundaries of Georgia, the largest file, take some 6 s of CPU time on our machine. */
const CPU_MS = 120_000

/** wrangler.toml with a limit of CPU time and the variable that lets the worker read boundary files. */
export function withBoundaries(config: string): string {
  const limited = config.replace('[vars]\n', `[limits]\ncpu_ms = ${CPU_MS}\n\n[vars]\n`)
  return limited.replaceAll(/^ENVIRONMENT = .*$/gm, (line) => `${line}\nLOCAL_BOUNDARIES = "on"`)
}

/** Writes the configuration beside wrangler.toml, because its paths are relative. Returns its path. */
export function writePaidConfig(): string {
  const path = join(PROJECT, 'wrangler.local-boundaries.toml')
  writeFileSync(path, withBoundaries(readFileSync(CONFIG_PATH, 'utf8')))
  return path
}
