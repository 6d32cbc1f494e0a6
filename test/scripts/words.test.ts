import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const PROJECT = join(import.meta.dirname, '../..')

/** `= ['a', 'b'] as const`, `z.enum(['a', 'b'])` and `enum: ['a', 'b']`: the lists of words of the API. */
const LIST = /(?:z\s*\.enum\(|enum: |= )\[\s*((?:'[\w-]*',?\s*){2,})\]/g

it('writes each list of words once: types, schemas and tables are derived from it', () => {
  const found = new Map<string, string[]>()
  for (const file of globSync('src/**/*.ts', { cwd: PROJECT })) {
    for (const [, words = ''] of readFileSync(join(PROJECT, file), 'utf8').matchAll(LIST)) {
      const list = [...words.matchAll(/'([\w-]*)'/g)].map(([, word]) => word)
      const key = list.toSorted().join(' ')
      found.set(key, [...(found.get(key) ?? []), file])
    }
  }
  expect(found.size).toBeGreaterThan(20)
  expect([...found].filter(([, files]) => files.length > 1)).toEqual([])
})
