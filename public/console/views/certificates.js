import { callApi } from '../api.js'
import { button, element, definitions, field, announce } from '../elements.js'

/**
 * @import { z } from 'zod'
 * @import { CustomersAnswer } from '../../../src/customers/schemas.ts'
 * @import { Page } from '../views.js'
 * @typedef {z.output<typeof CustomersAnswer>['customers'][number]} Customer
 * @typedef {Customer['exemptions'][number]} Exemption
 */

/** @param {Page} page */
export async function show({ place }) {
  const waiting = element('div', {})
  const below = element('div', {})
  place.replaceChildren(
    element('p', {}, 'Certificates that are not reviewed yet. A certificate counts after you verify it.'),
    waiting,
    below,
  )
  let searched = 0
  /** @param {string | null} cursor */
  const more = async (cursor) => {
    /** @type {z.output<typeof CustomersAnswer>} */
    const page = await callApi('GET', '/v1/customers', { query: { limit: '100', cursor } })
    searched += page.customers.length
    waiting.append(
      ...page.customers.flatMap((customer) =>
        pendingOf(customer).map((exemption) => review(customer, exemption)),
      ),
    )
    const { next_cursor } = page
    below.replaceChildren(
      element(
        'p',
        { class: 'quiet' },
        `${waiting.childElementCount} to review. Searched ${searched} of ${page.total} customers`,
      ),
      ...(next_cursor === null ? [] : [button('Search more customers', below, () => more(next_cursor))]),
    )
  }
  await more(null)
}

/** @param {Customer} customer */
function pendingOf(customer) {
  return customer.exemptions.filter(({ status }) => status === 'pending')
}

/**
 * @param {Customer} customer
 * @param {Exemption} exemption
 */
function review(customer, exemption) {
  const name = customer.name ?? customer.external_id ?? customer.id
  const notes = element('input', { maxlength: 2000, autocomplete: 'off' })
  const failed = element('div', {})
  const { valid_from, valid_to } = exemption
  const card = element('section', {
    class: 'card',
    'aria-label': `${exemption.certificate_number} of ${name}`,
  })
  /** @param {'verified' | 'rejected'} status */
  const decide = (status) => async () => {
    const body = { status, verification_notes: notes.value || null }
    await callApi('PUT', `/v1/customers/${customer.id}/exemptions/${exemption.id}`, { body })
    card.remove()
    announce(`${exemption.certificate_number} of ${name} is ${status}`)
  }
  card.append(
    element('h2', {}, name),
    definitions([
      ['Certificate', certificateOf(exemption)],
      ['Kind', exemption.exemption_type],
      ['Place', exemption.jurisdiction_id],
      ['Valid', `from ${valid_from} ${valid_to === null ? 'without end' : `to ${valid_to}`}`],
    ]),
    field('Notes', notes, 'Why it was verified or rejected'),
    element(
      'div',
      { class: 'actions' },
      button('Verify', failed, decide('verified'), `Verify ${exemption.certificate_number}`),
      button('Reject', failed, decide('rejected'), `Reject ${exemption.certificate_number}`),
    ),
    failed,
  )
  return card
}

/**
 * The service only accepts https addresses of certificates.
 * @param {Exemption} exemption
 */
function certificateOf({ certificate_number, certificate_url }) {
  if (certificate_url === null) return certificate_number
  return element(
    'a',
    { href: certificate_url, rel: 'noreferrer noopener', target: '_blank' },
    `${certificate_number} (opens in a new tab)`,
  )
}
