import type { ReviewsAnswer } from '../../client/src/schema.ts'
import { linkTo } from '../address.ts'
import { formatDay, spanOfDays } from '../format.ts'
import { placeName, withNames } from '../names.ts'
import { Read } from '../parts/load.tsx'
import { Badge, Day, Folded, Source } from '../parts/parts.tsx'
import { PlainTable, Table } from '../parts/table.tsx'
import { counted, sentence } from '../words.ts'
import { found, inForce, readReviews } from './record.tsx'

export { Record } from './record.tsx'

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
        make={() => <Facts {...reviews} />}
      />
      <Folded title={HOLIDAYS} make={() => <Holidays {...reviews} />} />
      <Folded title="Shapes of documents that were seen" make={() => <Shapes {...reviews} />} />
    </div>
  )
  return <Read read={() => withNames(readReviews())} show={show} lines={8} />
}

function Waiting({ reviews }: ReviewsAnswer) {
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
        { head: 'Subject', cell: ({ subject }) => subject },
        { head: 'State', phone: 'figure', cell: ({ status }) => <Badge word={status} /> },
        { head: 'In force', keep: true, cell: inForce },
        { head: 'Found', keep: true, cell: found },
        { head: 'Why it waits', cell: ({ why }) => sentence(why) },
        { head: 'Seen', keep: true, cell: ({ last_seen_at }) => <Day at={last_seen_at} /> },
      ]}
    />
  )
}

function Facts({ to_confirm, to_confirm_total }: ReviewsAnswer) {
  const some = to_confirm_total > to_confirm.length ? `, the first ${to_confirm.length}` : ''
  return (
    <Table
      caption={`Facts of low confidence${some}: a person confirms each by its day`}
      show_caption
      rows={to_confirm}
      href={linkToReview}
      empty={{ title: 'Nothing to confirm', text: 'No fact in force has a low confidence.' }}
      columns={[
        { head: 'Subject', cell: ({ subject }) => subject },
        { head: 'Confirm by', keep: true, phone: 'figure', cell: ({ confirm_by }) => formatDay(confirm_by) },
        { head: 'In force', cell: ({ says }) => says },
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
      empty={{ title: 'No holidays', text: 'No state on file has a sales tax holiday.' }}
      columns={[
        { head: 'State', cell: ({ jurisdiction_id }) => placeName(jurisdiction_id) },
        { head: 'Look again by', keep: true, phone: 'figure', cell: ({ review_by }) => formatDay(review_by) },
        { head: 'Last one on file', cell: (each) => spanOfDays(each.latest_from, each.latest_to) },
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
      rows={shapes.map((each) => [each.variable, each.shape, each.seen_on ?? 'not known', each.seen_in])}
    />
  )
}
