import { type Route, route } from '../http/route.ts'
import { showNexus } from './nexus.ts'
import { NexusAnswer } from './schemas.ts'

export const nexusRoutes: readonly Route[] = [
  route({
    method: 'get',
    path: '/v1/nexus',
    scope: 'reports:read',
    tag: 'Reports',
    summary: 'How close recorded sales are to every threshold, the closest first',
    description:
      "By each threshold's own measurement period, basis and combination. `approaching` from 85 %, `exceeded` with the day.",
    errors: ['amount_out_of_range'],
    answer: NexusAnswer,
    handle: (context) => showNexus(context),
  }),
]
