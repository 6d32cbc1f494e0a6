import { linkTo } from '../address.ts'
import { callApi } from '../api.ts'
import { button, definitions, element, field } from '../legacy/elements.js'
import { formatDay, moment } from '../legacy/format.js'
import { auditTrail } from '../legacy/audit-trail.js'
import { badge } from '../legacy/badge.js'
import { placeNames } from '../names.ts'
import { recordsChanged } from '../legacy/table.js'
import { toast } from '../parts/toast.tsx'
import { counted, withSpaces } from '../words.ts'
import { stateOf } from './certificate-state.ts'

/**
 * @import { z } from 'zod'
 * @import { CustomerAnswer } from '../../src/customers/schemas.ts'
 * @import { AllExemptionsAnswer } from '../../src/exemptions/schemas.ts'
 * @import { Child } from '../legacy/elements.js'
 * @import { Drawer } from '../legacy/drawer.js'
 * @typedef {z.output<typeof CustomerAnswer>} Customer
 * @typedef {Customer['exemptions'][number]} Certificate
 */

/** From how many days before its end a certificate is marked. */
const SOON_DAYS = 30

/**
 * What a person may do with a certificate of each status.
 * @type {Record<Certificate['status'], { to: Certificate['status'], name: string, done: string }[]>}
 */
const MOVES = {
  pending: [
    { to: 'verified', name: 'Approve', done: 'approved' },
    { to: 'rejected', name: 'Reject', done: 'rejected' },
  ],
  verified: [
    { to: 'rejected', name: 'Reject', done: 'rejected' },
    { to: 'expired', name: 'End now', done: 'ended' },
  ],
  rejected: [{ to: 'pending', name: 'Review again', done: 'open for review' }],
  expired: [{ to: 'pending', name: 'Review again', done: 'open for review' }],
}

/**
 * The drawer of a certificate.
 * @param {Drawer} drawer
 * @param {string} address as certificateAddress makes it
 * @returns {Promise<Child[]>}
 */
export async function certificateDetail(drawer, address) {
  const [customer_id = '', id = ''] = address.split('~')
  /** @type {[Customer, Map<string, string>]} */
  const [customer, names] = await Promise.all([
    callApi('GET', `/v1/customers/${encodeURIComponent(customer_id)}`),
    placeNames(),
  ])
  const certificate = customer.exemptions.find((each) => each.id === id)
  if (certificate === undefined) return [element('p', {}, 'The certificate does not exist any more.')]
  drawer.setTitle(certificate.certificate_number, badge(stateOf(certificate)))
  return [
    definitions([
      [
        'Customer',
        element(
          'a',
          { href: linkTo('customers', { id: customer.id }) },
          customer.name ?? customer.external_id ?? customer.id,
        ),
      ],
      ['Frees sales in', names.get(certificate.jurisdiction_id) ?? certificate.jurisdiction_id],
      ['Kind', withSpaces(certificate.exemption_type)],
      ['Valid from', formatDay(certificate.valid_from)],
      ['Valid to', expiryOf(certificate)],
      ['Document', documentOf(certificate)],
      ['Notes of the review', certificate.verification_notes],
      ['Added', moment(certificate.created_at)],
    ]),
    review(drawer, customer, certificate),
    await auditTrail(certificate.id),
  ]
}

/**
 * @param {Drawer} drawer
 * @param {Customer} customer
 * @param {Certificate} certificate
 */
function review(drawer, customer, { id, certificate_number, status }) {
  const notes = element('input', { maxlength: 2000, autocomplete: 'off' })
  const failed = element('div', {})
  return element(
    'section',
    { class: 'section', 'aria-label': 'Review' },
    status === 'pending'
      ? element('p', { class: 'quiet' }, 'The certificate frees no sale until it is approved.')
      : null,
    field('Notes', notes, 'Why you decide so. Stored with the certificate'),
    element(
      'div',
      { class: 'actions' },
      ...MOVES[status].map(({ to, name, done }, index) => {
        const made = button(name, failed, async () => {
          const body = { status: to, verification_notes: notes.value || null }
          await callApi('PUT', `/v1/customers/${customer.id}/exemptions/${id}`, { body })
          await drawer.refresh()
          recordsChanged()
          toast(`${certificate_number} is ${done}`)
        })
        if (index === 0) made.classList.add('first')
        return made
      }),
    ),
    failed,
  )
}

/**
 * The last day, with a mark if it is near.
 * @param {Pick<Certificate, 'valid_to' | 'status'>} certificate
 */
export function expiryOf({ valid_to, status }) {
  if (valid_to === null) return 'no end'
  // The last day still counts.
  if (stateOf({ valid_to, status }) === 'expired') return formatDay(valid_to)
  const days = Math.ceil((Date.parse(valid_to) - Date.now()) / 86_400_000)
  if (status !== 'verified' || days > SOON_DAYS || days < 0) return formatDay(valid_to)
  return element('span', {}, `${formatDay(valid_to)} `, badge(`${counted(days, 'day')} left`, 'warn'))
}

/** @param {z.output<typeof AllExemptionsAnswer>['exemptions'][number]} certificate */
export function ownerOf({ customer_name, customer_external_id, customer_id }) {
  return customer_name ?? customer_external_id ?? customer_id
}

/**
 * The service accepts only https addresses of documents.
 * @param {Certificate} certificate
 */
function documentOf({ certificate_url }) {
  if (certificate_url === null) return 'none'
  return element(
    'a',
    { href: certificate_url, rel: 'noreferrer noopener', target: '_blank' },
    'Open it in a new tab',
  )
}
