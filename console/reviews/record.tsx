import { useRef, useState } from 'hono/jsx/dom'
import { linkTo } from '../address.ts'
import { formatDay } from '../format.ts'
import { Badge } from '../parts/badge.tsx'
import { change, Deeds } from '../parts/changes.tsx'
import { Field } from '../parts/form.tsx'
import { Loaded, useLoading } from '../parts/load.tsx'
import { Facts, Source } from '../parts/parts.tsx'
import { useTitle } from '../parts/sheet.ts'
import { Day, Moment } from '../parts/time.tsx'
import type { RecordProps } from '../view-module.ts'
import { found, inForce, readReviews, type Reviews } from './read-reviews.ts'
import { type ReviewNames, reviewNames, saysWords, subjectWords, whyWords } from './subject-words.ts'

/** A review with the fact in force beside what was found, or a fact to confirm. */
export function Record({ id }: RecordProps) {
  const show = ([{ reviews, to_confirm }, names]: [Reviews, ReviewNames]) => {
    const review = reviews.find((each) => each.id === id)
    if (review !== undefined) return <Review review={review} names={names} />
    const fact = to_confirm.find((each) => each.id === id)
    return fact === undefined ? (
      <p>This review is decided, or it does not exist.</p>
    ) : (
      <Doubted fact={fact} names={names} />
    )
  }
  return (
    <div class="drawer-body">
      <Loaded of={useLoading(() => Promise.all([readReviews(), reviewNames()]), [id])} show={show} />
    </div>
  )
}

function Review({ review, names }: { review: Reviews['reviews'][number]; names: ReviewNames }) {
  const subject = subjectWords(review, names)
  const { id, status, stands, proposed, document_url } = review
  useTitle(subject, <Badge word={status} />, [status])
  return (
    <>
      <div class="compared">
        <Side title="In force" says={inForce(review)} since={stands?.effective_from} />
        <Side title="Found" says={found(review)} since={proposed?.effective_from} />
      </div>
      <p>{`${whyWords(review, names)}.`}</p>
      <pre class="payload" tabindex={0} role="region" aria-label="Excerpt">
        {review.excerpt}
      </pre>
      <Facts
        of={[
          ['Source', review.source],
          ['Document', <Source url={document_url} name={document_url} />],
          ['First seen', <Moment at={review.first_seen_at} />],
          ['Last seen', <Moment at={review.last_seen_at} />],
          [
            'Said by',
            review.witnesses.map(({ source, day }) => `${source} (${formatDay(day)})`).join('; ') || null,
          ],
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

function Doubted({ fact, names }: { fact: Reviews['to_confirm'][number]; names: ReviewNames }) {
  const subject = subjectWords(fact, names)
  useTitle(subject)
  return (
    <>
      <Facts
        of={[
          ['In force', saysWords(fact, fact.says)],
          ['Confirm by', formatDay(fact.confirm_by)],
          ['Verified', <Day at={fact.last_verified_at} />],
          ['Source', <Source url={fact.source_url} name={fact.source} />],
        ]}
      />
      {fact.notes !== null && <p>Doubt: {fact.notes}</p>}
      <Decision id={fact.id} subject={subject} accept="Confirm" />
    </>
  )
}

/** A reason and the buttons of a decision. `accept` names one of them; null: nothing can be accepted. */
function Decision({ id, subject, accept }: { id: string; subject: string; accept: string | null }) {
  const reason = useRef<HTMLTextAreaElement>(null)
  const [lacks, setLacks] = useState(false)
  const decide = (decision: 'accept' | 'refuse') => async (idempotency_key: string) => {
    const typed = reason.current?.value.trim() ?? ''
    setLacks(typed === '')
    if (typed === '') {
      reason.current?.focus()
      return
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
        error={lacks ? 'Say why' : null}
        control={(bound) => (
          <textarea
            {...bound}
            ref={reason}
            maxlength={1000}
            rows={2}
            required
            onInput={() => setLacks(false)}
          />
        )}
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
