import { type PublicRoute, publicRoute } from '../http/route.ts'
import { readHealth } from './health.ts'
import { HealthAnswer, StatusAnswer } from './schemas.ts'
import { readStatus } from './status.ts'

export const statusRoutes: readonly PublicRoute[] = [
  publicRoute({
    path: '/health',
    tag: 'Status',
    summary: 'Health of the service',
    description:
      'Asks the database, the cache and the collectors. 503 if the service cannot answer requests.',
    answers: { 200: HealthAnswer, 503: HealthAnswer },
    handle: async (env, now) => {
      const health = await readHealth(env, now)
      return { status: health.status === 'unhealthy' ? 503 : 200, body: health }
    },
  }),
  publicRoute({
    path: '/v1/status',
    tag: 'Status',
    summary: 'How fresh the tax data of each region is',
    description: 'Read at most once a minute from where the collectors write it.',
    answers: { 200: StatusAnswer },
    handle: async (env, now) => ({ status: 200, body: await readStatus(env, now) }),
  }),
]
