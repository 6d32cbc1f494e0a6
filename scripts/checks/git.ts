import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The output of a command of git in a checkout. Throws if it fails, or if there is no repository. */
export function git(folder: string, ...args: string[]): string {
  // In CI, another user may own the checkout.
  return execFileSync('git', ['-c', 'safe.directory=*', ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  })
}

/** The files of a checkout: those that git tracks, and those that it would. */
export function filesOf(folder: string): string[] {
  const listed = git(folder, 'ls-files', '--cached', '--others', '--exclude-standard', '-z')
  return listed.split('\0').filter((path) => path !== '' && existsSync(join(folder, path)))
}
