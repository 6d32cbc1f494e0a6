import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PROJECT } from '../../scripts/wrangler.ts'

/** Colours that the pages and the console share. Their surfaces differ. */
const COLOURS = [
  '--text',
  '--quiet',
  '--line',
  '--link',
  '--accent',
  '--on-accent',
  '--good',
  '--warn',
  '--bad',
]
const SIZES = ['--control', '--radius']

function tokensOf(file: string): Map<string, string> {
  const css = readFileSync(join(PROJECT, file), 'utf8')
  return new Map(
    [...css.matchAll(/^ {2}(--[\w-]+): (.*);$/gm)].map(([, name = '', value = '']) => [name, value]),
  )
}

it('gives texts, links, states and corners the same look on the pages and in the console', () => {
  const [pages, console] = [tokensOf('public/style.css'), tokensOf('public/console/tokens.css')]
  for (const name of [...COLOURS, ...SIZES]) {
    expect(pages.get(name)).toMatch(/^(light-dark\(#[\da-f]{6}, #[\da-f]{6}\)|\d+px)$/)
    expect(console.get(name)).toBe(pages.get(name))
  }
})
