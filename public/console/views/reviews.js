import { callApi, newIdempotencyKey } from '../api.js'
import { announce, button, definitions, element, field } from '../elements.js'
import { moment } from '../format.js'
import { plainTable } from '../parts/table.js'

/**
 * @import { z } from 'zod'
 * @import { Review as ReviewSchema, ReviewsAnswer } from '../../../src/reviews/schemas.ts'
 * @import { Page } from '../views.js'
 * @typedef {z.output<typeof ReviewSchema>} Review
 */

const PAGE = 50

/** @param {Page} page */
export async function show({ place }) {
  const cards = element('div', {})
  const below = element('div', {})
  const facts = element('div', {})
  place.replaceChildren(
    element(
      'p',
      {},
      'What the collectors read and did not believe, beside what is in force. Your key needs the scope operator.',
    ),
    cards,
    below,
    facts,
  )
  /** @param {number} offset */
  const more = async (offset) => {
    /** @type {z.output<typeof ReviewsAnswer>} */
    const page = await callApi('GET', '/v1/metadata/reviews', {
      query: { limit: String(PAGE), offset: String(offset) },
    })
    cards.append(...page.reviews.map(card))
    below.replaceChildren(
      element('p', { class: 'quiet' }, `${page.total} to review`),
      ...(page.has_more ? [button('Show more', below, () => more(offset + PAGE))] : []),
    )
    facts.replaceChildren(
      element('h2', {}, 'Facts of low confidence'),
      element('p', {}, `${page.to_confirm_total} in force. A person has to confirm each by its day.`),
      plainTable(
        'Facts that are due first',
        ['Subject', 'In force', 'Confirm by', 'Doubt', 'Decide'],
        page.to_confirm.map((fact) => [
          fact.subject,
          fact.says,
          fact.confirm_by,
          fact.notes,
          decisionOn(fact.id, fact.subject, 'Confirm'),
        ]),
      ),
      plainTable(
        'Sales tax holidays, kept by hand',
        ['State', 'Last one on file', 'Look for the next one by', 'Source'],
        page.holidays.map((holiday) => [
          holiday.jurisdiction_id,
          `${holiday.latest_from} to ${holiday.latest_to ?? '…'}`,
          holiday.review_by,
          holiday.source_url,
        ]),
      ),
    )
  }
  await more(0)
}

/** @param {Review} review */
function card(review) {
  const { stands, proposed } = review
  return element(
    'section',
    { class: 'card', 'aria-label': review.subject },
    element('h2', {}, `${review.subject} (${review.status})`),
    definitions([
      [
        'In force',
        stands === null ? 'nothing' : `${stands.says}, since ${stands.effective_from ?? 'always'}`,
      ],
      [
        'Found',
        proposed === null
          ? 'see the excerpt'
          : `${proposed.says}, from ${proposed.effective_from ?? 'always'}`,
      ],
      ['Why it waits', review.why],
      ['Source', review.source],
      ['Document', review.document_url],
      ['Excerpt', element('code', {}, review.excerpt)],
      ['Seen', element('span', {}, moment(review.first_seen_at), ' to ', moment(review.last_seen_at))],
      ['Said by', review.witnesses.map(({ source, day }) => `${source} (${day})`).join('; ') || null],
    ]),
    decisionOn(review.id, review.subject, proposed === null ? null : 'Accept'),
  )
}

/**
 * A reason and the buttons of a decision. They are replaced by the decision.
 * @param {string} id
 * @param {string} subject
 * @param {string | null} accept the name of the button; null if nothing can be accepted
 */
function decisionOn(id, subject, accept) {
  const reason = element('input', { maxlength: 1000, autocomplete: 'off', required: true })
  const failed = element('div', {})
  const place = element('div', {})
  const idempotency_key = newIdempotencyKey()
  /** @param {'accept' | 'refuse'} decision */
  const decide = (decision) => async () => {
    const body = { decision, reason: reason.value }
    await callApi('POST', `/v1/metadata/reviews/${encodeURIComponent(id)}`, { body, idempotency_key })
    const done = `${subject}: ${decision === 'accept' ? 'accepted' : 'refused'}`
    place.replaceChildren(element('p', {}, done))
    announce(done)
  }
  place.append(
    field('Reason', reason, 'For the audit log'),
    element(
      'div',
      { class: 'actions' },
      accept === null ? null : button(accept, failed, decide('accept'), `${accept} ${subject}`),
      button('Refuse', failed, decide('refuse'), `Refuse ${subject}`),
    ),
    failed,
  )
  return place
}
