import { linkTo } from '../address.js'
import { callApi, newIdempotencyKey } from '../api.js'
import { element, field, form } from '../elements.js'
import { choice } from '../parts/choice.js'
import { countries } from '../parts/names.js'
import { offerRegions } from '../parts/region-choice.js'
import { recordsChanged } from '../parts/table.js'
import { toast } from '../parts/toast.js'

/**
 * @import { z } from 'zod'
 * @import { CustomerAnswer } from '../../../src/customers/schemas.ts'
 * @import { Drawer } from '../parts/drawer.js'
 */

/** @param {Drawer} drawer */
export async function newCustomer(drawer) {
  drawer.setTitle('New customer')
  const idempotency_key = newIdempotencyKey()
  const text = (/** @type {number} */ maxlength) =>
    element('input', { maxlength, autocomplete: 'off', spellcheck: 'false' })
  const name = text(300)
  const reference = text(255)
  const email = text(254)
  const vat_id = text(40)
  const city = text(200)
  const postal_code = text(20)
  const region = choice('State or province', [], { hint: 'If the country has them' })
  const country = choice('Country', await countries(), { hint: 'Its name or code' })
  country.input.addEventListener('change', () => void offerRegions(country, region))
  await offerRegions(country, region)
  name.required = true
  return [
    form(
      'Add the customer',
      [
        field('Name', name),
        field('Your reference', reference, 'Unique among your customers'),
        field('E-mail address', email),
        country.shown,
        region.shown,
        field('Postal code', postal_code),
        field('City', city),
        field('VAT id', vat_id, 'It can be checked after the customer is added'),
      ],
      async () => {
        const chosen = country.read()
        const body = {
          name: name.value,
          external_id: reference.value.trim() || null,
          email: email.value.trim() || null,
          vat_id: vat_id.value.trim() || null,
          ...(chosen !== null && {
            address: {
              country: chosen,
              region: region.read(),
              postal_code: postal_code.value.trim() || null,
              city: city.value.trim() || null,
            },
          }),
        }
        /** @type {z.output<typeof CustomerAnswer>} */
        const made = await callApi('POST', '/v1/customers', { body, idempotency_key })
        toast(`${made.name ?? 'The customer'} is added`)
        recordsChanged()
        location.hash = linkTo('customers', { id: made.id })
      },
    ),
  ]
}
