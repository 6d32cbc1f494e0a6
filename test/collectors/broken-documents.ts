import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Collector } from '../../collectors/collector.ts'
import { changed, collect, type Documents, events, NOW, shipData, values, verifiedAt } from './collecting.ts'

const PAGE =
  '<!doctype html><html><body><h1>Access denied</h1><p>You do not have permission to view this page. Reference 18.2f1c2117.</p></body></html>'.padEnd(
    900,
  )

/**
 * The contract that every collector keeps: a source that is broken in any way changes nothing and verifies
 * nothing of its part, and the run says why. `documents` are good, `name` is the one to break, which must be
 * the only alternative of its part that is published.
 */
export function everyBrokenDocument(collector: Collector, documents: Documents, name: string): void {
  describe(`${collector.region}: a broken source`, () => {
    const part = collector.parts.find(({ alternatives }) =>
      alternatives.some(({ variable }) => variable === name),
    )
    beforeEach(shipData)

    it.each<[string, Documents, RegExp]>([
      ['half of the document', changed(documents, name, (body) => body.slice(0, body.length / 2)), /./],
      ['a document that was cut off on its way', changed(documents, name, { stated_length: 1_000_000 }), /./],
      ['a 500', changed(documents, name, { status: 500 }), /answered 500/],
      ['a 403', changed(documents, name, { status: 403, body: PAGE, type: 'text/html' }), /answered 403/],
      [
        'a redirect, which may lead inside',
        changed(documents, name, { status: 302, location: 'http://169.254.169.254/' }),
        /answered 302/,
      ],
      ['no answer', changed(documents, name, { hangs: true }), /did not answer in time/],
      ['an error page with status 200', changed(documents, name, { body: PAGE, type: 'text/html' }), /./],
      ['an empty document', changed(documents, name, { body: '' }), /0 bytes/],
      [
        'nothing there',
        { ...documents, [name]: { body: 'x', type: 'text/html', status: 404 } },
        /answered 404/,
      ],
    ])('changes nothing for %s', async (_, broken, says) => {
      const before = await values()
      const { run } = await collect(collector, broken)
      expect(['quarantined', 'failed']).toContain(run.outcome)
      expect(run.error).toMatch(says)
      expect(await values()).toEqual(before)
      expect(part === undefined ? ['no such part'] : await verifiedAt(part, NOW)).toEqual([])
      expect(await events()).toEqual([])
      const state = await env.DB.prepare(
        'SELECT consecutive_failures, last_success_at, last_error, next_run_at FROM collector_states WHERE region = ?',
      )
        .bind(collector.region)
        .first()
      expect(state).toMatchObject({ consecutive_failures: 1, last_success_at: null, last_error: run.error })
      // It is tried again after an hour, or at its own time when that comes first.
      expect(Date.parse(String(state?.['next_run_at'])) - NOW.getTime()).toBeLessThanOrEqual(3_600_000)
    })

    it('recovers, and counts its failures from the start again', async () => {
      await collect(collector, changed(documents, name, { status: 500 }))
      const { run } = await collect(collector, documents)
      expect(['applied', 'confirmed']).toContain(run.outcome)
      const state = await env.DB.prepare(
        'SELECT consecutive_failures, last_success_at FROM collector_states WHERE region = ?',
      )
        .bind(collector.region)
        .first()
      expect(state).toEqual({ consecutive_failures: 0, last_success_at: NOW.toISOString() })
    })
  })
}
