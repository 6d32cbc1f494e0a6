import { linkTo } from '../address.js'
import { element } from '../elements.js'
import { dayOf, formatDay } from '../format.js'
import { badge } from '../parts/badge.js'
import { load } from '../parts/load.js'
import { placeNames } from '../parts/names.js'
import { table } from '../parts/table.js'
import { readReviews } from '../reviews/read-reviews.js'
import { showReview } from '../reviews/review-drawer.js'
import { counted } from '../words.js'

/**
 * @import { z } from 'zod'
 * @import { ReviewsAnswer } from '../../../src/reviews/schemas.ts'
 * @import { Child } from '../elements.js'
 * @import { Drawer } from '../parts/drawer.js'
 * @import { Page } from '../views.js'
 * @typedef {z.output<typeof ReviewsAnswer>} Reviews
 */

/** Reads the lists again. @type {() => Promise<void>} */
let reload = () => Promise.resolve()

/**
 * Changes that the collectors did not believe, and facts that a person has to confirm. For operators.
 * @param {Page} page
 */
export function show({ place }) {
  reload = () =>
    load(
      place,
      async () => {
        const [read, names] = await Promise.all([readReviews(), placeNames()])
        return element('div', { class: 'stack' }, ...partsOf(read, names))
      },
      { lines: 8 },
    )
  return reload()
}

/**
 * @param {Drawer} drawer
 * @param {string} id of a review, or of a fact to confirm
 * @returns {Promise<Child[]>}
 */
export function open(drawer, id) {
  return showReview(drawer, id, () => reload())
}

/**
 * @param {{ reviews: Reviews['reviews'], total: number, first: Reviews }} read
 * @param {ReadonlyMap<string, string>} names
 */
function partsOf({ reviews, total, first }, names) {
  return [
    element(
      'p',
      { class: 'quiet' },
      `${counted(total, 'review')} to decide. ${counted(first.to_confirm_total, 'fact')} of low confidence in force. `,
      'A decision changes the data of all accounts.',
    ),
    reviewTable(reviews),
    folded(`Facts of low confidence: ${first.to_confirm_total}`, factTable(first)),
    folded('Sales tax holidays, kept by hand', holidayTable(first.holidays, names)),
  ]
}

/**
 * A long list that opens on request.
 * @param {string} title
 * @param {HTMLElement} content
 */
function folded(title, content) {
  return element('details', {}, element('summary', { class: 'fold' }, title), content)
}

/** @param {Reviews['reviews']} reviews */
function reviewTable(reviews) {
  return table({
    caption: 'Read and not believed',
    show_caption: true,
    rows: reviews,
    href: ({ id }) => linkTo('reviews', { id }),
    empty: {
      title: 'Nothing to decide',
      text: 'A change that a collector does not believe by itself waits here for a person.',
    },
    columns: [
      { head: 'Subject', cell: ({ subject }) => subject },
      { head: 'State', phone: 'figure', cell: ({ status }) => badge(status) },
      { head: 'In force', cell: ({ stands }) => stands?.says ?? 'nothing' },
      { head: 'Found', cell: ({ proposed }) => proposed?.says ?? 'see the excerpt' },
      { head: 'Why it waits', cell: ({ why }) => why },
      { head: 'Seen', cell: ({ last_seen_at }) => dayOf(last_seen_at) },
    ],
  })
}

/** @param {Reviews} reviews */
function factTable({ to_confirm, to_confirm_total }) {
  const some = to_confirm_total > to_confirm.length ? `, the first ${to_confirm.length}` : ''
  return table({
    caption: `Facts of low confidence${some}: a person confirms each by its day`,
    show_caption: true,
    rows: to_confirm,
    href: ({ id }) => linkTo('reviews', { id }),
    empty: { title: 'Nothing to confirm', text: 'No fact in force has a low confidence.' },
    columns: [
      { head: 'Subject', cell: ({ subject }) => subject },
      { head: 'Confirm by', phone: 'figure', cell: ({ confirm_by }) => formatDay(confirm_by) },
      { head: 'In force', cell: ({ says }) => says },
      { head: 'Doubt', cell: ({ notes }) => notes },
    ],
  })
}

/**
 * @param {Reviews['holidays']} holidays
 * @param {ReadonlyMap<string, string>} names
 */
function holidayTable(holidays, names) {
  return table({
    caption: 'Sales tax holidays, kept by hand',
    show_caption: true,
    rows: holidays,
    empty: { title: 'No holidays', text: 'No state on file has a sales tax holiday.' },
    columns: [
      { head: 'State', cell: ({ jurisdiction_id }) => names.get(jurisdiction_id) ?? jurisdiction_id },
      { head: 'Look again by', phone: 'figure', cell: ({ review_by }) => formatDay(review_by) },
      {
        head: 'Last one on file',
        cell: ({ latest_from, latest_to }) =>
          `${formatDay(latest_from)} to ${latest_to === null ? 'open' : formatDay(latest_to)}`,
      },
      {
        head: 'Source',
        cell: ({ source_url }) => element('a', { href: source_url, rel: 'noreferrer' }, hostOf(source_url)),
      },
    ],
  })
}

/** @param {string} url */
function hostOf(url) {
  return URL.canParse(url) ? new URL(url).hostname : url
}
