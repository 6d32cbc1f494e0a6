import type * as z from 'zod'
import { DAY_MS } from '../../platform/kit/calendar.ts'
import type { Context } from '../../platform/context.ts'
import { commit } from '../../platform/writes/commit.ts'
import { guarded } from '../../platform/database/guard.ts'
import { ApiError } from '../../platform/errors.ts'
import { insertSharedEvents, updateEvent } from '../../notices/events/events.ts'
import { logFault } from '../../platform/kit/log-fault.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { openRateBook, type RateBook } from '../../engine/book/rate-book.ts'
import type { Facts } from '../../engine/book/facts.ts'
import { writeFreshness } from '../status/sync-state.ts'
import { planFacts } from '../records/apply-facts.ts'
import { publishRateBook } from '../records/current-rate-book.ts'
import { nameOf } from '../records/present-facts.ts'
import { readFactsOf } from '../records/store.ts'
import { sendSharedEvents } from '../../notices/delivery/sweep.ts'
import { factOfReview, reviewedFacts } from './list.ts'
import { type ReviewedFact, saysOf } from './says.ts'
import type { ReviewDecided, ReviewDecision } from './schemas.ts'
import { LIVE_STATUSES } from '../../platform/database/values/review-statuses.ts'
import { decideReview, readReview, releaseHeld, type StoredReview } from './store.ts'

/** A reading that no run has seen for so many days says nothing about today. */
const SEEN_DAYS = 8

type Decided = z.output<typeof ReviewDecision>

/**
 * A person's decision about a review, or about a fact of low confidence by its id. Accepting puts the
 * proposed fact into force, refusing confirms the one in force; both are one batch with the audit event.
 * Throws not_found, review_decided, review_proposes_nothing, review_not_seen_lately, concurrent_change.
 */
export async function decide(
  context: Context,
  id: string,
  decision: Decided,
): Promise<Answer<typeof ReviewDecided>> {
  const facts = await readFactsOf(context.env.DB, null)
  if (facts === null) throw new ApiError('not_found')
  const book = openRateBook(facts)
  const review = await readReview(context.env.DB, id)
  const given =
    review === null ? confirmation(context, book, id, decision) : resolved(context, book, review, decision)
  const { statements, applied } = await planFacts(
    context.env.DB,
    factsWith(facts, given),
    context.now,
    `review ${id}`,
  )
  const answer = { id, decision: decision.decision, data_version: applied.version }
  await commit(context, {
    changes: [
      ...statements,
      ...(review === null ? [] : decisionOf(context, review, decision)),
      ...(review === null || decision.decision === 'refuse' ? [] : eventOf(context, book, review)),
    ],
    audit: {
      action: `review.${decision.decision === 'accept' ? 'accepted' : 'refused'}`,
      resource_id: id,
      changed: given.map(({ fact }) => fact.id),
      values: { reason: { old: null, new: decision.reason } },
    },
    answer,
  })
  await publish(context, review).catch((thrown: unknown) => logFault({ review: id, step: 'publish' }, thrown))
  return answer
}

/** If this fails, the decision is still valid: the next run of a collector publishes. */
async function publish({ env, now }: Context, review: StoredReview | null): Promise<void> {
  try {
    await publishRateBook(env.DB, env.KV, now)
    if (review !== null) await writeFreshness(env, review.region)
  } finally {
    await sendSharedEvents(env, now)
  }
}

/** The facts to be written for a decision about a review. */
function resolved(
  context: Context,
  book: RateBook,
  review: StoredReview,
  { decision }: Decided,
): ReviewedFact[] {
  const { kind, status, stands, proposed } = review
  if (!LIVE_STATUSES.some((live) => live === status)) throw new ApiError('review_decided')
  const current = kind === 'document' || stands === null ? null : currentOf(book, factOfReview(kind, stands))
  const kept = current === null ? [] : [seenByPerson(context, current)]
  if (decision === 'refuse') return kept
  if (kind === 'document' || proposed === null) throw new ApiError('review_proposes_nothing')
  const { last_seen_at } = review
  if (context.now.getTime() - Date.parse(last_seen_at) > SEEN_DAYS * DAY_MS)
    throw new ApiError('review_not_seen_lately', {
      message: `The source was last read saying this on ${last_seen_at}: run the collector, then decide`,
    })
  const after = factOfReview(kind, proposed)
  const last_verified_at = context.now.toISOString()
  return [...kept, { ...after, fact: { ...after.fact, last_verified_at } } as ReviewedFact]
}

/** The fact in force that a review was about. Throws concurrent_change if it says something else by now. */
function currentOf(book: RateBook, stood: ReviewedFact): ReviewedFact {
  const found = reviewedFacts(book).find(({ kind, fact }) => kind === stood.kind && fact.id === stood.fact.id)
  if (found === undefined || saysOf(found) !== saysOf(stood)) throw new ApiError('concurrent_change')
  return found
}

/** A fact of low confidence that a person has looked up. Refusing it makes it stale until it is corrected. */
function confirmation(context: Context, book: RateBook, id: string, { decision }: Decided): ReviewedFact[] {
  const found = reviewedFacts(book).find(({ fact }) => fact.id === id && fact.confidence === 'low')
  if (found === undefined) throw new ApiError('not_found')
  if (decision === 'accept') return [seenByPerson(context, found)]
  const doubted_since = found.fact.doubted_since ?? context.now.toISOString()
  return [{ ...found, fact: { ...found.fact, doubted_since } } as ReviewedFact]
}

/** The fact as it is, verified now by a person, without a doubt. */
function seenByPerson({ now, principal }: Context, { kind, fact }: ReviewedFact): ReviewedFact {
  const { doubted_since: _, as_of: __, ...kept } = fact
  const verified_by = `a person (${principal.key_id})`
  return { kind, fact: { ...kept, last_verified_at: now.toISOString(), verified_by } } as ReviewedFact
}

function decisionOf(context: Context, review: StoredReview, { decision, reason }: Decided) {
  const { env, now, principal } = context
  const status = decision === 'accept' ? 'accepted' : 'refused'
  const written = { status, by: principal.key_id, reason, at: now.toISOString() } as const
  return [
    ...guarded(env.DB, decideReview(env.DB, review.id, written), 'review_decided'),
    ...(review.kind === 'document' ? [] : [releaseHeld(env.DB, review.region)]),
  ]
}

function eventOf({ env, now }: Context, book: RateBook, { kind, stands, proposed }: StoredReview) {
  if (kind === 'document' || stands === null || proposed === null) return []
  const [before, after] = [factOfReview(kind, stands), factOfReview(kind, proposed)]
  return insertSharedEvents(
    env.DB,
    [updateEvent(nameOf(book, after.fact.jurisdiction_id), before, after)],
    now,
  )
}

function factsWith({ version, recorded_at }: Facts, given: readonly ReviewedFact[]): Facts {
  return {
    version,
    recorded_at,
    jurisdictions: [],
    rates: given.flatMap((each) => (each.kind === 'rates' ? [each.fact] : [])),
    thresholds: given.flatMap((each) => (each.kind === 'thresholds' ? [each.fact] : [])),
    product_rules: given.flatMap((each) => (each.kind === 'product_rules' ? [each.fact] : [])),
    postal_rules: [],
    consignment_limits: [],
    delivery_fees: [],
    exchange_rates: [],
    countries: [],
  }
}
