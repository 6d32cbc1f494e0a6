import { execFileSync } from 'node:child_process'

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
