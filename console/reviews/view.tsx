import { useRef, useState } from 'hono/jsx/dom'
import type { ReviewsAnswer } from '../../client/src/schema.ts'
import { linkTo, type RecordProps } from '../address.ts'
import { readAll } from '../api.ts'
import { formatDay, spanOfDays } from '../format.ts'
import { placeName, productTypes, withNames } from '../names.ts'
import { change, Deeds } from '../parts/changes.tsx'
import { Field } from '../parts/form.tsx'
import { Loaded, Read, useLoading } from '../parts/load.tsx'
import { Badge, Day, Facts, Folded, Moment, Source, useTitle } from '../parts/parts.tsx'
import { PlainTable, Table } from '../parts/table.tsx'
import { counted } from '../words.ts'
import { saysWords, subjectWords, whyWords } from './subject-words.ts'

const HOLIDAYS = 'Sales tax holidays, kept by hand'

const linkToReview = ({ id }: { id: string }) => linkTo('reviews', { id })

/** Changes that the collectors did not believe, and facts that a person has to confirm. For operators. */
export function View() {
  const show = (reviews: ReviewsAnswer) => (
    <div class="stack">
      <p class="quiet">
        {`${counted(reviews.total, 'review')} to decide. `}
        {`${counted(reviews.to_confirm_total, 'fact')} of low confidence in force. `}
        A decision changes the data of all accounts.
      </p>
      <Waiting {...reviews} />
      <Folded
        title={`Facts of low confidence: ${reviews.to_confirm_total}`}
        make={() => <Doubts {...reviews} />}
      />
      <Folded title={HOLIDAYS} make={() => <Holidays {...reviews} />} />
      <Folded title="Shapes of documents that were seen" make={() => <Shapes {...reviews} />} />
    </div>
  )
  return <Read read={readNamedReviews} show={show} lines={8} />
}

function Waiting({ reviews }: ReviewsAnswer) {
  return (
    <Table
      caption="Read but not accepted"
      show_caption
      rows={reviews}
      href={linkToReview}
      empty={{
        title: 'No reviews to decide',
        text: 'A change that a collector does not accept by itself waits here for a person.',
      }}
      columns={[
        { head: 'Subject', cell: subjectWords },
        { head: 'State', phone: 'figure', cell: ({ status }) => <Badge word={status} /> },
        { head: 'In force', keep: true, cell: inForce },
        { head: 'Found', keep: true, cell: found },
        { head: 'Why it waits', cell: whyWords },
        { head: 'Seen', keep: true, cell: ({ last_seen_at }) => <Day at={last_seen_at} /> },
      ]}
    />
  )
}

function Doubts({ to_confirm, to_confirm_total }: ReviewsAnswer) {
  const some = to_confirm_total > to_confirm.length ? `, the first ${to_confirm.length}` : ''
  return (
    <Table
      caption={`Facts of low confidence${some}. A person confirms each by its day`}
      show_caption
      rows={to_confirm}
      href={linkToReview}
      empty={{ title: 'No facts to confirm', text: 'No fact in force has a low confidence.' }}
      columns={[
        { head: 'Subject', cell: subjectWords },
        { head: 'Confirm by', keep: true, phone: 'figure', cell: ({ confirm_by }) => formatDay(confirm_by) },
        { head: 'In force', cell: saysWords },
        { head: 'Doubt', cell: ({ notes }) => notes },
      ]}
    />
  )
}

function Holidays({ holidays }: ReviewsAnswer) {
  return (
    <Table
      caption={HOLIDAYS}
      show_caption
      rows={holidays}
      empty={{ title: 'No holidays', text: 'No state has a sales tax holiday.' }}
      columns={[
        { head: 'State', cell: ({ jurisdiction_id }) => placeName(jurisdiction_id) },
        { head: 'Look again by', keep: true, phone: 'figure', cell: ({ review_by }) => formatDay(review_by) },
        { head: 'Last known', cell: (each) => spanOfDays(each.latest_from, each.latest_to) },
        { head: 'Source', cell: ({ source_url: url }) => <Source url={url} name={hostOf(url)} /> },
      ]}
    />
  )
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : url
}

/** An inferred shape may differ at the first run with a network. */
function Shapes({ shapes }: ReviewsAnswer) {
  return (
    <PlainTable
      caption="The shape in which each document is read"
      heads={['Address', 'Shape', 'Seen of', 'Where']}
      rows={shapes.map((each) => [each.variable, each.shape, each.seen_on ?? 'unknown', each.seen_in])}
    />
  )
}

/** A review with the fact in force beside what was found, or a fact to confirm. */
export function Record({ id }: RecordProps) {
  const show = ({ reviews, to_confirm }: ReviewsAnswer) => {
    const review = reviews.find((each) => each.id === id)
    if (review !== undefined) return <Review review={review} />
    const fact = to_confirm.find((each) => each.id === id)
    return fact === undefined ? (
      <p>This review has been decided, or it does not exist.</p>
    ) : (
      <Doubted fact={fact} />
    )
  }
  return <Loaded of={useLoading(readNamedReviews, [id])} show={show} />
}

function Review({ review }: { review: ReviewsAnswer['reviews'][number] }) {
  const subject = subjectWords(review)
  const { id, status, stands, proposed } = review
  useTitle(subject, <Badge word={status} />, [status])
  return (
    <>
      <div class="compared">
        <Side title="In force" says={inForce(review)} since={stands?.effective_from} />
        <Side title="Found" says={found(review)} since={proposed?.effective_from} />
      </div>
      <p>{`${whyWords(review)}.`}</p>
      <pre class="payload" tabindex={0} role="region" aria-label="Excerpt">
        {review.excerpt}
      </pre>
      <p>
        From <Source url={review.document_url} name={review.source} />
      </p>
      <Decision id={id} subject={subject} accept={proposed === null ? null : 'Accept'} />
      <Facts
        of={[
          ['First seen', <Moment at={review.first_seen_at} />],
          ['Last seen', <Moment at={review.last_seen_at} />],
          ['Said by', review.witnesses.map(({ source, day }) => `${source} (${formatDay(day)})`).join('; ')],
        ]}
      />
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
  const subject = subjectWords(fact)
  useTitle(subject)
  return (
    <>
      <div class="compared">
        <Side title="In force" says={saysWords(fact)} since={null} />
        <Side title="Confirm by" says={formatDay(fact.confirm_by)} since={null} />
      </div>
      {fact.notes !== null && <p>Doubt: {fact.notes}</p>}
      <p>
        From <Source url={fact.source_url} name={fact.source} />
        {fact.last_verified_at !== null && (
          <>
            , verified on <Day at={fact.last_verified_at} />
          </>
        )}
      </p>
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
    if (typed === '') return reason.current?.focus()
    const body = { decision, reason: typed }
    const told = `${subject}: ${decision === 'accept' ? 'accepted' : 'refused'}`
    const request = { body, idempotency_key, told, leave: linkTo('reviews') }
    await change('POST', `/v1/metadata/reviews/${encodeURIComponent(id)}`, request)
  }
  const labelled = (name: string) => `${name} ${subject}`
  return (
    <section class="stack">
      <Field
        label="Reason"
        hint="Required, for the audit log"
        error={lacks ? 'Say why' : null}
        control={(bound) => (
          <textarea
            {...bound}
            {...{ required: true, maxlength: 1000, rows: 2 }}
            ref={reason}
            onInput={() => setLacks(false)}
          />
        )}
      />
      <Deeds
        of={[
          accept !== null && { name: accept, act: decide('accept'), kind: 'first', label: labelled(accept) },
          { name: 'Refuse', act: decide('refuse'), label: labelled('Refuse') },
        ]}
      />
    </section>
  )
}

const PAGES_MAX = 5

/** The reviews that wait, at most 500 of them, with what the first page says beside them. */
async function readReviews(): Promise<ReviewsAnswer> {
  const path = '/v1/metadata/reviews'
  const { first, rows } = await readAll(path, {}, ({ reviews }) => reviews, PAGES_MAX)
  return { ...first, reviews: rows }
}

/** With the names that their words need: of places, and of product types. */
async function readNamedReviews(): Promise<ReviewsAnswer> {
  await productTypes()
  return withNames(readReviews())
}

type Review = ReviewsAnswer['reviews'][number]

/** What a review would replace. */
function inForce({ kind, stands }: Review): string {
  return stands === null ? 'Nothing' : saysWords({ kind, says: stands.says })
}

/** What a collector read, which it may not have understood. */
function found({ kind, proposed }: Review): string {
  return proposed === null ? 'See the excerpt' : saysWords({ kind, says: proposed.says })
}
