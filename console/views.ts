import type { IconName } from './parts/icon.tsx'
import type { Scope } from '../src/http/scopes.ts'
import type { ViewModule } from './view-module.ts'

/** `path` is its part of the address. Keys without its `scope` do not see it; null: every key does. */
export type View = {
  path: string
  title: string
  icon: IconName
  scope: Scope | null
  load: () => Promise<ViewModule>
}

/**
 * The views in the order of the sidebar. A phone shows the first five in its bar. A view is loaded when it is
 * first opened.
 */
export const VIEWS: readonly [View, ...View[]] = [
  {
    path: 'overview',
    title: 'Overview',
    icon: 'overview',
    scope: null,
    load: () => import('./overview/view.tsx'),
  },
  {
    path: 'transactions',
    title: 'Transactions',
    icon: 'transactions',
    scope: 'transactions:read',
    load: () => import('./transactions/view.tsx'),
  },
  {
    path: 'returns',
    title: 'Returns',
    icon: 'returns',
    scope: 'reports:read',
    load: () => import('./returns/view.tsx'),
  },
  {
    path: 'nexus',
    title: 'Nexus',
    icon: 'nexus',
    scope: 'reports:read',
    load: () => import('./nexus/view.tsx'),
  },
  {
    path: 'customers',
    title: 'Customers',
    icon: 'customers',
    scope: 'customers:read',
    load: () => import('./customers/view.tsx'),
  },
  {
    path: 'certificates',
    title: 'Certificates',
    icon: 'certificates',
    scope: 'customers:read',
    load: () => import('./certificates/view.tsx'),
  },
  {
    path: 'calculation',
    title: 'Calculation',
    icon: 'calculation',
    scope: 'tax:read',
    load: () => import('./calculation/view.tsx'),
  },
  {
    path: 'local-taxes',
    title: 'Local taxes',
    icon: 'map',
    scope: 'tax:read',
    load: () => import('./local-taxes/view.tsx'),
  },
  {
    path: 'registrations',
    title: 'Registrations',
    icon: 'registrations',
    scope: 'registrations:read',
    load: () => import('./registrations/view.tsx'),
  },
  {
    path: 'rates',
    title: 'Rates & sources',
    icon: 'rates',
    scope: 'tax:read',
    load: () => import('./rates/view.tsx'),
  },
  {
    path: 'webhooks',
    title: 'Webhooks',
    icon: 'webhooks',
    scope: 'webhooks:read',
    load: () => import('./webhooks/view.tsx'),
  },
  { path: 'keys', title: 'Keys', icon: 'keys', scope: 'keys:read', load: () => import('./keys/view.tsx') },
  {
    path: 'settings',
    title: 'Settings',
    icon: 'settings',
    scope: 'registrations:read',
    load: () => import('./settings/view.tsx'),
  },
  {
    path: 'reviews',
    title: 'Reviews',
    icon: 'reviews',
    scope: 'operator',
    load: () => import('./reviews/view.tsx'),
  },
]
