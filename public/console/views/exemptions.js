import { call } from '../api.js'
import { button, element, facts, field, say } from '../elements.js'

/**
 * @import { z } from 'zod'
 * @import { CustomersAnswer } from '../../../src/customers/schemas.ts'
 * @import { View } from '../console.js'
 * @typedef {z.output<typeof CustomersAnswer>['customers'][number]} Customer
 * @typedef {Customer['exemptions'][number]} Exemption
 */

/** @type {View} */
export const exemptions = { path: 'exemptions', title: 'Exemptions', show }

/** @param {HTMLElement} place */
async function show(place) {
  const waiting = element('div', {})
  const below = element('div', {})
  place.replaceChildren(
    element(
      'p',
      {},
      'Certificates that wait for somebody to look at them. They count once they are verified.',
    ),
    waiting,
    below,
  )
  let looked_at = 0
  /** @param {string | null} cursor */
  const more = async (cursor) => {
    /** @type {z.output<typeof CustomersAnswer>} */
    const page = await call('GET', '/v1/customers', { query: { limit: '100', cursor } })
    looked_at += page.customers.length
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
        `${waiting.childElementCount} to review, of ${looked_at} of ${page.total} customers`,
      ),
      ...(next_cursor === null ? [] : [button('Look at more customers', below, () => more(next_cursor))]),
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
  const card = element('section', {
    class: 'card',
    'aria-label': `${exemption.certificate_number} of ${name}`,
  })
  /** @param {'verified' | 'rejected'} status */
  const decide = (status) => async () => {
    const body = { status, verification_notes: notes.value || null }
    await call('PUT', `/v1/customers/${customer.id}/exemptions/${exemption.id}`, { body })
    card.remove()
    say(`${exemption.certificate_number} of ${name} is ${status}`)
  }
  card.append(
    element('h2', {}, name),
    facts([
      ['Certificate', certificateOf(exemption)],
      ['Kind', exemption.exemption_type],
      ['Place', exemption.jurisdiction_id],
      [
        'Valid',
        `from ${exemption.valid_from} ${exemption.valid_to === null ? 'without end' : `to ${exemption.valid_to}`}`,
      ],
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
 * The service takes none but https addresses.
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
