import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PROJECT } from '../../scripts/wrangler.ts'

const FOLDER = join(PROJECT, 'public')
const JOINED = ['pages.css', 'console/console.css']
/** Without the files that are joined from others. */
const STYLES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.css') && !JOINED.includes(path),
)

const read = (path: string) => readFileSync(join(FOLDER, path), 'utf8')

it('gives the pages, the documentation and the console their colours from one file', () => {
  expect(STYLES.length).toBeGreaterThan(5)
  for (const path of STYLES.filter((each) => each !== 'tokens.css'))
    expect(read(path), path).not.toMatch(/light-dark\(|^ *--[\w-]+: *#/m)
})

it('defines each name that a style uses', () => {
  const names = new Set(STYLES.flatMap(definedIn))
  for (const path of STYLES)
    for (const [, name = ''] of read(path).matchAll(/var\((--[\w-]+)/g)) expect(names, path).toContain(name)
})

function definedIn(path: string): string[] {
  return [...read(path).matchAll(/(--[\w-]+):/g)].map(([, name = '']) => name)
}
