import { linkTo } from '../address.js'
import { callApi, Failure, newIdempotencyKey } from '../api.js'
import { button, definitions, element, field } from '../elements.js'
import { dayOf, formatDay, moment } from '../format.js'
import { badge } from '../parts/badge.js'
import { toast } from '../parts/toast.js'
import { readReviews } from './read-reviews.js'

/**
 * @import { Child } from '../elements.js'
 * @import { Drawer } from '../parts/drawer.js'
 * @import { Reviews } from './read-reviews.js'
 */

/**
 * A review with the fact in force beside what was found, or a fact to confirm.
 * @param {Drawer} drawer
 * @param {string} id
 * @param {() => Promise<void>} reload the lists
 * @returns {Promise<Child[]>}
 */
export async function showReview(drawer, id, reload) {
  const { reviews, first } = await readReviews()
  const review = reviews.find((each) => each.id === id)
  if (review !== undefined) {
    drawer.setTitle(review.subject, badge(review.status))
    return [
      ...reviewFacts(review),
      decisionOn(id, review.subject, review.proposed === null ? null : 'Accept', reload),
    ]
  }
  const fact = first.to_confirm.find((each) => each.id === id)
  if (fact === undefined) return [element('p', {}, 'This review is decided, or it does not exist.')]
  drawer.setTitle(fact.subject)
  return [...confirmFacts(fact), decisionOn(id, fact.subject, 'Confirm', reload)]
}

/** @param {Reviews['reviews'][number]} review */
function reviewFacts(review) {
  const { stands, proposed } = review
  return [
    element(
      'div',
      { class: 'compared' },
      side('In force', stands?.says ?? 'nothing', stands?.effective_from ?? null),
      side('Found', proposed?.says ?? 'see the excerpt', proposed?.effective_from ?? null),
    ),
    element('p', {}, `Why it waits: ${review.why}`),
    element(
      'pre',
      { class: 'payload', tabindex: 0, role: 'region', 'aria-label': 'Excerpt' },
      review.excerpt,
    ),
    definitions([
      ['Source', review.source],
      ['Document', element('a', { href: review.document_url, rel: 'noreferrer' }, review.document_url)],
      ['First seen', moment(review.first_seen_at)],
      ['Last seen', moment(review.last_seen_at)],
      [
        'Said by',
        review.witnesses.map(({ source, day }) => `${source} (${formatDay(day)})`).join('; ') || null,
      ],
    ]),
  ]
}

/**
 * @param {string} title
 * @param {string} says
 * @param {string | null} since
 */
function side(title, says, since) {
  return element(
    'div',
    {},
    element('span', { class: 'quiet small' }, title),
    element('strong', {}, says),
    since === null ? null : element('span', { class: 'quiet small' }, `from ${formatDay(since)}`),
  )
}

/** @param {Reviews['to_confirm'][number]} fact */
function confirmFacts(fact) {
  return [
    definitions([
      ['In force', fact.says],
      ['Confirm by', formatDay(fact.confirm_by)],
      ['Verified', dayOf(fact.last_verified_at)],
      ['Source', element('a', { href: fact.source_url, rel: 'noreferrer' }, fact.source)],
    ]),
    fact.notes === null ? null : element('p', {}, `Doubt: ${fact.notes}`),
  ]
}

/**
 * A reason and the buttons of a decision.
 * @param {string} id
 * @param {string} subject
 * @param {string | null} accept the name of the button; null if nothing can be accepted
 * @param {() => Promise<void>} reload
 */
function decisionOn(id, subject, accept, reload) {
  const reason = element('textarea', { maxlength: 1000, rows: 2, required: true })
  const failed = element('div', {})
  const idempotency_key = newIdempotencyKey()
  /** @param {'accept' | 'refuse'} decision */
  const decide = (decision) => async () => {
    if (reason.value.trim() === '') {
      reason.focus()
      throw new Failure(0, { message: 'Reason: say why, for the audit log', reason: 'required' })
    }
    const body = { decision, reason: reason.value.trim() }
    await callApi('POST', `/v1/metadata/reviews/${encodeURIComponent(id)}`, { body, idempotency_key })
    toast(`${subject}: ${decision === 'accept' ? 'accepted' : 'refused'}`)
    location.hash = linkTo('reviews')
    await reload()
  }
  const agree = accept === null ? null : button(accept, failed, decide('accept'), `${accept} ${subject}`)
  agree?.classList.add('first')
  return element(
    'section',
    { class: 'stack' },
    field('Reason', reason, 'For the audit log'),
    element(
      'div',
      { class: 'actions' },
      agree,
      button('Refuse', failed, decide('refuse'), `Refuse ${subject}`),
    ),
    failed,
  )
}
