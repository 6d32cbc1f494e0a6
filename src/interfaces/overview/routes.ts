import { feature, route } from '../../platform/http/route.ts'
import { showOverview } from './overview.ts'
import { OverviewAnswer, OverviewQuery } from './schemas.ts'

const serves = ['/v1/overview']

export const overviewRoutes = feature(serves, [
  route({
    method: 'get',
    path: '/v1/overview',
    operation: 'getOverview',
    client: 'account.overview',
    scope: null,
    tag: 'Account',
    summary: 'What needs attention, what is owed, and the tax of the last months',
    description:
      'The figures of several routes in one request. A part that the key may not read is null, and ' +
      '`missing` names it.',
    query: OverviewQuery,
    adds_up: true,
    answer: OverviewAnswer,
    handle: (context, { query }) => showOverview(context, query),
  }),
])
