import type { Child } from 'hono/jsx/dom'
import type { Scope } from '../client/src/schema.ts'
import type { RecordProps, ViewProps } from './address.ts'
import type { IconName } from './parts/icon.tsx'

/**
 * The module of a view. `Actions` stand beside the heading. `Record` is what a drawer contains, and `New` the
 * form of a new record.
 */
type ViewModule = {
  View: (props: ViewProps) => Child
  Actions?: (props: ViewProps) => Child
  New?: (props: ViewProps) => Child
  Record?: (props: RecordProps) => Child
}

/**
 * `path` is its part of the address, and its icon. Who lacks its `scope` does not see it; null: everybody
 * does.
 */
export type View = {
  path: IconName
  title: string
  scope: Scope | null
  load: () => Promise<ViewModule>
}

/**
 * The views in the order of the sidebar. A phone shows the first five in its bar. A view is loaded when it is
 * first opened.
 */
export const VIEWS: readonly [View, ...View[]] = [
  view('overview', 'Overview', null, () => import('./overview/view.tsx')),
  view('transactions', 'Transactions', 'transactions:read', () => import('./transactions/view.tsx')),
  view('returns', 'Returns', 'reports:read', () => import('./returns/view.tsx')),
  view('nexus', 'Nexus', 'reports:read', () => import('./nexus/view.tsx')),
  view('customers', 'Customers', 'customers:read', () => import('./customers/view.tsx')),
  view('certificates', 'Certificates', 'customers:read', () => import('./certificates/view.tsx')),
  view('calculation', 'Calculation', 'tax:read', () => import('./calculation/view.tsx')),
  view('local-taxes', 'Local taxes', 'tax:read', () => import('./local-taxes/view.tsx')),
  view('registrations', 'Registrations', 'registrations:read', () => import('./registrations/view.tsx')),
  view('rates', 'Rates & sources', 'tax:read', () => import('./rates/view.tsx')),
  view('webhooks', 'Webhooks', 'webhooks:read', () => import('./webhooks/view.tsx')),
  view('shops', 'Shops', 'keys:read', () => import('./shops/view.tsx')),
  view('keys', 'Keys', 'keys:read', () => import('./keys/view.tsx')),
  view('people', 'People', 'people:read', () => import('./people/view.tsx')),
  view('settings', 'Settings', 'registrations:read', () => import('./settings/view.tsx')),
  view('reviews', 'Reviews', 'operator', () => import('./reviews/view.tsx')),
]

function view(path: IconName, title: string, scope: Scope | null, load: View['load']): View {
  return { path, title, scope, load }
}
