import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Sources } from './checks/style.ts'
import { PROJECT } from './wrangler.ts'

/** The text of each file of the project that one of the patterns names. */
export function readSources(patterns: readonly string[], exclude: readonly string[] = []): Sources {
  const paths = globSync([...patterns], { cwd: PROJECT, exclude: [...exclude] }).toSorted()
  return new Map(paths.map((path) => [path, readFileSync(join(PROJECT, path), 'utf8')]))
}
