import { callApi, newIdempotencyKey } from '../api.js'
import { element, field, form, select } from '../elements.js'
import { choice } from '../parts/choice.js'
import { jurisdictions } from '../parts/names.js'
import { recordsChanged } from '../parts/table.js'
import { toast } from '../parts/toast.js'

/**
 * @import { Drawer } from '../parts/drawer.js'
 * @import { Customer } from './detail.js'
 */

const TYPES = /** @type {[string, string][]} */ ([
  ['resale', 'Resale'],
  ['government', 'Government'],
  ['nonprofit', 'Non-profit organisation'],
  ['other', 'Other'],
])

/**
 * A form that is folded until somebody needs it.
 * @param {Drawer} drawer
 * @param {Customer} customer
 */
export async function newCertificate(drawer, { id }) {
  const idempotency_key = newIdempotencyKey()
  const number = element('input', { required: true, maxlength: 100, autocomplete: 'off' })
  const place = choice('Where it frees sales', await jurisdictions(), {
    required: true,
    hint: 'A country or a state, and all its parts',
  })
  const type = select(TYPES, 'resale')
  const url = element('input', { type: 'url', maxlength: 2000, autocomplete: 'off' })
  const from = element('input', {
    type: 'date',
    required: true,
    value: new Date().toISOString().slice(0, 10),
  })
  const to = element('input', { type: 'date' })
  const made = form(
    'Add the certificate',
    [
      field('Number', number),
      place.shown,
      field('Kind', type),
      field('Valid from', from),
      field('Valid to', to, 'Empty: without end'),
      field('Address of the document', url, 'It begins with https://'),
    ],
    async () => {
      const body = {
        certificate_number: number.value,
        jurisdiction_id: place.read(),
        exemption_type: type.value,
        certificate_url: url.value.trim() || null,
        valid_from: from.value,
        valid_to: to.value || null,
      }
      await callApi('POST', `/v1/customers/${id}/exemptions`, { body, idempotency_key })
      await drawer.refresh()
      recordsChanged()
      toast('The certificate is added. It counts after a review.')
    },
  )
  return element('details', {}, element('summary', {}, 'Add a certificate'), made)
}
