import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { entryFirst, type WorkerModules } from './worker-modules.ts'
import { PROJECT } from './wrangler.ts'

/** The folder of the release before. */
const RELEASE_FOLDER = join(PROJECT, 'test/release')

const MIGRATIONS = 'migrations.txt'
const SUFFIX = '.gz'

/** A release: its modules, and the names of its migrations in their order. */
export type Release = { modules: WorkerModules; migrations: readonly string[] }

/** The release that the folder keeps. Each of its modules is a compressed file. */
export function readRelease(folder = RELEASE_FOLDER): Release {
  const names = readdirSync(folder).filter((name) => name.endsWith(`.js${SUFFIX}`))
  const modules = names.map((name) => ({
    name: name.slice(0, -SUFFIX.length),
    contents: gunzipSync(readFileSync(join(folder, name))).toString(),
  }))
  const migrations = readFileSync(join(folder, MIGRATIONS), 'utf8').trim().split('\n')
  return { modules: entryFirst(modules), migrations }
}

/** Replaces the release that the folder keeps. */
export function keepRelease({ modules, migrations }: Release, folder = RELEASE_FOLDER): void {
  for (const name of readdirSync(folder)) if (name.endsWith(`.js${SUFFIX}`)) rmSync(join(folder, name))
  for (const { name, contents } of modules)
    writeFileSync(join(folder, `${name}${SUFFIX}`), gzipSync(contents, { level: 9 }))
  writeFileSync(join(folder, MIGRATIONS), `${migrations.join('\n')}\n`)
}
