import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PROJECT } from '../../scripts/wrangler.ts'

const SOURCES = globSync('src/**/*.{ts,tsx}', { cwd: PROJECT })

/** The files of src/ whose text matches. */
function filesWith(pattern: RegExp): string[] {
  return SOURCES.filter((path) => pattern.test(readFileSync(join(PROJECT, path), 'utf8')))
}

it('SQL is prepared in stores and in platform/{database,writes} alone', () => {
  const preparing = filesWith(/\.prepare\(/)
  expect(preparing.length).toBeGreaterThan(20)
  expect(
    preparing.filter((path) => !/^src\/platform\/(database|writes)\/|(\/|-)store\.ts$/.test(path)),
  ).toEqual([])
})

it('the collectors are imported by background.ts alone, which hands them to what runs them', () => {
  expect(filesWith(/(from|import\() ?'(\.\.\/)+collectors\//)).toEqual(['src/service/background.ts'])
})

it('no file of the service imports the client', () => {
  const files = [...SOURCES, ...globSync('collectors/**/*.ts', { cwd: PROJECT })]
  const importing = files.filter((path) =>
    /(from|import\() ?'((\.\.\/)+client\/|tax-compliance)/.test(readFileSync(join(PROJECT, path), 'utf8')),
  )
  expect(importing).toEqual([])
})
