import type { ControlDb } from '../../platform/database/databases.ts'
import { insertRows } from '../../platform/database/insert-rows.ts'
import { rowsOf, totalOf } from '../../platform/database/results.ts'
import type { reviews } from '../../platform/database/tables/collectors.ts'
import { LIVE_STATUSES } from '../../platform/database/values/review-statuses.ts'

/** A review as it is stored. */
export type StoredReview = typeof reviews.$inferSelect

/** Decided reviews are kept so long; a refusal counts as long as it is kept. */
export const KEPT_DAYS = 400

const LIVE = LIVE_STATUSES.map((status) => `'${status}'`).join(', ')

/** The reviews of a region that a run needs: those that are not decided, and those that were refused. */
export async function readReviewsOfRegion(db: ControlDb, region: string): Promise<StoredReview[]> {
  const { results } = await db
    .prepare(`SELECT * FROM reviews WHERE region = ? AND status IN (${LIVE}, 'refused') ORDER BY id`)
    .bind(region)
    .all<StoredReview>()
  return results
}

/** Statements that write what a run read again, and what it read first. */
export function writeReadings(
  db: ControlDb,
  again: readonly StoredReview[],
  first: readonly StoredReview[],
): D1PreparedStatement[] {
  const update = db
    .prepare(
      `UPDATE reviews SET status = given.value->>'status', why = given.value->>'why',
         stands = given.value->>'stands', proposed = given.value->>'proposed',
         document_url = given.value->>'document_url', document_hash = given.value->>'document_hash',
         excerpt = given.value->>'excerpt', witnesses = given.value->>'witnesses',
         last_seen_at = given.value->>'last_seen_at'
       FROM json_each(?) AS given WHERE reviews.id = given.value->>'id' AND reviews.status IN (${LIVE})`,
    )
    .bind(JSON.stringify(again))
  return [...(again.length === 0 ? [] : [update]), ...insertRows(db, 'reviews', first)]
}

/** A statement that ends reviews: a second witness came, or the source does not say it any more. */
export function endReviews(
  db: ControlDb,
  ids: readonly string[],
  status: 'applied' | 'gone' | 'accepted',
  at: string,
): D1PreparedStatement[] {
  if (ids.length === 0) return []
  return [
    db
      .prepare(
        `UPDATE reviews SET status = ?1, decided_at = ?2,
           decided_by = iif(?1 = 'accepted', 'command line', NULL)
         WHERE status IN (${LIVE}) AND id IN (SELECT value FROM json_each(?3))`,
      )
      .bind(status, at, JSON.stringify(ids)),
  ]
}

/** A statement that ends refusals, because the source stopped saying what was refused. */
export function endRefusals(db: ControlDb, ids: readonly string[]): D1PreparedStatement[] {
  if (ids.length === 0) return []
  return [
    db
      .prepare(
        `UPDATE reviews SET status = 'gone'
         WHERE status = 'refused' AND id IN (SELECT value FROM json_each(?))`,
      )
      .bind(JSON.stringify(ids)),
  ]
}

/** One review; null: there is none. */
export async function readReview(db: ControlDb, id: string): Promise<StoredReview | null> {
  return db.prepare('SELECT * FROM reviews WHERE id = ?').bind(id).first<StoredReview>()
}

/** A page of reviews in the given states, the newest first, and how many there are. */
export async function readReviews(
  db: ControlDb,
  wanted: { statuses: readonly string[]; region: string | null; limit: number; offset: number },
): Promise<{ reviews: StoredReview[]; total: number }> {
  const where = `status IN (SELECT value FROM json_each(?1)) AND (?2 IS NULL OR region = ?2)`
  const statuses = JSON.stringify(wanted.statuses)
  const [page, count] = await db.batch([
    db
      .prepare(`SELECT * FROM reviews WHERE ${where} ORDER BY id DESC LIMIT ?3 OFFSET ?4`)
      .bind(statuses, wanted.region, wanted.limit, wanted.offset),
    db.prepare(`SELECT count(*) AS total FROM reviews WHERE ${where}`).bind(statuses, wanted.region),
  ])
  return {
    reviews: rowsOf<StoredReview>(page),
    total: totalOf(count),
  }
}

/** An update that writes a person's decision. It changes one row, unless the review was decided meanwhile. */
export function decideReview(
  db: ControlDb,
  id: string,
  decision: { status: 'accepted' | 'refused'; by: string; reason: string; at: string },
): D1PreparedStatement {
  return db
    .prepare(
      `UPDATE reviews SET status = ?2, decided_by = ?3, decision_reason = ?4, decided_at = ?5
       WHERE id = ?1 AND status IN (${LIVE})`,
    )
    .bind(id, decision.status, decision.by, decision.reason, decision.at)
}

/** A statement that counts one change less as held. The next run of the region counts anew. */
export function releaseHeld(db: ControlDb, region: string): D1PreparedStatement {
  return db
    .prepare('UPDATE collector_states SET records_held = max(records_held - 1, 0) WHERE region = ?')
    .bind(region)
}

/** Removes reviews that were decided long ago. */
export function pruneReviews(db: ControlDb, before: string): D1PreparedStatement {
  return db
    .prepare(
      `DELETE FROM reviews WHERE id IN (SELECT id FROM reviews
         WHERE status NOT IN (${LIVE}) AND last_seen_at < ? LIMIT 1000)`,
    )
    .bind(before)
}
