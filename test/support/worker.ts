import * as office from '../../src/service/app.ts'
import * as background from '../../src/service/background.ts'
import { entryPoints } from '../../src/service/entry-points.ts'
import { groupsAtHand } from './route-groups.ts'

/** The Worker of the tests. test/scripts/bundle.test.ts calls the Worker as it is deployed. */
export default entryPoints({
  groups: groupsAtHand(),
  office: async () => office,
  background: async () => background,
})
