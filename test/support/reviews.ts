import { env } from 'cloudflare:workers'
import { newId } from '../../src/platform/database/ids.ts'
import { insertRows } from '../../src/platform/database/insert-rows.ts'
import { invariant } from '../../src/engine/ground/invariant.ts'
import { rateBookAt } from './books.ts'

/** A review as a collector makes it: a page says 22 % where 20 % is in force. `subject` tells reviews apart. */
export async function reviewOfTheBritishRate(subject = 'GB VAT standard'): Promise<string> {
  const rates = (await rateBookAt(env, new Date())).rates.get('GB') ?? []
  const rate = invariant(rates.find((each) => each.category === 'standard') ?? null, 'GB has a rate')
  const id = newId('rev')
  const review = {
    id,
    region: 'UK',
    part: 'VAT rates',
    kind: 'rates' as const,
    subject,
    value: '220000',
    status: 'waiting' as const,
    why: 'waits for a second source or a second day',
    stands: JSON.stringify(rate),
    proposed: JSON.stringify({
      ...rate,
      id: 'rate:gb:vat:standard:2026-11-21',
      rate_millionths: 220_000,
      effective_from: '2026-11-21',
      source: 'GOV.UK, VAT rates',
    }),
    source: 'GOV.UK, VAT rates',
    document_url: 'https://www.gov.uk/api/content/vat-rates',
    document_hash: 'ab'.repeat(32),
    excerpt: 'Standard rate | 22%',
    witnesses: JSON.stringify([{ source: 'GOV.UK, VAT rates', day: '2026-11-21' }]),
    first_seen_at: '2026-11-21T01:40:00.000Z',
    last_seen_at: '2026-11-21T01:40:00.000Z',
    decided_at: null,
    decided_by: null,
    decision_reason: null,
  }
  await env.DB.batch(insertRows(env.DB, 'reviews', [review]))
  return id
}
