import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PROJECT } from '../../scripts/wrangler.ts'

it('the console makes no link for others from its own host, which may be behind a sign-in', () => {
  const files = globSync('console/**/*.{ts,tsx}', { cwd: PROJECT })
  expect(files.length).toBeGreaterThan(50)
  const own = files.filter((path) =>
    /location\.(origin|host)/.test(readFileSync(join(PROJECT, path), 'utf8')),
  )
  expect(own).toEqual([])
})
