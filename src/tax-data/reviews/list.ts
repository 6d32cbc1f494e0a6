import type * as z from 'zod'
import { DAY_MS } from '../../platform/kit/calendar.ts'
import type { Context } from '../../platform/context.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { pageOf } from '../../platform/http/page.ts'
import { FRESH_DAYS } from '../../platform/regions.ts'
import { inForce, type RateBook } from '../../engine/book/rate-book.ts'
import { isSurcharge } from '../../engine/book/surcharge.ts'
import { DOCUMENT_SHAPES } from '../status/document-shapes.ts'
import { reviewedAt } from '../records/review-day.ts'
import { bookFor } from '../records/book-for.ts'
import { type ReviewedFact, type ReviewedKind, saysOf, subjectOfFact } from './says.ts'
import type { FactToConfirm, HolidayToReview, Review, ReviewsAnswer, ReviewsQuery } from './schemas.ts'
import { LIVE_STATUSES } from '../../platform/database/values/review-statuses.ts'
import { readReviews, type StoredReview } from './store.ts'

const TO_CONFIRM_MAX = 100
/** Eleven months: the next holiday of a state is a year after the last one. */
const HOLIDAY_REVIEW_DAYS = 335

/** What waits for a person: readings that were not believed, and facts of low confidence. */
export async function listReviews(
  context: Context,
  query: z.output<typeof ReviewsQuery>,
): Promise<Answer<typeof ReviewsAnswer>> {
  const { status, region = null, limit = 50, offset = 0 } = query
  const statuses = status === undefined ? LIVE_STATUSES : [status]
  const [{ reviews, total }, book] = await Promise.all([
    readReviews(context.env.DB, { statuses, region, limit, offset }),
    bookFor(context),
  ])
  const to_confirm = factsToConfirm(book, context.now)
  return {
    reviews: reviews.map(presentReview),
    ...pageOf(total, limit, offset),
    to_confirm: to_confirm.slice(0, TO_CONFIRM_MAX),
    to_confirm_total: to_confirm.length,
    shapes: [...DOCUMENT_SHAPES],
    holidays: holidaysToReview(book),
  }
}

/** The last holiday of each state that has any, those that are due first first. Pure. */
function holidaysToReview({ facts }: RateBook): z.output<typeof HolidayToReview>[] {
  const holidays = facts.product_rules.flatMap((rule) =>
    rule.effective_from !== null && /\bsales tax holiday\b/.test(rule.notes ?? '')
      ? [{ ...rule, effective_from: rule.effective_from }]
      : [],
  )
  return [...Map.groupBy(holidays, ({ jurisdiction_id }) => jurisdiction_id)]
    .flatMap(([jurisdiction_id, own]) => {
      const latest = own.toSorted((a, b) => (a.effective_from < b.effective_from ? -1 : 1)).at(-1)
      if (latest === undefined) return []
      const { effective_from, effective_to, source_url } = latest
      const review_by = new Date(Date.parse(effective_from) + HOLIDAY_REVIEW_DAYS * DAY_MS)
      return {
        jurisdiction_id,
        latest_from: effective_from,
        latest_to: effective_to,
        review_by: review_by.toISOString().slice(0, 10),
        source_url,
      }
    })
    .toSorted((a, b) => (a.review_by < b.review_by ? -1 : 1))
}

/** The facts in force of low confidence, those that are due first first. Pure. */
function factsToConfirm(book: RateBook, now: Date): z.output<typeof FactToConfirm>[] {
  const day = now.toISOString().slice(0, 10)
  return reviewedFacts(book)
    .filter(({ fact }) => fact.confidence === 'low' && inForce(fact, day))
    .map((each) => {
      const { id, notes, source, source_url, last_verified_at } = each.fact
      return {
        id,
        kind: each.kind,
        subject: subjectOfFact(each),
        says: saysOf(each),
        notes,
        source,
        source_url,
        last_verified_at,
        confirm_by: dueDay(each, now),
      }
    })
    .toSorted((a, b) => (a.confirm_by < b.confirm_by ? -1 : 1))
}

/** All facts of the kinds that a person can review. */
export function reviewedFacts({ facts }: Pick<RateBook, 'facts'>): ReviewedFact[] {
  return [
    ...facts.rates.map((fact) => ({ kind: 'rates' as const, fact })),
    ...facts.thresholds.map((fact) => ({ kind: 'thresholds' as const, fact })),
    ...facts.product_rules.map((fact) => ({ kind: 'product_rules' as const, fact })),
  ]
}

/** The day on which a fact becomes stale. One that was not verified yet is due now. */
function dueDay({ kind, fact }: ReviewedFact, now: Date): string {
  const verified = fact.last_verified_at === null ? null : Date.parse(fact.last_verified_at)
  const at = Math.max(verified ?? 0, reviewedAt(fact, now) ?? 0)
  if (at === 0) return now.toISOString().slice(0, 10)
  const days =
    kind === 'thresholds'
      ? FRESH_DAYS.threshold
      : kind === 'product_rules' || isSurcharge(fact.tax_type)
        ? FRESH_DAYS.product_rule
        : fact.category === 'standard'
          ? FRESH_DAYS.standard_rate
          : FRESH_DAYS.other_rate
  return new Date(at + days * DAY_MS).toISOString().slice(0, 10)
}

/** A review as the API shows it. */
function presentReview(stored: StoredReview): z.output<typeof Review> {
  const { kind, stands, proposed, value: _, ...shown } = stored
  return {
    ...shown,
    kind,
    witnesses: JSON.parse(stored.witnesses),
    stands: kind === 'document' ? null : presentFact(kind, stands),
    proposed: kind === 'document' ? null : presentFact(kind, proposed),
  }
}

/** The fact of a review: the collector wrote it from a fact of this kind. */
export function factOfReview(kind: ReviewedKind, json: string): ReviewedFact {
  return { kind, fact: JSON.parse(json) } as ReviewedFact
}

function presentFact(kind: ReviewedKind, json: string | null) {
  if (json === null) return null
  const reviewed = factOfReview(kind, json)
  const { id, effective_from, source, last_verified_at } = reviewed.fact
  return { id, says: saysOf(reviewed), effective_from, source, last_verified_at }
}
