import { linkTo } from '../address.js'
import { callApi, newIdempotencyKey } from '../api.js'
import { button, definitions, element } from '../elements.js'
import { formatDay, moment } from '../format.js'
import { auditTrail } from '../parts/audit-trail.js'
import { badge } from '../parts/badge.js'
import { confirmed } from '../parts/confirm.js'
import { placeNames } from '../parts/names.js'
import { recordsChanged, table } from '../parts/table.js'
import { toast } from '../parts/toast.js'
import { withSpaces } from '../words.js'
import { certificateAddress } from './certificate-address.js'
import { newCertificate } from './new-certificate.js'
import { vatBadge } from './vat-badge.js'

/**
 * @import { z } from 'zod'
 * @import { CustomerAnswer, CustomerValidationAnswer } from '../../../src/customers/schemas.ts'
 * @import { Child } from '../elements.js'
 * @import { Drawer } from '../parts/drawer.js'
 * @typedef {z.output<typeof CustomerAnswer>} Customer
 */

/**
 * The drawer of a customer.
 * @param {Drawer} drawer
 * @param {string} id
 * @returns {Promise<Child[]>}
 */
export async function customerDetail(drawer, id) {
  /** @type {[Customer, Map<string, string>]} */
  const [customer, names] = await Promise.all([
    callApi('GET', `/v1/customers/${encodeURIComponent(id)}`),
    placeNames(),
  ])
  const name = nameOf(customer)
  drawer.setTitle(name)
  const failed = element('div', {})
  return [
    facts(customer, names),
    element(
      'div',
      {},
      element(
        'div',
        { class: 'actions' },
        customer.vat_id === null
          ? null
          : button('Check the VAT id', failed, () => checkVatId(drawer, customer)),
        element(
          'a',
          {
            class: 'button',
            href: linkTo('transactions', { query: new URLSearchParams({ customer_id: customer.id }) }),
          },
          'Transactions',
        ),
        eraseButton(customer, failed),
      ),
      failed,
    ),
    certificatesOf(customer, names),
    await newCertificate(drawer, customer),
    await auditTrail(customer.id),
  ]
}

/** @param {Pick<Customer, 'name' | 'external_id' | 'id'>} customer */
export function nameOf({ name, external_id, id }) {
  return name ?? external_id ?? id
}

/**
 * @param {Customer} customer
 * @param {Map<string, string>} names
 */
function facts(customer, names) {
  const { address } = customer
  const lines =
    address === null
      ? []
      : [
          address.line1,
          address.line2,
          [address.postal_code, address.city, address.region].filter(Boolean).join(' '),
          names.get(address.country) ?? address.country,
        ]
  return definitions([
    ['Address', lines.filter(Boolean).join(', ') || null],
    ['E-mail address', customer.email],
    ['VAT id', vatBadge(customer)],
    ['Name at the tax office', customer.vat_id_company_name],
    ['VAT id checked', customer.vat_id === null ? null : moment(customer.vat_id_validated_at)],
    ['Your reference', customer.external_id],
    ['Added', moment(customer.created_at)],
    ['Id', element('code', {}, customer.id)],
  ])
}

/**
 * @param {Drawer} drawer
 * @param {Customer} customer
 */
async function checkVatId(drawer, { id }) {
  /** @type {z.output<typeof CustomerValidationAnswer>} */
  const { validation } = await callApi('POST', `/v1/vat/validate-customer/${id}`, {
    idempotency_key: newIdempotencyKey(),
  })
  await drawer.refresh()
  recordsChanged()
  toast(`The VAT id is ${withSpaces(validation.status)}`)
}

/**
 * @param {Customer} customer
 * @param {HTMLElement} failed
 */
function eraseButton(customer, failed) {
  const name = nameOf(customer)
  const made = button('Erase', failed, async () => {
    const question = {
      title: `Erase ${name}?`,
      text:
        'The customer and its certificates are deleted at once and for good. Recorded sales stay, with the ' +
        'address that they were taxed by: the law asks for it.',
      yes: 'Erase the customer',
    }
    if (!(await confirmed(question))) return
    await callApi('DELETE', `/v1/customers/${customer.id}`)
    toast(`${name} is erased`)
    location.hash = linkTo('customers')
    recordsChanged()
  })
  made.classList.add('dangerous')
  return made
}

/**
 * @param {Customer} customer
 * @param {Map<string, string>} names
 */
function certificatesOf({ id, exemptions }, names) {
  if (exemptions.length === 0) return null
  return table({
    caption: 'Certificates',
    show_caption: true,
    rows: exemptions,
    href: (each) => linkTo('certificates', { id: certificateAddress(id, each.id) }),
    columns: [
      { head: 'Certificate', cell: ({ certificate_number }) => certificate_number },
      { head: 'Status', phone: 'figure', cell: ({ status }) => badge(status) },
      { head: 'Place', cell: ({ jurisdiction_id }) => names.get(jurisdiction_id) ?? jurisdiction_id },
      { head: 'Until', cell: ({ valid_to }) => (valid_to === null ? 'no end' : `to ${formatDay(valid_to)}`) },
    ],
  })
}
