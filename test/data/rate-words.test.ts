import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readFacts } from '../../scripts/read-facts.ts'
import { PROJECT } from '../../scripts/wrangler.ts'
import { rateWords as onPages } from '../../src/pages/rate-words.ts'

const { rates } = readFacts()
// By a path that the compiler does not follow: the console has its own types, of a browser.
const console = join(PROJECT, 'public/console/rates/rate-words.js')
const { rateWords: inConsole }: { rateWords: typeof onPages } = await import(console)

it('names each shipped rate in the console as on the pages', () => {
  expect(rates.map(inConsole)).toEqual(rates.map(onPages))
})

it('names a rate by its category and the local name of the tax', () => {
  const names = new Set(rates.map(onPages))
  expect(names).toContain('Standard rate (TVA)')
  expect(
    [...names].filter((name) => / (standard|reduced|reduced_2|super_reduced|parking|zero)$/.test(name)),
  ).toEqual([])
})
