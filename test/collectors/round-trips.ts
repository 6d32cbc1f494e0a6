import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import type { Collector } from '../../collectors/collector.ts'
import { runCollector } from '../../collectors/pipeline.ts'
import { countingDatabase } from '../support/intercepted-database.ts'
import { collect, type Documents, NOW, shipData } from './collecting.ts'

const TRIPS_MAX = 10

/** A run that finds nothing new is cheap, however many records it confirms. */
export function fewRoundTrips(collector: Collector, documents: Documents): void {
  it(`${collector.region}: costs at most ${TRIPS_MAX} round trips to the database when nothing changed`, async () => {
    await shipData()
    const { addresses } = await collect(collector, documents)
    const { db, trips } = countingDatabase(env.DB)
    const { run } = await runCollector({ DB: db, KV: env.KV }, collector, { now: NOW, addresses })
    expect(run).toMatchObject({ outcome: 'confirmed', records_changed: 0 })
    expect(trips()).toBeLessThanOrEqual(TRIPS_MAX)
  })
}
