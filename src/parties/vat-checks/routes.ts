import { feature, route } from '../../platform/http/route.ts'
import { beginCheck, pageOfResults, reportOfCheck, showCheck } from './check.ts'
import {
  VatCheckAnswer,
  VatCheckReport,
  VatCheckRequest,
  VatCheckResults,
  VatCheckResultsQuery,
} from './schemas.ts'

const shared = { tag: 'VAT', scope: 'tax:read' } as const
const ID = { id: 'The id of the check, as it was answered' }

const serves = ['/v1/vat/checks']

export const vatCheckRoutes = feature(serves, [
  route({
    ...shared,
    method: 'post',
    path: '/v1/vat/checks',
    operation: 'createVatCheck',
    client: 'vat.createCheck',
    summary: 'Check up to 1,000 VAT ids',
    description:
      'The ids are asked about one after the other, as many a minute as the tier of the account allows. ' +
      'An authority that does not answer is asked again after 1 min, 10 min, 1 h and 6 h; then the id is ' +
      '`unavailable`. A check is kept for 90 days, and the newest 100 of an account.',
    errors: ['too_many_checks'],
    status: 201,
    idempotent: true,
    body: VatCheckRequest,
    example: { vat_ids: ['IE6388047V', 'DE 136.695.976'] },
    answer: VatCheckAnswer,
    handle: (context, { body }) => beginCheck(context, body),
  }),
  route({
    ...shared,
    method: 'get',
    path: '/v1/vat/checks/:id',
    operation: 'getVatCheck',
    client: 'vat.getCheck',
    summary: 'Read how far a check of VAT ids is',
    params: ID,
    answer: VatCheckAnswer,
    handle: (context, { params }) => showCheck(context, params.id),
  }),
  route({
    ...shared,
    method: 'get',
    path: '/v1/vat/checks/:id/results',
    operation: 'listVatCheckResults',
    client: 'vat.checkResults',
    summary: 'List what the authorities said about the ids of a check',
    params: ID,
    query: VatCheckResultsQuery,
    answer: VatCheckResults,
    handle: (context, { params, query }) => pageOfResults(context, params.id, query),
  }),
  route({
    ...shared,
    method: 'get',
    path: '/v1/vat/checks/:id/report',
    operation: 'getVatCheckReport',
    client: 'vat.checkReport',
    summary: 'Download a check of VAT ids as CSV: who asked, when, and what was said',
    params: ID,
    sends_file: 'small',
    answer: { 'text/csv': VatCheckReport },
    handle: (context, { params }) => reportOfCheck(context, params.id),
  }),
])
