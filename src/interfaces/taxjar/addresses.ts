import * as z from 'zod'
import { validateAddress } from '../../parties/addresses/validate.ts'
import type { Context } from '../../platform/context.ts'
import type { Answer } from '../../platform/http/answers.ts'
import type { AddressesAnswer } from './answers.ts'
import { DEFAULT_COUNTRY } from './countries.ts'
import { NOT_FOUND, TaxJarError } from './errors.ts'
import { ADDRESS } from './schemas.ts'

export const AddressRequest = z.object(ADDRESS)

/**
 * `POST /v2/addresses/validate`: the address in its usual form; 404 if it cannot be one. No street is looked
 * up.
 */
export async function findAddresses(
  context: Context,
  { country, state = null, zip = null, city = null, street = null }: z.output<typeof AddressRequest>,
): Promise<Answer<typeof AddressesAnswer>> {
  if (zip === null && (street === null || city === null || state === null))
    throw new TaxJarError(406, 'zip is missing')
  const { valid, address } = await validateAddress(context, {
    country: country ?? DEFAULT_COUNTRY,
    region: state,
    postal_code: zip,
    city,
    line1: street,
  })
  if (!valid) throw new TaxJarError(404, NOT_FOUND)
  return {
    addresses: [
      {
        ...(address.postal_code !== null && { zip: address.postal_code }),
        ...(address.line1 !== null && { street: address.line1 }),
        ...(address.region !== null && { state: address.region }),
        country: address.country,
        ...(address.city !== null && { city: address.city }),
      },
    ],
  }
}
