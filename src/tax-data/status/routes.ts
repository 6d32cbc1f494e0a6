import { type PublicRoute, publicRoute } from '../../platform/http/route.ts'
import { readHealth } from './health.ts'
import { HealthAnswer, StatusAnswer } from './schemas.ts'
import { readStatus } from './status.ts'

export const statusRoutes: readonly PublicRoute[] = [
  publicRoute({
    path: '/health',
    operation: 'getHealth',
    client: 'health',
    tag: 'Status',
    summary: 'Get the health of the service',
    description:
      'Checks the database, the cache and how fresh the data is. 503 if the service cannot answer.',
    answers: { 200: HealthAnswer, 503: HealthAnswer },
    handle: async (env, now) => {
      const health = await readHealth(env, now)
      return { status: health.status === 'unhealthy' ? 503 : 200, body: health }
    },
  }),
  publicRoute({
    path: '/v1/status',
    operation: 'getStatus',
    client: 'status',
    tag: 'Status',
    summary: 'Get the freshness of the tax data of each region',
    description: 'The answer is up to a minute old.',
    answers: { 200: StatusAnswer },
    handle: async (env, now) => ({ status: 200, body: await readStatus(env, now) }),
  }),
]
