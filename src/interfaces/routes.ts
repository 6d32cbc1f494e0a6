import { accountRoutes } from './account-routes.ts'
import { addressRoutes } from '../parties/addresses/routes.ts'
import { auditRoutes } from '../platform/audit/routes.ts'
import { calculationRoutes } from '../sales/calculation/routes.ts'
import { certificateRequestRoutes } from '../parties/certificate-requests/routes.ts'
import { customerRoutes } from '../parties/customers/routes.ts'
import { exampleRoutes } from './example-books/routes.ts'
import { exemptionRoutes } from '../parties/exemptions/routes.ts'
import { messageRoutes } from '../notices/messages/routes.ts'
import { metadataRoutes } from '../tax-data/metadata/routes.ts'
import { nexusRoutes } from '../sales/nexus/routes.ts'
import { obligationRoutes } from '../returns/obligations/routes.ts'
import { overviewRoutes } from './overview/routes.ts'
import { recordedSaleRoutes } from '../returns/recorded-sale/routes.ts'
import { peopleRoutes } from '../parties/people/routes.ts'
import { registrationRoutes } from '../returns/registrations/routes.ts'
import { saleorRoutes } from './saleor/routes.ts'
import { returnRoutes } from '../returns/kept/routes.ts'
import { reportRoutes } from '../returns/reports/routes.ts'
import { reviewRoutes } from '../tax-data/reviews/routes.ts'
import { transactionRoutes } from '../sales/transactions/routes.ts'
import { vatRoutes } from '../parties/vat/routes.ts'
import { vatCheckRoutes } from '../parties/vat-checks/routes.ts'
import { webhookRoutes } from '../notices/subscriptions/routes.ts'
import { statusRoutes } from '../tax-data/status/routes.ts'
import type { PublicRoute, Route } from '../platform/http/route.ts'

/** Every route that needs a key, by feature. */
export const ROUTES: readonly Route[] = [
  ...calculationRoutes,
  ...accountRoutes,
  ...peopleRoutes,
  ...messageRoutes,
  ...registrationRoutes,
  ...transactionRoutes,
  ...recordedSaleRoutes,
  ...reportRoutes,
  ...returnRoutes,
  ...obligationRoutes,
  ...overviewRoutes,
  ...exampleRoutes,
  ...nexusRoutes,
  ...metadataRoutes,
  ...reviewRoutes,
  ...vatRoutes,
  ...vatCheckRoutes,
  ...addressRoutes,
  ...webhookRoutes,
  ...auditRoutes,
  ...customerRoutes,
  ...exemptionRoutes,
  ...certificateRequestRoutes,
  ...saleorRoutes,
]

/** Every route that needs no key. */
export const PUBLIC_ROUTES: readonly PublicRoute[] = statusRoutes
