import { linkTo } from '../address.ts'
import { callApi } from '../api.ts'
import { element } from '../legacy/elements.js'
import { formatDay } from '../legacy/format.js'
import { certificateAddress } from '../customers/certificate-address.ts'
import { certificateDetail, expiryOf, ownerOf } from '../customers/certificate-detail.js'
import { stateOf } from '../customers/certificate-state.ts'
import { badge } from '../legacy/badge.js'
import { filterBar } from '../legacy/filters.js'
import { placeNames } from '../names.ts'
import { pagedTable } from '../legacy/table.js'

/**
 * @import { z } from 'zod'
 * @import { AllExemptionsAnswer } from '../../src/exemptions/schemas.ts'
 * @import { Drawer } from '../legacy/drawer.js'
 * @import { Page } from '../legacy/page.ts'
 */

const STATUSES = /** @type {[string, string][]} */ ([
  ['pending', 'to review'],
  ['verified', 'verified'],
  ['rejected', 'rejected'],
  ['expired', 'expired'],
])

/** @param {Page} page */
export async function show({ place, query }) {
  const names = await placeNames()
  const { shown, reload } = pagedTable({
    caption: 'Certificates, newest first',
    href: (each) => linkTo('certificates', { id: certificateAddress(each.customer_id, each.id), query }),
    empty: () =>
      query.size > 0
        ? { title: 'No certificate has this status', text: 'Clear the filter to see all.' }
        : {
            title: 'No certificates yet',
            text: 'A certificate frees sales to a customer from tax. Add one in the drawer of the customer.',
            action: element('a', { class: 'button', href: linkTo('customers') }, 'Open the customers'),
          },
    columns: [
      { head: 'Certificate', cell: ({ certificate_number }) => certificate_number },
      { head: 'Customer', cell: ownerOf },
      { head: 'Place', cell: ({ jurisdiction_id }) => names.get(jurisdiction_id) ?? jurisdiction_id },
      { head: 'Status', phone: 'figure', cell: (each) => badge(stateOf(each)) },
      { head: 'Valid from', phone: 'none', cell: ({ valid_from }) => formatDay(valid_from) },
      { head: 'Valid to', cell: expiryOf },
    ],
    read: async (cursor) => {
      /** @type {z.output<typeof AllExemptionsAnswer>} */
      const page = await callApi('GET', '/v1/exemptions', {
        query: { limit: '25', cursor, status: query.get('status') },
      })
      return { rows: page.exemptions, total: null, next_cursor: page.next_cursor }
    },
  })
  place.replaceChildren(
    filterBar(
      [{ name: 'status', label: 'Status', kind: 'select', choices: STATUSES }],
      query,
      () => void reload(),
    ),
    shown,
  )
  await reload()
}

/**
 * @param {Drawer} drawer
 * @param {string} id
 */
export function open(drawer, id) {
  return certificateDetail(drawer, id)
}
