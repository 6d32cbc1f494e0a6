import { ROUTES } from '../../src/interfaces/routes.ts'
import { serve } from '../../src/interfaces/request/serve.ts'
import { ROUTE_GROUPS, type RouteGroup } from '../../src/service/route-groups.ts'

/**
 * The groups with their routes at hand, because the test plugin cannot import a module while it handles a
 * request. `onLoad` is told the pattern of a group that is loaded.
 */
export function groupsAtHand(onLoad: (serves: string) => void = () => undefined): RouteGroup[] {
  return ROUTE_GROUPS.map(({ serves, ...others }) => ({
    ...others,
    serves,
    load: async () => {
      onLoad(String(serves))
      return (app) => {
        for (const route of ROUTES)
          if (serves.test(`${route.method.toUpperCase()} ${route.path}`)) serve(app, route)
      }
    },
  }))
}
