import { entryPoints } from './service/entry-points.ts'

export default entryPoints({
  groups: {
    rules: async () => (await import('./sales/calculation/routes.ts')).calculationRoutes,
    sales: async () => (await import('./sales/transactions/served.ts')).writtenSales,
  },
  office: () => import('./service/app.ts'),
  background: () => import('./service/background.ts'),
})
