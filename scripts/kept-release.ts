import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { z } from 'zod'
import { entryFirst, type WorkerModules } from './worker-modules.ts'
import { PROJECT } from './wrangler.ts'

/** The folder of the release before. */
const RELEASE_FOLDER = join(PROJECT, 'test/release')

const RELEASE = 'release.json'
const SUFFIX = '.gz'

/** A migration as it was released. `sha256`: of its text, in hexadecimal. */
const Migration = z.object({ name: z.string(), sha256: z.string() })
export type Migration = z.infer<typeof Migration>

/** What a release is made of. `tag`: null if it was kept by its commit alone. Migrations in their order. */
const Kept = z.object({ tag: z.string().nullable(), commit: z.string(), migrations: z.array(Migration) })

export type Release = z.infer<typeof Kept> & { modules: WorkerModules }

/** The release that the folder keeps. Each of its modules is a compressed file. */
export function readRelease(folder = RELEASE_FOLDER): Release {
  const names = readdirSync(folder).filter((name) => name.endsWith(`.js${SUFFIX}`))
  const modules = names.map((name) => ({
    name: name.slice(0, -SUFFIX.length),
    contents: gunzipSync(readFileSync(join(folder, name))).toString(),
  }))
  return { ...readKept(folder), modules: entryFirst(modules) }
}

/** The kept release without its modules. */
export function readKept(folder = RELEASE_FOLDER): z.infer<typeof Kept> {
  return Kept.parse(JSON.parse(readFileSync(join(folder, RELEASE), 'utf8')))
}

/** Replaces the release that the folder keeps. */
export function keepRelease({ modules, ...release }: Release, folder = RELEASE_FOLDER): void {
  for (const name of readdirSync(folder)) if (name.endsWith(`.js${SUFFIX}`)) rmSync(join(folder, name))
  for (const { name, contents } of modules)
    writeFileSync(join(folder, `${name}${SUFFIX}`), gzipSync(contents, { level: 9 }))
  writeFileSync(join(folder, RELEASE), `${JSON.stringify(release, null, 2)}\n`)
}

/** The migrations of a checkout in their order. */
export function migrationsIn(project: string): Migration[] {
  const folder = join(project, 'migrations')
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  return names.toSorted().map((name) => ({
    name,
    sha256: createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex'),
  }))
}
