import { feature, route } from '../../platform/http/route.ts'
import { showNexus } from './nexus.ts'
import { NexusAnswer } from './schemas.ts'

const serves = ['/v1/nexus']

export const nexusRoutes = feature(serves, [
  route({
    method: 'get',
    path: '/v1/nexus',
    operation: 'getNexus',
    client: 'nexus.get',
    scope: 'reports:read',
    tag: 'Reports',
    summary: 'How close recorded sales are to each threshold, the closest first',
    description:
      "Measured by each threshold's own period, basis and combination. " +
      '`approaching` means over 85 %; `exceeded_on` is the day on which a threshold was passed.',
    errors: ['amount_out_of_range'],
    adds_up: true,
    answer: NexusAnswer,
    handle: (context) => showNexus(context),
  }),
])
