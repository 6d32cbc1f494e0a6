import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { filesOf } from '../../scripts/checks/git.ts'
import { PROJECT } from '../../scripts/wrangler.ts'

/**
 * A folder with the files of the repository, without what is made from them, and with the same packages. Its
 * wrangler.toml lacks `[build]`, which Workers Builds ignores. Returns the path.
 */
export function freshCheckout(): string {
  const folder = mkdtempSync(join(tmpdir(), 'checkout-'))
  for (const path of filesOf(PROJECT)) {
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
