import { entryPoints } from './service/entry-points.ts'

export default entryPoints({
  rules: () => import('./sales/calculation/routes.ts'),
  office: () => import('./service/app.ts'),
  background: () => import('./service/background.ts'),
})
