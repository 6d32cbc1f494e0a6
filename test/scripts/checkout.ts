import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { git } from '../../scripts/checks/git.ts'
import { PROJECT } from '../../scripts/wrangler.ts'

/**
 * A folder with the files of the repository, without what is made from them, and with the same packages. Its
 * wrangler.toml lacks `[build]`, which Workers Builds ignores. Returns the path.
 */
export function freshCheckout(): string {
  const folder = mkdtempSync(join(tmpdir(), 'checkout-'))
  const listed = git(PROJECT, 'ls-files', '--cached', '--others', '--exclude-standard', '-z').split('\0')
  for (const path of listed) {
    if (path === '' || !existsSync(join(PROJECT, path))) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    copyFileSync(join(PROJECT, path), join(folder, path))
  }
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'), 'dir')
  changeConfig(folder, (text) => text.replace(/^\[build\]\n(?:(?!\[).*\n)*/m, ''))
  return folder
}

/** Changes wrangler.toml of a checkout. Throws if nothing changes. */
export function changeConfig(folder: string, change: (text: string) => string): void {
  const path = join(folder, 'wrangler.toml')
  const text = readFileSync(path, 'utf8')
  const changed = change(text)
  if (changed === text) throw new Error('wrangler.toml has another form')
  writeFileSync(path, changed)
}
