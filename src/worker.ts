import { entryPoints } from './entry-points.ts'

export default entryPoints({
  office: () => import('./app.ts'),
  background: () => import('./background.ts'),
})
