import { accountRoutes } from './accounts/routes.ts'
import { addressRoutes } from './addresses/routes.ts'
import { auditRoutes } from './audit/routes.ts'
import { calculationRoutes } from './calculation/routes.ts'
import { customerRoutes } from './customers/routes.ts'
import { exampleRoutes } from './example-books/routes.ts'
import { exemptionRoutes } from './exemptions/routes.ts'
import { metadataRoutes } from './metadata/routes.ts'
import { nexusRoutes } from './nexus/routes.ts'
import { obligationRoutes } from './obligations/routes.ts'
import { overviewRoutes } from './overview/routes.ts'
import { registrationRoutes } from './registrations/routes.ts'
import { saleorRoutes } from './saleor/routes.ts'
import { returnRoutes } from './reports/returns/routes.ts'
import { reportRoutes } from './reports/routes.ts'
import { reviewRoutes } from './reviews/routes.ts'
import { transactionRoutes } from './transactions/routes.ts'
import { vatRoutes } from './vat/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'
import { statusRoutes } from './status/routes.ts'
import type { PublicRoute, Route } from './http/route.ts'

/** Every route that needs a key, by feature. */
export const ROUTES: readonly Route[] = [
  ...calculationRoutes,
  ...accountRoutes,
  ...registrationRoutes,
  ...transactionRoutes,
  ...reportRoutes,
  ...returnRoutes,
  ...obligationRoutes,
  ...overviewRoutes,
  ...exampleRoutes,
  ...nexusRoutes,
  ...metadataRoutes,
  ...reviewRoutes,
  ...vatRoutes,
  ...addressRoutes,
  ...webhookRoutes,
  ...auditRoutes,
  ...customerRoutes,
  ...exemptionRoutes,
  ...saleorRoutes,
]

/** Every route that needs no key. */
export const PUBLIC_ROUTES: readonly PublicRoute[] = statusRoutes
