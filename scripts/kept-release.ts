import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { entryFirst, type WorkerModules } from './worker-modules.ts'
import { PROJECT } from './wrangler.ts'

const FOLDER = join(PROJECT, 'test/release')
const SUFFIX = '.gz'

/** The modules of the release before. Each is a compressed file of test/release. */
export function readRelease(): WorkerModules {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith(`.js${SUFFIX}`))
  return entryFirst(
    names.map((name) => ({
      name: name.slice(0, -SUFFIX.length),
      contents: gunzipSync(readFileSync(join(FOLDER, name))).toString(),
    })),
  )
}

/** Replaces the modules of the release before by these, and the names of its migrations. */
export function keepRelease(modules: WorkerModules, migrations: readonly string[]): void {
  for (const name of readdirSync(FOLDER)) if (name.endsWith(`.js${SUFFIX}`)) rmSync(join(FOLDER, name))
  for (const { name, contents } of modules)
    writeFileSync(join(FOLDER, `${name}${SUFFIX}`), gzipSync(contents, { level: 9 }))
  writeFileSync(join(FOLDER, 'migrations.txt'), `${migrations.toSorted().join('\n')}\n`)
}
