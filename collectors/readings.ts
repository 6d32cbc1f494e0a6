import type { ControlDb } from '../src/platform/database/databases.ts'
import { newId } from '../src/platform/database/ids.ts'
import type { StoredReview } from '../src/tax-data/reviews/store.ts'
import { endRefusals, endReviews, writeReadings } from '../src/tax-data/reviews/store.ts'
import type { Collector } from './collector.ts'
import type { Fault } from './gather.ts'
import type { Doubted, EarlierReading, Judged, Verdict } from './judge.ts'
import { readingKeyOf, saidBy } from './judge.ts'
import { subjectOf } from './kinds.ts'
import type { Held } from './witnesses.ts'

/** The most reviews that one run adds. */
const NEW_MAX = 200
const EXCERPT_MAX = 1_000
const VALUE_MAX = 300
const ANOTHER_SHAPE = 'The document has another shape than the one that is read'
const ANOTHER_CONTENT = 'The document has its shape, and says something that is not believed'

/** What earlier runs read and did not apply, by the key of the reading. */
export function earlierReadings(stored: readonly StoredReview[]): Map<string, EarlierReading> {
  return new Map(
    stored.map(({ subject, value, first_seen_at, witnesses, status }) => [
      `${subject}\n${value}`,
      { first_seen_at, witnesses: JSON.parse(witnesses), status },
    ]),
  )
}

/**
 * Statements that update the reviews of a region after a run. A held change gets a review, or its review is
 * marked as seen again. A review ends if its change was applied, or if its part was read and no longer says
 * it.
 */
export function recordReadings(
  db: ControlDb,
  { region }: Collector,
  { judged, doubted }: Verdict,
  { stored, accept, now }: { stored: readonly StoredReview[]; accept: boolean; now: Date },
): D1PreparedStatement[] {
  const at = now.toISOString()
  const live = new Map(
    stored.flatMap((each) => (each.status === 'refused' ? [] : [[`${each.subject}\n${each.value}`, each]])),
  )
  const refused = new Set(
    stored.flatMap((each) => (each.status === 'refused' ? [`${each.subject}\n${each.value}`] : [])),
  )
  const readings = [...judged, ...doubted]
    .flatMap((part) => readingsOf(region, part, at))
    .filter(({ subject, value }) => !refused.has(`${subject}\n${value}`))
  const again: StoredReview[] = []
  const first: StoredReview[] = []
  for (const reading of readings) {
    const known = live.get(`${reading.subject}\n${reading.value}`)
    if (known === undefined) first.push(reading)
    else again.push({ ...reading, id: known.id, first_seen_at: known.first_seen_at })
  }
  const seen = new Set(again.map(({ id }) => id))
  const applied = new Set(judged.flatMap((part) => part.applied.map(({ finding }) => readingKeyOf(finding))))
  const read = new Set(judged.map(({ part }) => part))
  const misread = new Set(doubted.flatMap(({ part, document }) => (document === null ? [] : [part])))
  const ended = [...live.values()].filter(
    ({ id, part, kind }) =>
      !seen.has(id) && (read.has(part.split(': ')[0] ?? part) || (kind === 'document' && misread.has(part))),
  )
  const [done, gone] = [true, false].map((was_applied) =>
    ended.filter(({ subject, value }) => applied.has(`${subject}\n${value}`) === was_applied),
  )
  return [
    ...endRefusals(db, endedRefusals(stored, judged)),
    ...writeReadings(db, again, first.slice(0, NEW_MAX)),
    ...endReviews(db, idsOf(done), accept ? 'accepted' : 'applied', at),
    ...endReviews(db, idsOf(gone), 'gone', at),
  ]
}

/** Refused readings whose part was read and does not say them any more: said again, they are new. */
function endedRefusals(stored: readonly StoredReview[], judged: readonly Judged[]): string[] {
  const said = new Map(judged.map((part) => [part.part, part.said]))
  return idsOf(
    stored.filter(
      ({ status, part, subject, value }) =>
        status === 'refused' && said.get(part)?.has(`${subject}\n${value}`) === false,
    ),
  )
}

function idsOf(reviews: readonly StoredReview[] = []): string[] {
  return reviews.map(({ id }) => id)
}

function readingsOf(region: string, part: Judged | Doubted, at: string): StoredReview[] {
  const own = part.held.map((held) => readingOf(region, part.part, held, at))
  const faults = 'error' in part ? [part] : part.odd
  return [...faults.flatMap((fault) => documentReading(region, fault, at) ?? []), ...own]
}

function readingOf(region: string, part: string, { change, status, why, witnesses }: Held, at: string) {
  const { finding, before, after } = change
  return {
    ...blank(region, part, at),
    kind: finding.kind,
    subject: subjectOf(finding),
    value: saidBy(finding),
    status,
    why,
    stands: before === null ? null : JSON.stringify(before.fact),
    proposed: after === null ? null : JSON.stringify(after.fact),
    source: finding.from.source,
    document_url: finding.document_url,
    document_hash: finding.document_hash,
    excerpt: finding.evidence.slice(0, EXCERPT_MAX),
    witnesses: JSON.stringify(witnesses),
  } satisfies StoredReview
}

/** The review of a document that cannot be read; null if none was. The error identifies it. */
function documentReading(
  region: string,
  { part, error, differs, document }: Fault,
  at: string,
): StoredReview | null {
  if (document === null) return null
  const { source, url, hash, excerpt } = document
  return {
    ...blank(region, part, at),
    kind: 'document',
    subject: part,
    value: error.slice(0, VALUE_MAX),
    status: 'open',
    why: `${differs === 'shape' ? ANOTHER_SHAPE : ANOTHER_CONTENT}: ${error}`.slice(0, EXCERPT_MAX),
    stands: null,
    proposed: null,
    source,
    document_url: url,
    document_hash: hash,
    excerpt: excerpt.slice(0, EXCERPT_MAX),
    witnesses: '[]',
  }
}

function blank(region: string, part: string, at: string) {
  return {
    id: newId('rev'),
    region,
    part,
    first_seen_at: at,
    last_seen_at: at,
    decided_at: null,
    decided_by: null,
    decision_reason: null,
  }
}
