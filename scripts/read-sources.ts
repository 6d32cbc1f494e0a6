import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesOf } from './checks/git.ts'
import type { Sources } from './checks/style.ts'
import { PROJECT } from './wrangler.ts'

/** The text of each file of the project that one of the patterns names. */
export function readSources(patterns: readonly string[], exclude: readonly string[] = []): Sources {
  const paths = globSync([...patterns], { cwd: PROJECT, exclude: [...exclude] }).toSorted()
  return new Map(paths.map((path) => [path, readFileSync(join(PROJECT, path), 'utf8')]))
}

/** The text of each file of the repository. */
export function readRepository(): Sources {
  return new Map(filesOf(PROJECT).map((path) => [path, readFileSync(join(PROJECT, path), 'utf8')]))
}

/** The recorded cases and documents of the tests, of a repository. */
export function recordedCases(repository: Sources): Sources {
  return new Map(
    [...repository].filter(
      ([path]) => path.startsWith('test/') && path.endsWith('.json') && !path.endsWith('package-lock.json'),
    ),
  )
}
