import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The release of a checkout: its version, and its commit if git knows it, e.g. `1.0.0+34b59e71abcd`. `-dirty`
 * at the end: files differ from the commit.
 */
export function releaseOf(project: string): string {
  const { version }: { version: string } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
  // An archive has no git of its own, but it may be unpacked within the repository of something else.
  if (!existsSync(join(project, '.git'))) return version
  const args = ['describe', '--always', '--exclude=*', '--abbrev=12', '--dirty']
  const { status, stdout } = spawnSync('git', args, { cwd: project, encoding: 'utf8' })
  return status === 0 ? `${version}+${stdout.trim()}` : version
}
