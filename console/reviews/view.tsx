import { linkTo } from '../address.ts'
import { formatDay } from '../format.ts'
import type { Names } from '../names.ts'
import { Badge } from '../parts/badge.tsx'
import { Read } from '../parts/changes.tsx'
import { Folded } from '../parts/folded.tsx'
import { Source } from '../parts/parts.tsx'
import { PlainTable, Table } from '../parts/table.tsx'
import { Day } from '../parts/time.tsx'
import { counted } from '../words.ts'
import { found, inForce, readReviews, type Reviews } from './read-reviews.ts'
import { type ReviewNames, reviewNames, saysWords, subjectWords, whyWords } from './subject-words.ts'

export { Record } from './record.tsx'

const HOLIDAYS = 'Sales tax holidays, kept by hand'

const linkToReview = ({ id }: { id: string }) => linkTo('reviews', { id })

/** Changes that the collectors did not believe, and facts that a person has to confirm. For operators. */
export function View() {
  const show = ([read, names]: [Reviews, ReviewNames]) => (
    <div class="stack">
      <p class="quiet">
        {`${counted(read.total, 'review')} to decide. `}
        {`${counted(read.to_confirm_total, 'fact')} of low confidence in force. `}
        A decision changes the data of all accounts.
      </p>
      <Waiting reviews={read.reviews} names={names} />
      <Folded
        title={`Facts of low confidence: ${read.to_confirm_total}`}
        make={() => <Facts {...read} names={names} />}
      />
      <Folded title={HOLIDAYS} make={() => <Holidays holidays={read.holidays} names={names.places} />} />
      <Folded title="Shapes of documents that were seen" make={() => <Shapes shapes={read.shapes} />} />
    </div>
  )
  return <Read read={() => Promise.all([readReviews(), reviewNames()])} show={show} lines={8} />
}

type Named = { names: ReviewNames }

function Waiting({ reviews, names }: Pick<Reviews, 'reviews'> & Named) {
  return (
    <Table
      caption="Read and not believed"
      show_caption
      rows={reviews}
      href={linkToReview}
      empty={{
        title: 'Nothing to decide',
        text: 'A change that a collector does not believe by itself waits here for a person.',
      }}
      columns={[
        { head: 'Subject', cell: (review) => subjectWords(review, names) },
        { head: 'State', phone: 'figure', cell: ({ status }) => <Badge word={status} /> },
        { head: 'In force', keep: true, cell: inForce },
        { head: 'Found', keep: true, cell: found },
        { head: 'Why it waits', cell: (review) => whyWords(review, names) },
        { head: 'Seen', keep: true, cell: ({ last_seen_at }) => <Day at={last_seen_at} /> },
      ]}
    />
  )
}

function Facts({
  to_confirm,
  to_confirm_total,
  names,
}: Pick<Reviews, 'to_confirm' | 'to_confirm_total'> & Named) {
  const some = to_confirm_total > to_confirm.length ? `, the first ${to_confirm.length}` : ''
  return (
    <Table
      caption={`Facts of low confidence${some}: a person confirms each by its day`}
      show_caption
      rows={to_confirm}
      href={linkToReview}
      empty={{ title: 'Nothing to confirm', text: 'No fact in force has a low confidence.' }}
      columns={[
        { head: 'Subject', cell: (fact) => subjectWords(fact, names) },
        { head: 'Confirm by', keep: true, phone: 'figure', cell: ({ confirm_by }) => formatDay(confirm_by) },
        { head: 'In force', cell: (fact) => saysWords(fact, fact.says) },
        { head: 'Doubt', cell: ({ notes }) => notes },
      ]}
    />
  )
}

function Holidays({ holidays, names }: Pick<Reviews, 'holidays'> & { names: Names }) {
  return (
    <Table
      caption={HOLIDAYS}
      show_caption
      rows={holidays}
      empty={{ title: 'No holidays', text: 'No state on file has a sales tax holiday.' }}
      columns={[
        { head: 'State', cell: ({ jurisdiction_id }) => names.get(jurisdiction_id) ?? jurisdiction_id },
        { head: 'Look again by', keep: true, phone: 'figure', cell: ({ review_by }) => formatDay(review_by) },
        {
          head: 'Last one on file',
          cell: ({ latest_from, latest_to }) =>
            `${formatDay(latest_from)} to ${latest_to === null ? 'open' : formatDay(latest_to)}`,
        },
        {
          head: 'Source',
          cell: ({ source_url: url }) => (
            <Source url={url} name={URL.canParse(url) ? new URL(url).hostname : url} />
          ),
        },
      ]}
    />
  )
}

/** An inferred shape may differ at the first run with a network. */
function Shapes({ shapes }: Pick<Reviews, 'shapes'>) {
  return (
    <PlainTable
      caption="The shape in which each document is read"
      heads={['Address', 'Shape', 'Seen of', 'Where']}
      rows={shapes.map(({ variable, shape, seen_on, seen_in }) => [
        variable,
        shape,
        seen_on ?? 'not known',
        seen_in,
      ])}
    />
  )
}
