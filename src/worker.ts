import { entryPoints } from './service/entry-points.ts'
import { ROUTE_GROUPS } from './service/route-groups.ts'

export default entryPoints({
  groups: ROUTE_GROUPS,
  office: () => import('./service/app.ts'),
  background: () => import('./service/background.ts'),
})
