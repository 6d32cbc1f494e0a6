import { feature, route } from '../../platform/http/route.ts'
import { decide } from './decide.ts'
import { listReviews } from './list.ts'
import { ReviewDecided, ReviewDecision, ReviewsAnswer, ReviewsQuery } from './schemas.ts'

const serves = ['/v1/metadata/reviews']

export const reviewRoutes = feature(serves, [
  route({
    tag: 'Metadata',
    method: 'get',
    path: '/v1/metadata/reviews',
    operation: 'listReviews',
    client: 'metadata.reviews',
    scope: 'operator',
    summary: 'List what waits for a person',
    description:
      'Readings of the collectors that were not believed, each beside the fact in force and with the text ' +
      'of its source, and the facts of low confidence with the day by which a person has to confirm them.',
    query: ReviewsQuery,
    answer: ReviewsAnswer,
    handle: (context, { query }) => listReviews(context, query),
  }),
  route({
    tag: 'Metadata',
    method: 'post',
    path: '/v1/metadata/reviews/:id',
    operation: 'decideReview',
    client: 'metadata.decideReview',
    writes: 'control',
    scope: 'operator',
    params: { id: 'The id of a review, or of a fact of low confidence' },
    summary: 'Accept or refuse a reading, or confirm a fact',
    description:
      '`accept` puts the proposed fact into force, or confirms the fact of low confidence. `refuse` keeps ' +
      'the fact in force, and the same reading is not asked about again. Both are audited.',
    errors: ['review_decided', 'review_proposes_nothing', 'review_not_seen_lately', 'concurrent_change'],
    body: ReviewDecision,
    example: {
      decision: 'refuse',
      reason: 'The ministry says that the rate did not change',
    },
    answer: ReviewDecided,
    idempotent: true,
    handle: (context, { params, body }) => decide(context, params.id, body),
  }),
])
