import { beforeEach, describe, expect, it } from 'vitest'
import type { Collector } from '../../collectors/collector.ts'
import { everyBrokenDocument } from './broken-documents.ts'
import { changed, collect, type Documents, shipData, values } from './collecting.ts'
import { fewRoundTrips } from './round-trips.ts'

/**
 * A document that must not be believed: what is wrong, how it differs from the good one, and what the run says.
 * Two texts: the second one instead of the first. One text: the whole document.
 */
export type Doubt = [what: string, differs: Differs, says: RegExp]
type Differs = string | [string | RegExp, string] | ((body: string) => string)

/**
 * What every collector keeps: few round trips, nothing written from a broken source, and no belief in documents
 * with odd contents. `doubts` are by the source that is changed, and the sources in `broken` are broken.
 */
export function describeCollector(
  collector: Collector,
  documents: Documents,
  broken: readonly string[],
  doubts: Record<string, Doubt[]>,
): void {
  fewRoundTrips(collector, documents)
  for (const name of broken) everyBrokenDocument(collector, documents, name)

  describe.each(Object.entries(doubts))(`${collector.region}: odd contents of %s`, (name, rows) => {
    beforeEach(shipData)

    it.each(rows)('does not believe %s', async (_, differs, says) => {
      const before = await values()
      const odd = changed(documents, name, (body) => differing(body, differs))
      const { run } = await collect(collector, odd)
      expect(run).toMatchObject({ outcome: 'quarantined', error: expect.stringMatching(says) })
      expect(await values()).toEqual(before)
    })
  })
}

function differing(body: string, differs: Differs): string {
  if (typeof differs === 'string') return differs
  return typeof differs === 'function' ? differs(body) : body.replace(...differs)
}
