import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const PROJECT = join(import.meta.dirname, '../..')

it('returns no mere `object` from any function: the compiler could not check what an answer is made of', () => {
  const found = globSync('src/**/*.{ts,tsx}', { cwd: PROJECT }).flatMap((file) => {
    const text = readFileSync(join(PROJECT, file), 'utf8')
    return [...text.matchAll(/\): (?:Promise<)?object\b.*/g)].map(([line]) => `${file}: ${line}`)
  })
  expect(found).toEqual([])
})
