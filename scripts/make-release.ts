import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { git } from './checks/git.ts'
import { nameRelease } from './kept-release.ts'
import { readOptions } from './options.ts'
import { buildArtefacts } from './release/artefacts.ts'
import { unreleasedOf, withRelease } from './release/changelog.ts'
import { releaseFaults, tagOf } from './release/faults.ts'
import { setVersion, versionOf } from './release/versions.ts'
import { PROJECT } from './wrangler.ts'

/**
 * Releases this checkout: checks it, gives the changelog the version and the day, builds the artefacts, and
 * tags. It publishes nothing: the workflow `release` does, when the tag is pushed. With `--dry-run` it builds
 * the artefacts alone, and changes no file of the repository.
 */
const values = readOptions({
  'dry-run': { type: 'boolean', default: false },
  /** The next version; left out: that of package.json. */
  version: { type: 'string' },
  /** The folder of the artefacts. */
  to: { type: 'string', default: 'dist/release' },
})

const CHANGELOG = join(PROJECT, 'CHANGELOG.md')
const TODAY = new Date().toISOString().slice(0, 10)
const folder = resolve(PROJECT, values.to)

try {
  if (values['dry-run']) rehearse()
  else release(values.version ?? versionOf(PROJECT))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

function rehearse(): void {
  if (values.version !== undefined) throw new Error('A dry run builds the version of package.json')
  build()
  const faults = releaseFaults(PROJECT, versionOf(PROJECT), TODAY)
  for (const fault of faults) console.log(`A release would stop: ${fault}`)
  console.log('Nothing was changed, tagged or published')
}

function release(version: string): void {
  const faults = releaseFaults(PROJECT, version, TODAY)
  if (faults.length > 0) throw new Error(faults.join('\n'))
  const changes = unreleasedOf(read())
  const before = git(PROJECT, 'rev-parse', 'HEAD').trim()
  try {
    setVersion(PROJECT, version)
    writeFileSync(CHANGELOG, withRelease(read(), version, TODAY))
    execFileSync('npm', ['run', '-s', 'check'], { cwd: PROJECT, stdio: 'inherit' })
    git(PROJECT, 'commit', '--quiet', '--all', '--message', `Release ${version}`)
    build()
  } catch (error) {
    // The tree was clean, so this takes back the release alone.
    git(PROJECT, 'reset', '--quiet', '--hard', before)
    throw error
  }
  const tag = tagOf(version)
  git(PROJECT, 'tag', '--annotate', tag, '--message', `Release ${version}\n\n${changes}`)
  nameRelease({ tag, commit: git(PROJECT, 'rev-parse', 'HEAD').trim() })
  git(PROJECT, 'commit', '--quiet', '--all', '--message', `Keep ${tag} for the tests of the next release`)
  console.log(`Released ${version}. To publish it: git push --atomic origin HEAD ${tag}`)
}

function build(): void {
  for (const { name, bytes, sha256 } of buildArtefacts(PROJECT, folder))
    console.log(`${sha256.slice(0, 16)}  ${String(bytes).padStart(9)}  ${name}`)
  console.log(`The artefacts and their manifest are in ${folder}`)
}

function read(): string {
  return readFileSync(CHANGELOG, 'utf8')
}
