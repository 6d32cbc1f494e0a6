import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { Tagged } from './checks/last-release.ts'
import { readModules, WORKER_FOLDER, type WorkerModules } from './built-worker.ts'
import { writeModules } from './worker-modules.ts'
import { PROJECT } from './wrangler.ts'

/** Names the release before. The repository contains no more of it, because its history has the rest. */
const NAMED = join(PROJECT, 'test/release.json')

/** The built releases, each in a folder with the name of its commit. */
const BUILT = join(PROJECT, 'dist/releases')

const RELEASE = 'release.json'

/** `tag`: null if the release was named by its commit alone. */
const Named = z.object({ tag: z.string().nullable(), commit: z.string() })

/** A migration as it was released. `sha256`: of its text, in hexadecimal. */
const Migration = z.object({ name: z.string(), sha256: z.string() })
type Migration = z.infer<typeof Migration>

/** What a release is made of. Migrations in their order. */
const Kept = Named.extend({ migrations: z.array(Migration) })

export type Release = z.infer<typeof Kept> & { modules: WorkerModules }

/** The name of the release before. */
export function namedRelease(): Tagged {
  return Named.parse(JSON.parse(readFileSync(NAMED, 'utf8')))
}

export function nameRelease(release: Tagged): void {
  writeFileSync(NAMED, `${JSON.stringify(release)}\n`)
}

/** The release before. It is built if this checkout has not built it yet, which takes 6 seconds. */
export function releaseBefore(): Release {
  const release = namedRelease()
  const folder = join(BUILT, release.commit)
  if (!existsSync(folder)) build(release, folder)
  return readRelease(folder)
}

/** Builds a release from its own files, in the order of CI: packages, generated files, modules. */
function build(release: Tagged, folder: string): void {
  const source = mkdtempSync(join(tmpdir(), 'release-'))
  const built = `${folder}.${process.pid}`
  try {
    execFileSync('tar', ['-x', '-C', source], { input: archiveOf(release) })
    installIn(source)
    for (const script of ['generate', 'modules']) npm(source, 'run', '-s', script)
    const modules = readModules(join(source, WORKER_FOLDER))
    keepRelease({ ...release, modules, migrations: migrationsIn(source) }, built)
    moveOrLeave(built, folder)
  } finally {
    for (const each of [source, built]) rmSync(each, { recursive: true, force: true })
  }
}

/** Another process may have built the same release first. */
function moveOrLeave(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (!existsSync(to)) throw error
  }
}

function archiveOf(release: Tagged): Buffer {
  if (git('rev-parse', '--is-shallow-repository').toString().trim() === 'true') getHistory(release)
  return git('archive', '--format=tar', release.commit)
}

/** A shallow clone lacks the commit of the release. */
function getHistory({ commit }: Tagged): void {
  try {
    git('fetch', '--quiet', '--unshallow')
  } catch (error) {
    throw new Error(`The release before is built from commit ${commit}: get the whole history`, {
      cause: error,
    })
  }
}

function git(...args: string[]): Buffer {
  return execFileSync('git', ['-c', 'safe.directory=*', ...args], {
    cwd: PROJECT,
    maxBuffer: 1024 * 1024 * 1024,
  })
}

/** The packages of this checkout, if the release has the same; otherwise its own. */
function installIn(folder: string): void {
  const locked = (project: string) => readFileSync(join(project, 'package-lock.json'), 'utf8')
  if (locked(folder) === locked(PROJECT))
    symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'), 'dir')
  else npm(folder, 'ci', '--no-audit', '--no-fund')
}

function npm(folder: string, ...args: string[]): void {
  execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** The release in a folder. */
export function readRelease(folder: string): Release {
  const kept = Kept.parse(JSON.parse(readFileSync(join(folder, RELEASE), 'utf8')))
  return { ...kept, modules: readModules(folder) }
}

/** Replaces the release in a folder. */
export function keepRelease({ modules, ...release }: Release, folder: string): void {
  writeModules(folder, modules)
  writeFileSync(join(folder, RELEASE), JSON.stringify(release))
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
