import * as office from '../../src/service/app.ts'
import * as background from '../../src/service/background.ts'
import { calculationRoutes } from '../../src/sales/calculation/routes.ts'
import { writtenSales } from '../../src/sales/transactions/served.ts'
import { entryPoints } from '../../src/service/entry-points.ts'

/**
 * The Worker of the tests. The test plugin cannot import a module while it handles a request, so all parts are
 * imported here. test/scripts/bundle.test.ts calls the Worker as it is deployed.
 */
export default entryPoints({
  groups: { rules: async () => calculationRoutes, sales: async () => writtenSales },
  office: async () => office,
  background: async () => background,
})
