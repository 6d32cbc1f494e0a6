import { expect, inject, it } from 'vitest'
import { runInterleaving } from '../../support/interleavings.ts'
import { loadTestData } from '../../support/service-data.ts'

const ALL = 200
const RUNS = Math.min(10 * inject('seeds'), ALL)
/** With fewer seeds, each day has others. */
const FIRST = Math.floor(Date.now() / 86_400_000) * RUNS

await loadTestData()

/** Sales, refunds, voids, credit notes, filing, reopening, changes of zone, moves between shards, kills. */
it.each(Array.from({ length: RUNS }, (_, index) => 1_000 + ((FIRST + index) % ALL)))(
  'keeps each sale in exactly one return: seed %i',
  async (seed) => {
    await runInterleaving(seed, 40)
    expect.hasAssertions()
  },
)
