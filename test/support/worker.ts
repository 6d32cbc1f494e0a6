import * as office from '../../src/service/app.ts'
import * as background from '../../src/service/background.ts'
import * as rules from '../../src/sales/calculation/routes.ts'
import { entryPoints } from '../../src/service/entry-points.ts'

/**
 * The Worker of the tests. The test plugin cannot import a module while it handles a request, so all parts are
 * imported here. test/scripts/bundle.test.ts calls the Worker as it is deployed.
 */
export default entryPoints({
  rules: async () => rules,
  office: async () => office,
  background: async () => background,
})
