import { entryPoints } from './entry-points.ts'

export default entryPoints({
  rules: () => import('./calculation/routes.ts'),
  office: () => import('./app.ts'),
  background: () => import('./background.ts'),
})
