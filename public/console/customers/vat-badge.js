import { element } from '../elements.js'
import { badge } from '../parts/badge.js'

/**
 * The VAT id of a customer, with what is known of it.
 * @param {{ vat_id: string | null, vat_id_validated: boolean }} customer
 */
export function vatBadge({ vat_id, vat_id_validated }) {
  if (vat_id === null) return '–'
  return element('span', {}, `${vat_id} `, vat_id_validated ? badge('valid') : badge('not checked', 'plain'))
}
