import { linkTo } from '../address.js'
import { callApi } from '../api.js'
import { element } from '../elements.js'
import { dayOf } from '../format.js'
import { customerDetail } from '../customers/detail.js'
import { newCustomer } from '../customers/new-customer.js'
import { vatBadge } from '../customers/vat-badge.js'
import { badge } from '../parts/badge.js'
import { filterBar } from '../parts/filters.js'
import { placeNames } from '../parts/names.js'
import { pagedTable } from '../parts/table.js'
import { counted } from '../words.js'

/**
 * @import { z } from 'zod'
 * @import { CustomersAnswer } from '../../../src/customers/schemas.ts'
 * @import { Drawer } from '../parts/drawer.js'
 * @import { Page } from '../views.js'
 * @typedef {z.output<typeof CustomersAnswer>['customers'][number]} Customer
 */

/** @param {Page} page */
export async function show({ place, actions, query }) {
  const names = await placeNames()
  const { shown, reload } = pagedTable({
    caption: 'Customers, newest first',
    href: (/** @type {Customer} */ { id }) => linkTo('customers', { id, query }),
    empty: () =>
      query.size > 0
        ? { title: 'No customer matches', text: 'The e-mail address has to be exactly as it is stored.' }
        : {
            title: 'No customers yet',
            text: 'Customers on file keep a VAT id and certificates. Sales to others need none.',
            action: element(
              'a',
              { class: 'button', href: linkTo('customers', { id: 'new' }) },
              'Add a customer',
            ),
          },
    columns: [
      { head: 'Customer', cell: ({ name, external_id, id }) => name ?? external_id ?? id },
      {
        head: 'Place',
        cell: ({ address }) => (address === null ? '–' : (names.get(address.country) ?? address.country)),
      },
      { head: 'VAT id', cell: (customer) => vatBadge(customer) },
      {
        head: 'Certificates',
        cell: ({ exemptions }) =>
          exemptions.some(({ status }) => status === 'pending')
            ? badge('pending')
            : exemptions.length === 0
              ? '–'
              : counted(exemptions.length, 'certificate'),
      },
      { head: 'Reference', phone: 'none', cell: ({ external_id }) => external_id ?? '–' },
      { head: 'Added', number: true, phone: 'none', cell: ({ created_at }) => dayOf(created_at) },
    ],
    read: async (cursor) => {
      /** @type {z.output<typeof CustomersAnswer>} */
      const page = await callApi('GET', '/v1/customers', {
        query: { limit: '25', cursor, email: query.get('email') },
      })
      return { rows: page.customers, total: page.total, next_cursor: page.next_cursor }
    },
  })
  actions.append(
    element('a', { class: 'button first', href: linkTo('customers', { id: 'new' }) }, 'Add a customer'),
  )
  place.replaceChildren(
    filterBar([{ name: 'email', label: 'Exact e-mail address', kind: 'search' }], query, () => void reload()),
    shown,
  )
  await reload()
}

/**
 * The drawer of a customer, or the form of a new one.
 * @param {Drawer} drawer
 * @param {string} id
 */
export function open(drawer, id) {
  return id === 'new' ? newCustomer(drawer) : customerDetail(drawer, id)
}
