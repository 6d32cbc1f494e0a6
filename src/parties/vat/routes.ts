import { fieldError } from '../../platform/errors.ts'
import { feature, route } from '../../platform/http/route.ts'
import { listVatCountries } from './countries.ts'
import { checkFormat } from './format-check.ts'
import { readRequester } from './requester.ts'
import {
  ValidateVatIdAnswer,
  ValidateVatIdRequest,
  VatCountriesAnswer,
  VatFormatAnswer,
  VatFormatQuery,
} from './schemas.ts'
import { validateVatId } from './validate.ts'

const shared = { tag: 'VAT', scope: 'tax:read' } as const

const serves = ['/v1/vat/']

export const vatRoutes = feature(serves, [
  route({
    ...shared,
    method: 'post',
    path: '/v1/vat/validate',
    operation: 'validateVatId',
    client: 'vat.validate',
    summary: 'Ask the authority whether a VAT id is registered',
    description:
      'VIES for the EU and Northern Ireland, HMRC for Great Britain. An outage is `unavailable`, ' +
      'never `invalid`. A yes is remembered for a day, a no for an hour. An account can ask 10, 60 or 300 ' +
      'questions a minute, by its tier; beyond that, the answer is `unavailable`.',
    body: ValidateVatIdRequest,
    example: { vat_id: 'IE6388047V' },
    answer: ValidateVatIdAnswer,
    handle: ({ env, now, principal: asker }, { body }) => {
      const requester = body.requester_vat_id ? readRequester(body.requester_vat_id, null) : null
      if (body.requester_vat_id && requester === null)
        throw fieldError('invalid_request', 'requester_vat_id', 'is not a VAT id that VIES or HMRC knows')
      const country = body.country ?? undefined
      return validateVatId(env, { vat_id: body.vat_id, country, requester, asker }, now)
    },
  }),
  route({
    ...shared,
    method: 'get',
    path: '/v1/vat/format-check',
    operation: 'checkVatIdFormat',
    client: 'vat.checkFormat',
    summary: 'Check the form and the check digits of a VAT id, without asking anybody',
    query: VatFormatQuery,
    answer: VatFormatAnswer,
    handle: (_, { query }) => checkFormat(query.vat_id, query.country),
  }),
  route({
    ...shared,
    method: 'get',
    path: '/v1/vat/countries',
    operation: 'listVatCountries',
    client: 'vat.countries',
    summary: 'List the countries whose VAT ids can be checked',
    answer: VatCountriesAnswer,
    handle: () => listVatCountries(),
  }),
])
