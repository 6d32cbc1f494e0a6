import * as z from 'zod'
import type { Context } from '../../platform/context.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { validateVatId } from '../../parties/vat/validate.ts'
import type { ValidationAnswer } from './answers.ts'
import { TaxJarError } from './errors.ts'
import { Words } from './schemas.ts'

export const ValidationRequest = z.object({
  vat: Words(40).describe('The VAT id with the code of its country, such as FR40303265045'),
})

/**
 * `GET /v2/validation`: whether a VAT id is registered. If the authority does not answer, `vies_available` is
 * false, and `valid` says only that nobody confirmed it.
 */
export async function validateVat(
  { env, principal, now }: Context,
  { vat }: z.output<typeof ValidationRequest>,
): Promise<Answer<typeof ValidationAnswer>> {
  if (!vat) throw new TaxJarError(406, 'vat is missing')
  const question = { vat_id: vat, country: undefined, requester: null, asker: principal }
  const found = await validateVatId(env, question, now)
  const valid = found.valid === true
  const asked = found.status !== 'unavailable' && found.source !== null
  return {
    validation: {
      valid,
      exists: valid,
      vies_available: found.status !== 'unavailable',
      ...(asked && {
        vies_response: {
          country_code: found.country_code,
          vat_number: found.vat_number,
          request_date: found.checked_at.slice(0, 10),
          valid,
          name: found.company_name ?? '',
          address: found.company_address ?? '',
        },
      }),
    },
  }
}
