import { expect, it } from 'vitest'
import { FORMATS } from '../../src/parties/vat/formats.ts'
import { VALIDATORS } from '../../src/parties/vat/validators.ts'

it('has each validator that a format names, and no other', () => {
  const named = [...FORMATS.values()].flatMap(({ validators }) => validators)
  expect([...new Set(named)].toSorted()).toEqual([...VALIDATORS.keys()].toSorted())
})
