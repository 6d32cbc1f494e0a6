import type { PublicRoute, Route } from '../platform/http/route.ts'
import { statusRoutes } from '../tax-data/status/routes.ts'
import { FEATURES } from './features.generated.ts'

/** Every route that needs a key. `npm run generate` finds the features in src/. */
export const ROUTES: readonly Route[] = FEATURES.flatMap(({ routes }) => routes)

/** Every route that needs no key. */
export const PUBLIC_ROUTES: readonly PublicRoute[] = statusRoutes
