import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { faultOfKept, releaseBefore, releaseNamed, type Tagged } from './checks/last-release.ts'
import { keepRelease, migrationsIn, readKept } from './kept-release.ts'
import { readArguments } from './options.ts'
import { readModules, WORKER_FOLDER } from './worker-modules.ts'
import { PROJECT } from './wrangler.ts'

/**
 * Stores the modules and the migrations of a release in the repository: of the last tag, or of the tag or
 * commit that is named. The tests of the next release run it with the next tables. Run it after a tag, and
 * commit the files. With `--check`, only says whether the folder has the last tag before this commit.
 */
const { values, positionals } = readArguments({ check: { type: 'boolean', default: false } })

try {
  if (values.check) check()
  else keep(releaseNamed(PROJECT, positionals[0]))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

function check(): void {
  const kept = readKept()
  const before = releaseBefore(PROJECT)
  const fault = faultOfKept(kept, before)
  if (fault !== null) throw new Error(fault)
  const known = before === null ? 'no earlier tag is known here' : 'it is the last tag before this commit'
  console.log(`Release: ${kept.tag ?? kept.commit} is kept; ${known}`)
}

/** Builds the release from its own files, in the order of CI: packages, generated files, modules. */
function keep(release: Tagged): void {
  const folder = mkdtempSync(join(tmpdir(), 'release-'))
  try {
    execFileSync('tar', ['-x', '-C', folder], { input: archiveOf(release) })
    installIn(folder)
    for (const script of ['generate', 'modules']) npm(folder, 'run', '-s', script)
    const modules = readModules(join(folder, WORKER_FOLDER))
    keepRelease({ ...release, modules, migrations: migrationsIn(folder) })
  } finally {
    rmSync(folder, { recursive: true })
  }
  console.log(`Wrote ${release.tag ?? release.commit} into test/release. Commit it`)
}

function archiveOf({ commit }: Tagged): Buffer {
  return execFileSync('git', ['-c', 'safe.directory=*', 'archive', '--format=tar', commit], {
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
  execFileSync('npm', args, { cwd: folder, stdio: 'inherit' })
}
