import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const PROJECT = join(import.meta.dirname, '../..')

it('imports zod as a namespace in the worker: the object z brings all its languages along, 320 KB', () => {
  const files = globSync(['src/**/*.{ts,tsx}', 'collectors/**/*.ts'], { cwd: PROJECT })
  const lines = files.flatMap((file) => {
    const text = readFileSync(join(PROJECT, file), 'utf8')
    return [...text.matchAll(/^import (.*) from 'zod'$/gm)].map(([, names]) => `${file}: ${names}`)
  })
  expect(lines.length).toBeGreaterThan(10)
  expect(lines.filter((line) => !/: (type )?\* as z$/.test(line))).toEqual([])
})
