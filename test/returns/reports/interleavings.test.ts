import { expect, it } from 'vitest'
import { runInterleaving } from '../../support/interleavings.ts'
import { loadTestData } from '../../support/service-data.ts'

await loadTestData()

/** `npm run test:long` runs two hundred more. */
it.each([1, 2, 3])('keeps each sale in exactly one return: seed %i', async (seed) => {
  await runInterleaving(seed, 40)
  expect.hasAssertions()
})
