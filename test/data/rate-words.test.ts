import { expect, it } from 'vitest'
import { readFacts } from '../../scripts/read-facts.ts'
import { rateWords } from '../../src/interfaces/pages/words.ts'

const { rates } = readFacts()

it('names a rate by its category and the local name of the tax', () => {
  const names = new Set(rates.map(rateWords))
  expect(names).toContain('Standard rate (TVA)')
  expect(
    [...names].filter((name) => / (standard|reduced|reduced_2|super_reduced|parking|zero)$/.test(name)),
  ).toEqual([])
})
