import { expect, it } from 'vitest'
import { runInterleaving } from '../../support/interleavings.ts'
import { loadTestData } from '../../support/service-data.ts'

const RUNS = 200

await loadTestData()

/** Sales, refunds, voids, credit notes, filing, reopening, changes of zone, moves between shards, kills. */
it.each(Array.from({ length: RUNS }, (_, index) => 1_000 + index))(
  'keeps each sale in exactly one return: seed %i',
  async (seed) => {
    await runInterleaving(seed, 40)
    expect.hasAssertions()
  },
)
