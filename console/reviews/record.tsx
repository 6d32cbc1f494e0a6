import { useRef } from 'hono/jsx/dom'
import type { ReviewsAnswer } from '../../client/src/schema.ts'
import { linkTo, type RecordProps } from '../address.ts'
import { mistake, readAll } from '../api.ts'
import { formatDay } from '../format.ts'
import { change, Deeds } from '../parts/changes.tsx'
import { Field } from '../parts/form.tsx'
import { Loaded, useLoading } from '../parts/load.tsx'
import { Badge, Day, Facts, Moment, Source, useTitle } from '../parts/parts.tsx'
import { sentence } from '../words.ts'

/** A review with the fact in force beside what was found, or a fact to confirm. */
export function Record({ id }: RecordProps) {
  const show = ({ reviews, to_confirm }: ReviewsAnswer) => {
    const review = reviews.find((each) => each.id === id)
    if (review !== undefined) return <Review review={review} />
    const fact = to_confirm.find((each) => each.id === id)
    return fact === undefined ? <p>This review is decided, or it does not exist.</p> : <Doubted fact={fact} />
  }
  return <Loaded of={useLoading(readReviews, [id])} show={show} />
}

function Review({ review }: { review: ReviewsAnswer['reviews'][number] }) {
  const { id, subject, status, stands, proposed, document_url } = review
  useTitle(subject, <Badge word={status} />, [status])
  return (
    <>
      <div class="compared">
        <Side title="In force" says={inForce(review)} since={stands?.effective_from} />
        <Side title="Found" says={found(review)} since={proposed?.effective_from} />
      </div>
      <p>{`${sentence(review.why)}.`}</p>
      <pre class="payload" tabindex={0} role="region" aria-label="Excerpt">
        {review.excerpt}
      </pre>
      <Facts
        of={[
          ['Source', review.source],
          ['Document', <Source url={document_url} name={document_url} />],
          ['First seen', <Moment at={review.first_seen_at} />],
          ['Last seen', <Moment at={review.last_seen_at} />],
          ['Said by', review.witnesses.map(({ source, day }) => `${source} (${formatDay(day)})`).join('; ')],
        ]}
      />
      <Decision id={id} subject={subject} accept={proposed === null ? null : 'Accept'} />
    </>
  )
}

function Side({ title, says, since }: { title: string; says: string; since: string | null | undefined }) {
  return (
    <div>
      <span class="quiet small">{title}</span>
      <strong>{says}</strong>
      {since && <span class="quiet small">from {formatDay(since)}</span>}
    </div>
  )
}

function Doubted({ fact }: { fact: ReviewsAnswer['to_confirm'][number] }) {
  useTitle(fact.subject)
  return (
    <>
      <Facts
        of={[
          ['In force', fact.says],
          ['Confirm by', formatDay(fact.confirm_by)],
          ['Verified', <Day at={fact.last_verified_at} />],
          ['Source', <Source url={fact.source_url} name={fact.source} />],
        ]}
      />
      {fact.notes !== null && <p>Doubt: {fact.notes}</p>}
      <Decision id={fact.id} subject={fact.subject} accept="Confirm" />
    </>
  )
}

/** A reason and the buttons of a decision. `accept` names one of them; null: nothing can be accepted. */
function Decision({ id, subject, accept }: { id: string; subject: string; accept: string | null }) {
  const reason = useRef<HTMLTextAreaElement>(null)
  const decide = (decision: 'accept' | 'refuse') => async (idempotency_key: string) => {
    const typed = reason.current?.value.trim() ?? ''
    if (typed === '') {
      reason.current?.focus()
      throw mistake('Reason: say why, for the audit log', 'required')
    }
    const body = { decision, reason: typed }
    const told = `${subject}: ${decision === 'accept' ? 'accepted' : 'refused'}`
    const request = { body, idempotency_key, told, leave: linkTo('reviews') }
    await change('POST', `/v1/metadata/reviews/${encodeURIComponent(id)}`, request)
  }
  return (
    <section class="stack">
      <Field
        label="Reason"
        hint="For the audit log"
        control={(bound) => <textarea {...bound} ref={reason} maxlength={1000} rows={2} required />}
      />
      <Deeds
        of={[
          accept !== null && {
            name: accept,
            act: decide('accept'),
            kind: 'first',
            label: `${accept} ${subject}`,
          },
          { name: 'Refuse', act: decide('refuse'), label: `Refuse ${subject}` },
        ]}
      />
    </section>
  )
}

const PAGES_MAX = 5

/** The reviews that wait, at most 500 of them, with what the first page says beside them. */
export async function readReviews(): Promise<ReviewsAnswer> {
  const path = '/v1/metadata/reviews'
  const { first, rows } = await readAll(path, {}, ({ reviews }) => reviews, PAGES_MAX)
  return { ...first, reviews: rows }
}

type Review = ReviewsAnswer['reviews'][number]

/** What a review would replace. */
export function inForce({ stands }: Review): string {
  return stands?.says ?? 'Nothing'
}

/** What a collector read, which it may not have understood. */
export function found({ proposed }: Review): string {
  return proposed?.says ?? 'See the excerpt'
}
